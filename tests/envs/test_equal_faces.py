"""All faces show the same game: Board, PettingZoo, Gymnasium single and vector, with an opponent and in self-play."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
import pytest

from makruk_env import Board, makruk_v0
from makruk_env.core.lanes import FACTS
from makruk_env.rules import PRESETS
from tests.judges.starts import start

GAMES, LONGEST = 6, 120


def facts(board: Board) -> dict[str, int]:
    """Return what infos tell of a board."""
    count = board.count
    return {
        "ply": board.ply,
        "to_play": board.turn,
        "count_kind": int(count.kind) if count else 0,
        "count_number": count.number if count else 0,
        "count_limit": count.limit if count else 0,
        "repetition": int(board.position.repetition),
        "termination": int(board.outcome.termination) if board.outcome else 0,
    }


def same_view(observation: dict[str, np.ndarray], board: Board, side: int) -> None:
    planes, mask = board.look(side)
    assert np.array_equal(observation["observation"], planes)
    assert np.array_equal(observation["action_mask"], mask)


@pytest.mark.parametrize("rules", PRESETS)
def test_every_face_plays_the_same_games(rules: str) -> None:
    rng = random.Random(11)
    aec = makruk_v0.env(rules=rules)
    solo = gymnasium.make("makruk_env:MakrukSelfPlay-v0", rules=rules).unwrapped
    vector = gymnasium.make_vec("makruk_env:MakrukSelfPlay-v0", num_envs=3, rules=rules, autoreset_mode="SameStep")
    vector.reset(seed=0)
    lane = 1
    played = 0
    while played < GAMES:
        fen = start(rng, Board(rules=rules).rules).fen
        board = Board(fen, rules)
        if board.outcome:
            continue
        played += 1
        aec.reset(options={"fen": fen})
        seen, info = solo.reset(options={"fen": board.fen() if fen else None})
        reset_mask = np.arange(3) == lane
        many, infos = vector.reset(options={"fen": fen, "reset_mask": reset_mask})
        told = many, infos
        for _ in range(LONGEST):
            same_view(seen, board, board.turn)
            same_view({name: rows[lane] for name, rows in told[0].items()}, board, board.turn)
            for agent, side in (("player_0", 0), ("player_1", 1)):
                same_view(aec.observe(agent), board, side)
                assert aec.infos[agent] == facts(board)
            assert {name: info[name] for name in facts(board)} == facts(board)
            assert {name: int(told[1][name][lane]) for name in facts(board)} == facts(board)
            action = rng.choice(board.legal_actions())
            mover = board.turn
            board.push(action)
            aec.step(action)
            seen, reward, terminated, truncated, info = solo.step(action)
            actions = vector.sample_actions()
            actions[lane] = action
            *told, rewards, ends, cuts, infos = vector.step(actions)
            told = (told[0], infos)
            won = (
                0.0
                if not board.outcome or board.outcome.winner is None
                else 1.0 - 2.0 * (board.outcome.winner != mover)
            )
            assert (reward, terminated, truncated) == (won, board.outcome is not None, False)
            assert (rewards[lane], ends[lane], cuts[lane]) == (won, board.outcome is not None, False)
            assert aec.rewards == {f"player_{side}": won if side == mover else -won for side in (0, 1)}
            if board.outcome:
                assert all(aec.terminations.values())
                final = infos["final_obs"][lane]
                assert np.array_equal(final["observation"], board.observation())
                assert not final["action_mask"].any()
                assert {n: int(infos["final_info"][n][lane]) for n in facts(board)} == facts(board)
                break


def test_facts_are_those_of_the_core() -> None:
    assert tuple(facts(Board())) == FACTS[:-1]


@pytest.mark.parametrize("name", ["Makruk-v0", "MakrukSelfPlay-v0"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize(
    "extra",
    [{"max_episode_plies": 60}, {"start": "ending", "rules": "fairy"}, {"observation": "flat", "max_episode_plies": 9}],
)
def test_n_lanes_are_n_single_environments(name: str, mode: str, extra: dict[str, Any]) -> None:
    if name == "Makruk-v0":
        extra = {**extra, "colour": "alternate", "opponent": "greedy"}
    named = {"autoreset_mode": mode}
    if not hasattr(gymnasium.vector, "AutoresetMode"):
        if mode != "NextStep":
            pytest.skip("Gymnasium's own vector environments have other modes from 1.1 on")
        named = {}
    single = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make("makruk_env:" + name, **extra) for _ in range(4)], **named
    )
    native = gymnasium.make_vec("makruk_env:" + name, num_envs=4, autoreset_mode=mode, **extra)
    mine, yours = native.reset(seed=5), single.reset(seed=5)
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(150):
        same_data(mine, yours)
        masks = native.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
        mine, yours = native.step(actions), single.step(actions)
        ended += int(mine[2].sum() + mine[3].sum())
    assert ended > 2


def same_data(mine: Any, yours: Any) -> None:
    """Compare what two environments return, arrays, dictionaries and tuples, types included."""
    if isinstance(mine, dict):
        assert set(mine) == set(yours)
        for name in mine:
            same_data(mine[name], yours[name])
    elif isinstance(mine, tuple | list):
        assert len(mine) == len(yours)
        for one, other in zip(mine, yours, strict=True):
            same_data(one, other)
    elif isinstance(mine, np.ndarray) and mine.dtype == object:
        assert yours.dtype == object
        same_data(list(mine), list(yours))
    else:
        assert np.array_equal(mine, yours)


@pytest.mark.parametrize("lanes", [1, 7, 256])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_lane_does_not_depend_on_how_many_there_are(
    lanes: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from makruk_env.core import threads as spreading

    reference = gymnasium.make_vec("makruk_env:Makruk-v0", num_envs=1, start="opening:2-6", colour="random")
    monkeypatch.setattr(spreading, "_limit", threads)
    many = gymnasium.make_vec("makruk_env:Makruk-v0", num_envs=lanes, start="opening:2-6", colour="random")
    one, all_ = reference.reset(seed=[9 + lanes - 1]), many.reset(seed=9)
    for _ in range(40):
        assert np.array_equal(one[0]["observation"][0], all_[0]["observation"][-1])
        action = reference.sample_actions()
        actions = many.sample_actions()
        assert actions[-1] == action[0]
        one, all_ = reference.step(action), many.step(actions)
        assert one[1][0] == all_[1][-1]
