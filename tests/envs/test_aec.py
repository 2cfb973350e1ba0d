"""The PettingZoo environment: PettingZoo's own tests, and what they do not ask."""

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo import AECEnv
from pettingzoo.test import api_test, seed_test

from makruk_env import (
    COUNT_START,
    COUNT_STOP,
    NUM_ACTIONS,
    NUM_PLANES,
    Board,
    CountKind,
    FenError,
    IllegalMoveError,
    Move,
    MoveTextError,
    Rules,
    RulesError,
    Termination,
    makruk_v0,
)
from makruk_env.core.observe import PLANE_NAMES

Env = AECEnv[str, Any, Any]

START = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"
WHITE_MATES = "k7/8/1K6/8/8/8/8/M6R w - - 0 1"
BLACK_MATES = "r6m/8/8/8/8/6k1/8/7K b - - 0 1"
OPEN_BOARD = "3k4/2m5/8/8/3KS3/4R3/8/8 w - - 0 40"
FENS = [START, START.replace(" w ", " b "), OPEN_BOARD, "3k4/8/8/8/3KS3/4R3/8/8 b - 32 10 60"]
INFO_KEYS = {"ply", "to_play", "count_kind", "count_number", "count_limit", "repetition", "termination"}
FACES: list[Callable[..., Env]] = [makruk_v0.env, makruk_v0.raw_env]

# api_test knows PettingZoo's own games by name and says these three of every other one with a Dict space; the third
# comes from the masks of finished agents.
FOREIGN = [
    "ignore:Observation is not a NumPy array:UserWarning:pettingzoo.test.api_test",
    "ignore:Observation space for each agent probably should be:UserWarning:pettingzoo.test.api_test",
    r"ignore:Action mask numpy array is all zeros \(no legal actions\)\.:UserWarning:pettingzoo.test.api_test",
]


def started(make: Callable[..., Env] = makruk_v0.env, **arguments: Any) -> Env:
    env = make(**arguments)
    env.reset()
    return env


def play(env: Env, *texts: str) -> None:
    for text in texts:
        env.step(env.unwrapped.board.action(Move.from_uci(text)))


def play_randomly(env: Env, draw: random.Random, plies: int) -> None:
    for _ in range(plies):
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            break
        env.step(draw.choice(env.unwrapped.board.legal_actions()))


def other(agent: str) -> str:
    return "player_1" if agent == "player_0" else "player_0"


def told(env: Env) -> tuple[Any, ...]:
    """Return everything that an environment shows."""
    seen = {agent: env.observe(agent) for agent in env.possible_agents}
    flags = env.rewards, env.terminations, env.truncations, env.infos
    return seen, *copy.deepcopy(flags), env.agent_selection, env.agents[:], env.last()


# PettingZoo's own tests


@pytest.mark.filterwarnings(*FOREIGN)
@pytest.mark.parametrize("make", FACES)
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"rules": "fairy"},
        {"rules": Rules.preset("ttakji", promotion="optional", pieces_count="declared")},
        {"fen": OPEN_BOARD, "max_episode_plies": 30},
        {"fen": WHITE_MATES, "illegal_action": "raise", "render_mode": "ansi"},
    ],
)
def test_pettingzoo_api(make: Callable[..., Env], arguments: dict[str, Any]) -> None:
    env = make(**arguments)
    for seed, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed)
    api_test(env, num_cycles=200)


def test_pettingzoo_seed() -> None:
    seed_test(makruk_v0.env, num_cycles=200)


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has a registry from 1.27 on")
def test_pettingzoo_makes_it_by_name() -> None:
    env = pettingzoo.make("aec", "makruk/makruk-v0", rules="fairy", max_episode_plies=3)
    assert (env.unwrapped.rules, env.unwrapped.max_episode_plies) == (Rules.preset("fairy"), 3)


def test_the_package_alone_imports_no_environment_library() -> None:
    code = "import sys, makruk_env; print(sorted({'gymnasium', 'pettingzoo', 'pygame'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


# What it is


def test_metadata_agents_and_spaces() -> None:
    env = makruk_v0.env()
    assert env.metadata["name"] == str(env) == str(env.unwrapped) == "makruk_v0"
    assert env.metadata["render_modes"] == ["ansi"]
    assert env.metadata["is_parallelizable"] is False
    assert env.possible_agents == ["player_0", "player_1"]
    assert isinstance(env.unwrapped, makruk_v0.raw_env)
    spaces = []
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert space is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert set(space.spaces) == {"observation", "action_mask"}
        assert (space["observation"].shape, space["observation"].dtype) == ((NUM_PLANES, 8, 8), np.float32)
        assert (space["action_mask"].shape, space["action_mask"].dtype) == ((NUM_ACTIONS,), np.int8)
        assert env.action_space(agent).n == NUM_ACTIONS
        spaces += [space, env.action_space(agent)]
    assert len({id(space) for space in spaces}) == 4


@pytest.mark.parametrize("fen", ["3k4/8/8/8/3KS3/4R3/8/MMMMMMMM w - - 0 1", "k6R/8/8/8/8/8/8/K7 b - 9998 9998 1"])
def test_observations_with_the_widest_counts_are_in_the_space(fen: str) -> None:
    env = started(fen=fen)
    play_randomly(env, random.Random(1), 6)
    for agent in env.possible_agents:
        assert env.observation_space(agent).contains(env.observe(agent))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rules": "shogi"}, RulesError, "'shogi'"),
        ({"fen": "startpos"}, FenError, "'startpos'"),
        ({"render_mode": "human"}, ValueError, "render_mode: .*'human'"),
        ({"max_episode_plies": 0}, ValueError, "max_episode_plies: .*0"),
        ({"max_episode_plies": 2.5}, ValueError, "max_episode_plies: .*2.5"),
        ({"max_episode_plies": True}, ValueError, "max_episode_plies: .*True"),
        ({"illegal_action": "ignore"}, ValueError, "illegal_action: .*'ignore'"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    for make in FACES:
        with pytest.raises(error, match=message):
            make(**arguments)


# What agents see


def expected_view(planes: np.ndarray) -> np.ndarray:
    """Return what the waiting side sees, from what the mover sees."""
    turned = planes[:, ::-1, ::-1].copy()
    view = turned.copy()
    view[:6], view[6:12] = turned[6:12], turned[:6]
    count, own = PLANE_NAMES.index("mover counts"), PLANE_NAMES.index("own run of checks / 8")
    if turned[count - 2 : count].any():
        view[count] = 1 - turned[count]
    view[own], view[own + 1] = turned[own + 1], turned[own]
    return view


@pytest.mark.parametrize("fen", FENS)
def test_both_agents_see_the_position_from_their_own_side(fen: str) -> None:
    draw = random.Random(6)
    movers = set()
    for _ in range(3):
        env = started(fen=fen)
        for _ply in range(60):
            board, mover = env.unwrapped.board, env.agent_selection
            movers.add(mover)
            assert mover == env.possible_agents[board.turn]
            seen = env.observe(mover)
            assert (seen["observation"] == board.observation()).all()
            assert (seen["action_mask"] == board.action_mask()).all()
            waiting = env.observe(other(mover))
            assert (waiting["observation"] == expected_view(seen["observation"])).all()
            assert not waiting["action_mask"].any()
            assert waiting["action_mask"].dtype == seen["action_mask"].dtype == np.int8
            if env.terminations[mover]:
                break
            assert seen["action_mask"].any()
            env.step(draw.choice(board.legal_actions()))
    assert len(movers) == 2


def test_each_agent_finds_its_men_on_its_own_first_ranks() -> None:
    env = started()
    for agent in env.possible_agents:
        planes = env.observe(agent)["observation"]
        assert planes[:12].sum() == 32
        assert planes[0, 0, 3] == planes[6, 7, 4] == 1
        assert planes[5, 2].sum() == planes[11, 5].sum() == 8


def test_the_raw_environment_can_be_observed_before_reset_and_both_after_the_end() -> None:
    raw = makruk_v0.raw_env(fen=WHITE_MATES)
    assert raw.observe("player_0")["action_mask"].any()
    assert not raw.observe("player_1")["action_mask"].any()
    for make in FACES:
        env = started(make, fen=WHITE_MATES)
        play(env, "h1h8")
        for _ in range(2):
            env.step(None)
        assert env.agents == []
        for agent in env.possible_agents:
            seen = env.observe(agent)
            assert seen["observation"][10 if agent == "player_1" else 4].sum() == 1
            assert not seen["action_mask"].any()


def test_observations_are_new_arrays_each_time() -> None:
    env = started()
    for agent in env.possible_agents:
        seen = env.observe(agent)
        seen["observation"][:] = -5
        seen["action_mask"][:] = 5
        assert env.observe(agent)["observation"].min() == 0
        assert env.observe(agent)["action_mask"].max() <= 1


# The cycle


def test_black_to_move_is_player_1_to_move() -> None:
    env = started(fen=START.replace(" w ", " b "))
    assert env.agent_selection == "player_1"
    play(env, "e6e5")
    assert env.agent_selection == "player_0"


def test_declarations_keep_the_turn_and_are_no_moves() -> None:
    env = started(fen=OPEN_BOARD, max_episode_plies=3)
    env.step(COUNT_START)
    assert env.agent_selection == "player_0"
    assert env.infos["player_0"]["count_kind"] == CountKind.BOARD
    assert not env.observe("player_0")["action_mask"][COUNT_START:].any()
    play(env, "e3e2", "d8e8")
    env.step(COUNT_STOP)
    assert env.agent_selection == "player_0"
    assert not env.truncations["player_0"]
    play(env, "e2e3")
    assert env.truncations["player_0"]


@pytest.mark.parametrize("make", FACES)
@pytest.mark.parametrize(("fen", "mate", "winner"), [(WHITE_MATES, "h1h8", 0), (BLACK_MATES, "a8a1", 1)])
def test_winner_and_loser_meet_their_rewards(make: Callable[..., Env], fen: str, mate: str, winner: int) -> None:
    env = started(make, fen=fen)
    if winner:
        assert env.agent_selection == "player_1"
    winner_name, loser_name = f"player_{winner}", f"player_{1 - winner}"
    play(env, mate)
    assert env.rewards == {winner_name: 1, loser_name: -1}
    met = {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        assert terminated is True
        assert truncated is False
        assert info["termination"] == Termination.CHECKMATE
        met[agent] = reward
        env.step(None)
    assert met == {winner_name: 1, loser_name: -1}
    assert env.agents == []


def test_rewards_of_running_and_drawn_games_are_zero() -> None:
    env = started(fen="7k/8/8/8/8/8/r7/K7 w - - 0 1")
    assert list(env.rewards.values()) == [0, 0]
    play(env, "a1a2")
    assert env.rewards == {"player_0": 0, "player_1": 0}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.infos["player_1"]["termination"] == Termination.MATERIAL


def test_an_agent_that_acts_has_met_its_reward() -> None:
    """A wrapper that shapes rewards adds to what is due; a step takes off what its agent has seen, and no more."""
    raw = started(makruk_v0.raw_env)
    raw._cumulative_rewards = {"player_0": 0.5, "player_1": 0.25}
    play(raw, "e3e4")
    assert raw._cumulative_rewards == {"player_0": 0, "player_1": 0.25}
    assert raw.last()[1] == 0.25


def test_a_finished_agent_takes_no_action() -> None:
    for make in FACES:
        env = started(make, fen=WHITE_MATES)
        play(env, "h1h8")
        with pytest.raises(ValueError, match="the only valid action is None"):
            env.step(0)
        assert env.agents == ["player_0", "player_1"]


def test_the_cap_truncates_and_the_rules_terminate() -> None:
    env = started(max_episode_plies=4)
    play(env, "e3e4", "e6e5", "d3d4")
    assert not any(env.truncations.values())
    play(env, "d6d5")
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.terminations == {"player_0": False, "player_1": False}
    assert all(flag is True for flag in env.truncations.values())
    assert env.rewards == {"player_0": 0, "player_1": 0}
    assert env.infos["player_0"]["termination"] == 0
    assert not env.observe("player_0")["action_mask"].any()
    env.step(None)
    env.step(None)
    assert env.agents == []
    env.reset()
    assert env.observe("player_0")["action_mask"].sum() == 23


def test_a_game_that_ends_with_the_last_allowed_move_is_terminated_only() -> None:
    env = started(fen=WHITE_MATES, max_episode_plies=1)
    play(env, "h1h8")
    assert env.terminations["player_0"]
    assert not env.truncations["player_0"]


def test_the_cap_of_the_rules_is_a_termination_and_told_by_the_move_number() -> None:
    env = started(fen=START.replace("0 1", "0 200"), max_episode_plies=100)
    play(env, "e3e4", "e6e5")
    assert env.terminations["player_0"]
    assert not env.truncations["player_0"]
    assert env.infos["player_0"]["termination"] == Termination.MAX_PLIES


@pytest.mark.parametrize("rules", ["ttakji", "fairy"])
def test_infos_are_numbers_under_the_same_keys_from_first_to_last(rules: str) -> None:
    env = started(rules=rules, fen="3k4/2m5/8/8/3KS3/4R3/8/8 w - - 0 40")
    draw = random.Random(8)
    kinds = set()
    for agent in env.agent_iter():
        board = env.unwrapped.board
        count = board.count
        for info in env.infos.values():
            assert set(info) == INFO_KEYS
            assert all(type(value) is int for value in info.values())
            assert (info["ply"], info["to_play"]) == (board.ply, board.turn)
            assert info["count_kind"] == (count.kind if count else 0)
            assert info["count_number"] == (count.number if count else 0)
            assert info["count_limit"] == (count.limit if count else 0)
            assert info["repetition"] == board.position.repetition
            assert info["termination"] == (board.outcome.termination if board.outcome else 0)
        assert env.last()[4] == env.infos[agent]
        kinds.add(env.infos[agent]["count_kind"])
        env.step(None if env.terminations[agent] else draw.choice(board.legal_actions()))
    assert len(kinds) > 1
    assert env.agents == []
    assert board.outcome is not None


def test_agents_do_not_share_an_info() -> None:
    env = started()
    env.infos["player_0"]["ply"] = 99
    assert env.infos["player_1"]["ply"] == 0


# Illegal actions


@pytest.mark.parametrize("make", FACES)
@pytest.mark.parametrize("moves", [[], ["e3e4"]])
def test_an_illegal_action_loses(make: Callable[..., Env], moves: list[str]) -> None:
    env = started(make)
    play(env, *moves)
    mover = env.agent_selection
    fen = env.unwrapped.board.fen()
    env.step(COUNT_START)
    assert env.rewards == {mover: -1, other(mover): 1}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}
    assert env.unwrapped.board.fen() == fen
    met = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        assert not observation["action_mask"].any()
        assert (terminated, truncated, info["termination"]) == (True, False, Termination.ILLEGAL_ACTION)
        met[agent] = reward
        env.step(None)
    assert met == {mover: -1, other(mover): 1}
    env.reset()
    assert env.infos["player_0"]["termination"] == 0
    assert env.observe("player_0")["action_mask"].any()


@pytest.mark.parametrize("make", FACES)
def test_an_illegal_action_raises_and_the_game_goes_on(make: Callable[..., Env]) -> None:
    env = started(make, illegal_action="raise")
    play(env, "e3e4")
    before = told(env)
    number = int(np.flatnonzero(env.observe("player_1")["action_mask"] == 0)[50])
    fen = env.unwrapped.board.fen()
    with pytest.raises(IllegalMoveError, match=rf"{number} \([a-h][1-8][a-h][1-8]\) in '{fen}'"):
        env.step(number)
    with pytest.raises(IllegalMoveError, match=r"1473 \(stop\) in 'rnsmksnr/"):
        env.step(COUNT_STOP)
    assert data_equivalence(told(env), before)
    play(env, "e6e5")
    assert env.agent_selection == "player_0"


def test_actions_outside_the_space() -> None:
    for number in (-1, NUM_ACTIONS):
        with pytest.raises(AssertionError, match="not in action space"):
            started().step(number)
        raw = started(makruk_v0.raw_env)
        raw.step(number)
        assert raw.infos["player_0"]["termination"] == Termination.ILLEGAL_ACTION
        with pytest.raises(IllegalMoveError, match=f"got {number} in"):
            started(makruk_v0.raw_env, illegal_action="raise").step(number)


@pytest.mark.parametrize("action", [None, 3.0, "e3e4"])
def test_what_is_no_whole_number_is_never_played(action: object) -> None:
    env = started(makruk_v0.raw_env)
    with pytest.raises(MoveTextError, match=repr(action)):
        env.step(action)
    assert env.unwrapped.board.ply == 0
    assert not any(env.terminations.values())


@pytest.mark.parametrize("kind", [int, np.int32, np.int64, np.array])
def test_actions_may_be_numpy_integers(kind: Callable[[int], Any]) -> None:
    env = started(makruk_v0.raw_env)
    env.step(kind(env.board.legal_actions()[0]))
    assert env.board.ply == 1


# Reset


def test_reset_starts_where_options_say_and_the_next_one_as_before() -> None:
    env = makruk_v0.env()
    env.reset(seed=3, options={"fen": OPEN_BOARD, "moves": ["start", "e3e2"], "options": 1})
    assert env.unwrapped.board.fen() == "3k4/2m5/8/8/3KS3/8/4R3/8 b - 128 1 40"
    assert env.agent_selection == "player_1"
    assert env.infos["player_0"]["count_number"] == 1
    env.reset(options={"moves": ("e3e4",)})
    assert env.unwrapped.board.fen() == "rnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 1"
    env.reset(options={})
    assert env.unwrapped.board.fen() == START
    own = started(fen=OPEN_BOARD)
    assert own.unwrapped.board.fen() == OPEN_BOARD
    own.reset(options={"fen": START})
    own.reset(options={"fen": None, "moves": None})
    assert own.unwrapped.board.fen() == OPEN_BOARD


def test_moves_of_the_options_repeat_but_are_not_counted_against_the_cap() -> None:
    env = makruk_v0.env(max_episode_plies=4)
    round_trip = ["b1d2", "b8d7", "d2b1", "d7b8"]
    env.reset(options={"moves": round_trip})
    assert env.infos["player_0"]["repetition"] == 1
    play(env, *round_trip[:3])
    assert not env.truncations["player_0"]
    play(env, round_trip[3])
    assert env.infos["player_0"]["termination"] == Termination.REPETITION
    assert not env.truncations["player_0"]
    env.reset(options={"moves": round_trip[:2]})
    play(env, *round_trip[2:], *round_trip[:2])
    assert env.truncations["player_0"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"fen": "startpos"}, FenError),
        ({"moves": ["e3e4", "e3e4"]}, IllegalMoveError),
        ({"moves": ["pawn to e4"]}, MoveTextError),
    ],
)
def test_a_reset_that_fails_leaves_the_game_as_it_was(options: dict[str, Any], error: type[Exception]) -> None:
    env = started()
    play(env, "e3e4")
    before = told(env)
    with pytest.raises(error):
        env.reset(options=options)
    assert data_equivalence(told(env), before)


def test_a_reset_among_the_last_steps_starts_a_whole_game() -> None:
    env = started(fen=WHITE_MATES)
    for _ in range(2):
        play(env, "h1h8")
        env.step(None)
        assert env.agents == ["player_0"]
        env.reset()
        assert env.agents == ["player_0", "player_1"]
        assert env.agent_selection == "player_0"
        assert env.last()[1:4] == (0, False, False)


def test_an_episode_may_start_at_its_end() -> None:
    env = makruk_v0.env()
    env.reset(options={"fen": WHITE_MATES, "moves": ["h1h8"]})
    met = {}
    for agent in env.agent_iter():
        _, met[agent], terminated, _, _ = env.last()
        assert terminated
        env.step(None)
    assert met == {"player_0": 1, "player_1": -1}


# Copies and pickles


@pytest.mark.parametrize("make", FACES)
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_mid_game_keeps_the_game(make: Callable[..., Env], duplicate: Callable[[Env], Env]) -> None:
    env = started(make, rules="fairy", fen=OPEN_BOARD, max_episode_plies=150, illegal_action="raise")
    play_randomly(env, random.Random(12), 9)
    twin = duplicate(env)
    before = told(env)
    assert data_equivalence(told(twin), before)
    assert twin.unwrapped.board.actions == env.unwrapped.board.actions
    draw = random.Random(13)
    play_randomly(twin, draw, 5)
    assert data_equivalence(told(env), before)
    assert not data_equivalence(told(twin), before)
    play_randomly(env, random.Random(13), 5)
    assert data_equivalence(told(twin), told(env))
    with pytest.raises(IllegalMoveError):
        twin.step(int(np.flatnonzero(twin.observe(twin.agent_selection)["action_mask"] == 0)[0]))
    twin.reset()
    assert twin.unwrapped.board.fen() == Board(OPEN_BOARD, "fairy").fen()


@pytest.mark.parametrize("make", FACES)
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_between_the_last_steps_keeps_the_rewards(make: Any, duplicate: Callable[[Env], Env]) -> None:
    env = started(make, fen=WHITE_MATES)
    play(env, "h1h8")
    env.step(None)
    twin = duplicate(env)
    assert twin.agents == ["player_0"]
    assert twin.last()[1:4] == (1, True, False)
    twin.step(None)
    assert (twin.agents, env.agents) == ([], ["player_0"])


def test_two_environments_do_not_disturb_each_other() -> None:
    env, optional = started(), started(rules=Rules.preset("ttakji", promotion="optional"))
    play(env, "e3e4")
    assert optional.agent_selection == "player_0"
    for each in (env, optional):
        each.reset(options={"fen": "k7/8/8/4P3/8/8/8/K7 w - - 0 1"})
    masks = [each.observe("player_0")["action_mask"].sum() for each in (env, optional)]
    assert masks[1] == masks[0] + 1


# Drawing and closing


def test_the_text_shows_board_count_and_turn() -> None:
    env = started(render_mode="ansi", fen=OPEN_BOARD)
    assert env.render().splitlines()[-3:] == ["1 . . . . . . . .", "  a b c d e f g h", "White to move, move 40"]
    env.step(COUNT_START)
    play(env, "e3e2")
    assert env.render().splitlines()[-2:] == ["Board count: 1 of 64, White counts", "Black to move, move 40"]
    env.reset(options={"fen": BLACK_MATES})
    play(env, "a8a1")
    assert env.render().splitlines()[-1] == "Black wins: checkmate"
    env.reset(options={"fen": "7k/8/8/8/8/8/r7/K7 w - - 0 1", "moves": ["a1a2"]})
    assert env.render().splitlines()[-1] == "Draw: material"
    env.reset()
    env.step(COUNT_STOP)
    assert env.render().splitlines()[-1] == "Black wins: illegal action"
    capped = started(render_mode="ansi", max_episode_plies=1)
    play(capped, "e3e4")
    assert capped.render().splitlines()[-1] == "Cut short after 1 moves"


def test_render_before_reset_and_without_a_mode() -> None:
    assert makruk_v0.raw_env(render_mode="ansi").render().startswith("8 r n s m k s n r\n")
    with pytest.raises(AssertionError, match="reset\\(\\) needs to be called before render"):
        makruk_v0.env(render_mode="ansi").render()
    with pytest.warns(UserWarning, match="no render_mode was given"):
        assert started().render() is None


def test_close_twice_and_close_unused() -> None:
    makruk_v0.env().close()
    env = started()
    env.close()
    env.close()
    env.reset()
    assert env.observe("player_0")["action_mask"].any()
