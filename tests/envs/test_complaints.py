"""What people complained of in other environments for board games: one test each, asked of every face.

Those of running an environment (seeds, windows, copies, rewards) are in test_complaints_of_use.py; and elsewhere:

| complaint | test |
|---|---|
| documented shape not the real one | envs/test_documented.py::test_documented_shapes_are_the_real_ones |
| the key kept up is not a fresh one | test_properties.py::test_the_key_kept_up_is_the_key_made_anew |
"""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from makruk_env import (
    COUNT_START,
    Board,
    Move,
    Rules,
    Termination,
    action_of,
    makruk_v0,
    move_of,
)
from makruk_env.core.actions import ACTION_FROM
from makruk_env.core.observe import PLANE_NAMES
from makruk_env.envs.solo import MakrukSelfPlay
from makruk_env.envs.vector import VectorSelfPlay
from makruk_env.rules import PRESETS
from tests.core.test_observe import turned
from tests.data.make_scenarios import SCENARIOS_FILE
from tests.envs.faces import Faces, men
from tests.envs.games import BLACK_BEGINS, OPEN_BOARD, START, WHITE_MATES, play, started, told
from tests.envs.test_solo import number
from tests.judges.starts import start

LOPSIDED = "1k4r1/2s2p2/5n2/p7/6P1/1N6/4S3/2RK4 w - - 0 30"
"""No man stands where another of its kind would after any reflection, turn or swap of the colours."""
BARE = "k7/8/8/8/8/8/8/2R3K1 w - - 0 1"
BOTH_RUEA = "k4r2/8/8/8/8/8/8/2R4K w - - 0 1"
SHUFFLE = ["c1c2", "a8a7", "c2c1", "a7a8"]
"""Takes nothing and brings both positions back."""
CHECKS_BEGIN = "7k/8/8/8/8/8/8/K5R1 w - 32 7 40"
CHECKS = ["g1h1", "h8g8", "h1g1", "g8h8"]
"""Comes back to where it begins, White checking with each move, Black counting."""
ROUND_TRIP = ["b1d2", "b8d7", "d2b1", "d7b8"]
SCENARIOS = [json.loads(line) for line in SCENARIOS_FILE.read_text("utf-8").splitlines()]
ENDS = [each for each in SCENARIOS if each["actions"] and each["expect"].get("termination")]


def random_game(fen: str | None, rules: str = "ttakji", seed: int = 1, plies: int = 40) -> Iterator[Faces]:
    """Yield the faces of a random game before and after each of its actions."""
    faces, draw = Faces(fen, rules), random.Random(seed)
    yield faces
    while faces.board.outcome is None and len(faces.board.actions) < plies:
        faces.step(draw.choice(faces.board.legal_actions()))
        yield faces


def seen_from(square: tuple[int, int], side: int) -> tuple[int, int]:
    """Return a (rank, file) as the side sees it."""
    return square if side == 0 else (7 - square[0], 7 - square[1])


@pytest.mark.parametrize("fen", [LOPSIDED, LOPSIDED.replace(" w ", " b ")])
def test_planes_are_not_mirrored(fen: str) -> None:
    for faces in random_game(fen):
        for side, planes, _ in faces.views():
            expected = np.zeros((6, 8, 8))
            for square, letter in men(faces.board.fen()).items():
                expected["kmsnrp".index(letter.lower()), *seen_from(square, side)] = 1
            assert np.array_equal(planes[:6] + planes[6:12], expected)


@pytest.mark.parametrize("fen", [LOPSIDED, LOPSIDED.replace(" w ", " b ")])
def test_own_men_are_not_swapped_with_the_opponents(fen: str) -> None:
    for faces in random_game(fen):
        for side, planes, _ in faces.views():
            for square, letter in men(faces.board.fen()).items():
                own = letter.isupper() == (side == 0)
                assert planes[(slice(6), *seen_from(square, side))].any() == own
                assert planes[(slice(6, 12), *seen_from(square, side))].any() != own


def test_repetition_is_told_of_the_present_position_not_of_the_one_before() -> None:
    """Where others show a history of boards, here two planes tell how often the position stood: none may lag."""
    faces = Faces(rules="ttakji:repetition=4")
    stood: Counter[str] = Counter()
    counts = []
    for text in [*ROUND_TRIP, *ROUND_TRIP, "e3e4", None]:
        now = " ".join(faces.board.fen().split()[:2])
        for planes in (view.planes for view in faces.views()):
            assert (planes[12] == (stood[now] == 1)).all()
            assert (planes[13] == (stood[now] > 1)).all()
        assert [info["repetition"] for info in faces.infos()] == [stood[now]] * 4
        counts.append(stood[now])
        stood[now] += 1
        if text:
            faces.play(text)
    assert counts == [0, 0, 0, 0, 1, 1, 1, 1, 2, 0]


@pytest.mark.parametrize("fen", [START, BLACK_BEGINS, OPEN_BOARD])
def test_the_mask_is_that_of_the_agent_to_move(fen: str) -> None:
    """Each action of it moves a man of the viewer's own; the agent that waits has none."""
    for faces in random_game(fen):
        for side, planes, mask in faces.views():
            own = planes[:6].any(axis=0).ravel()
            assert own[ACTION_FROM[np.flatnonzero(mask[:COUNT_START])]].all()
            assert mask.any() == (side == faces.board.turn and faces.board.outcome is None)


@pytest.mark.parametrize("rules", PRESETS)
def test_an_episode_that_goes_on_has_an_action_and_one_that_has_ended_has_none(rules: str) -> None:
    draw = random.Random(7)
    ended = 0
    for seed in range(12):
        fen = start(draw, Rules.of(rules)).fen
        if Board(fen, rules).outcome is not None:
            continue
        for faces in random_game(fen, rules, seed, plies=150):
            over = faces.flags()[0][0]
            for view in faces.views():
                assert view.mask.any() == (view.side == faces.board.turn and not over)
            ended += over
    assert ended > 2


def test_what_an_action_of_black_decodes_to_is_what_is_played() -> None:
    env = started(fen="r1s1ks1r/8/1p2p1p1/p1PP1p1P/P2pP1P1/1P3P2/8/R1SK1S1R b - - 3 20")
    before = men(env.board.fen())
    actions = env.board.legal_actions()
    for action in actions:
        move = move_of(action, env.board)
        assert action_of(move, env.board) == action
        here, there = divmod(move.from_square, 8), divmod(move.to_square, 8)
        twin = copy.deepcopy(env)
        twin.step(action)
        moved = "m" if move.promotion else before[here]
        expected = {square: letter for square, letter in before.items() if square != here} | {there: moved}
        assert men(twin.board.fen()) == expected
    assert len(actions) > 20


@pytest.mark.parametrize("fen", [START, OPEN_BOARD, LOPSIDED])
def test_a_game_turned_with_the_colours_swapped_looks_the_same(fen: str) -> None:
    rules = "ttakji:max_plies=0"  # the cap is told by the move number, which rises after Black's move
    other = Faces(turned(fen), rules)
    for faces in random_game(fen, rules, plies=120):
        if faces.board.actions:
            other.step(faces.board.actions[-1])
        white, black, *rest = other.views()
        for mine, yours in zip(faces.views(), [black, white, *rest], strict=True):
            assert mine.side == 1 - yours.side
            assert np.array_equal(mine.planes, yours.planes)
            assert np.array_equal(mine.mask, yours.mask)
        assert faces.flags() == other.flags()


def test_a_win_turned_with_the_colours_swapped_is_the_others_win() -> None:
    for fen, rewards in ((WHITE_MATES, [1, -1]), (turned(WHITE_MATES), [-1, 1])):
        faces = Faces(fen)
        faces.step(number("h1", "h8"))
        assert list(faces.aec.rewards.values()) == rewards
        assert faces.flags() == [(True, False)] * 4


def test_a_promoted_bia_does_not_leak_into_the_key() -> None:
    """It stands as a met that always was one, and where the two have changed places the position has recurred."""
    faces = Faces("7k/8/8/3P4/5M2/8/8/K7 w - - 0 1")
    faces.play("d5d6m")
    assert faces.board.key == Board("7k/8/3M4/8/5M2/8/8/K7 b - - 0 1").key
    assert Board("7k/8/3M~4/8/5M2/8/8/K7 b - - 0 1").key == faces.board.key
    khun = itertools.cycle(["h8g8", "g8h8"])
    for met in ("f4g5", "d6e5", "e5f4", "g5f6", "f6e7"):
        faces.play(next(khun), met)
        assert [info["repetition"] for info in faces.infos()] == [0] * 4
    faces.play(next(khun), "e7d6")
    assert [info["repetition"] for info in faces.infos()] == [1] * 4


@pytest.mark.parametrize(
    ("fen", "rules", "cycle", "plies", "termination"),
    [
        (START, "ttakji", ROUND_TRIP, 8, Termination.REPETITION),
        (START, "ttakji:max_plies=6", ROUND_TRIP, 6, Termination.MAX_PLIES),
        (BARE, "ttakji:repetition=0", SHUFFLE, 27, Termination.PIECES_COUNT),  # 3 men, 16: the reply to the last number
        (BARE, "cambodian:repetition=0", SHUFFLE, 26, Termination.PIECES_COUNT),  # with the last number
        (BARE, "fairy:repetition=0", SHUFFLE, 28, Termination.PIECES_COUNT),  # with the one after it
        (BOTH_RUEA, "fairy:repetition=0", SHUFFLE, 130, Termination.BOARD_COUNT),
    ],
)
def test_no_draw_is_given_a_move_early(
    fen: str, rules: str, cycle: list[str], plies: int, termination: Termination
) -> None:
    faces = Faces(fen, rules)
    for _, text in zip(range(plies), itertools.cycle(cycle), strict=False):
        assert faces.flags() == [(False, False)] * 4
        assert {info["termination"] for info in faces.infos()} == {0}
        faces.play(text)
    assert faces.flags() == [(True, False)] * 4
    assert {info["termination"] for info in faces.infos()} == {termination}


@pytest.mark.parametrize("kind", sorted({scenario["expect"]["termination"] for scenario in ENDS}))
def test_no_game_ends_without_a_flag(kind: str) -> None:
    for scenario in [each for each in ENDS if each["expect"]["termination"] == kind][:8]:
        rules = scenario["rules"]
        options = {"preset": rules} if isinstance(rules, str) else dict(rules)
        faces = Faces(scenario["fen"], Rules.preset(options.pop("preset"), **options))
        for action in scenario["actions"]:
            assert faces.flags() == [(False, False)] * 4
            faces.play(action)
        assert faces.flags() == [(True, False)] * 4
        assert {info["termination"] for info in faces.infos()} == {Termination[kind]}


def test_every_end_of_a_game_is_among_them() -> None:
    assert {scenario["expect"]["termination"] for scenario in ENDS} == {
        end.name for end in Termination if end <= Termination.NO_ALLOWED_MOVE
    }


def test_a_fen_loses_the_past_and_nothing_else() -> None:
    """How often the position stood and which of the last moves gave check cannot be read from a FEN."""
    played, again = Faces(CHECKS_BEGIN), started()
    played.play(*CHECKS)
    again.reset(options={"fen": played.board.fen()})
    kept, lost = told(again), {"stood once before", "own run of checks / 8", "opponent's run of checks / 8"}
    for view, agent in zip(played.views(), kept[0], strict=False):
        differs = (view.planes != kept[0][agent]["observation"]).any(axis=(1, 2))
        assert {PLANE_NAMES[plane] for plane in np.flatnonzero(differs)} == lost - {PLANE_NAMES[22 - view.side]}
        assert np.array_equal(view.mask, kept[0][agent]["action_mask"])
    assert again.infos["player_0"] == played.infos()[0] | {"repetition": 0}
    assert again.infos["player_0"]["count_number"] == 6
    play(again, *CHECKS)
    assert not again.terminations["player_0"]


def test_copies_states_and_a_list_of_moves_keep_the_past() -> None:
    faces = Faces(CHECKS_BEGIN)
    faces.play(*CHECKS)
    listed = makruk_v0.env(fen=CHECKS_BEGIN)
    listed.reset(options={"moves": CHECKS})
    for env in (copy.deepcopy(faces.aec), pickle.loads(pickle.dumps(faces.aec)), listed):
        assert data_equivalence(told(env), told(faces.aec))
        play(env, *CHECKS)
        assert env.infos["player_0"]["termination"] == Termination.REPETITION
    saved, env, vector = faces.solo.get_state(), MakrukSelfPlay(), VectorSelfPlay(3)
    env.reset(seed=2)
    vector.reset(seed=2)
    env.set_state(saved)
    vector.set_state(saved, lane=2)
    assert env.get_state() == vector.get_state(lane=2) == saved
    for single in (env, copy.deepcopy(faces.solo), pickle.loads(pickle.dumps(faces.solo))):
        board = faces.board.copy()
        for text in CHECKS:
            action = board.action(Move.from_uci(text))
            board.push(action)
            *_, info = single.step(action)
        assert info["termination"] == Termination.REPETITION
