"""What the agents of the PettingZoo environment see, each from its own side."""

import random

import numpy as np
import pytest

from makruk_env import makruk_v0
from makruk_env.core.observe import PLANE_NAMES
from tests.envs.games import BLACK_BEGINS, FACES, OPEN_BOARD, START, WHITE_MATES, other, play, started


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


@pytest.mark.parametrize("fen", [START, BLACK_BEGINS, OPEN_BOARD, "3k4/8/8/8/3KS3/4R3/8/8 b - 32 10 60"])
def test_both_agents_see_the_position_from_their_own_side(fen: str) -> None:
    draw = random.Random(6)
    movers = set()
    for _ in range(3):
        env = started(fen=fen)
        assert env.agent_selection == {"w": "player_0", "b": "player_1"}[fen.split()[1]]
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
