"""What docstrings and the README say of arrays, against the arrays."""

from __future__ import annotations

import re
from pathlib import Path

from makruk_env import NUM_ACTIONS, NUM_PLANES, Board, makruk_v0
from makruk_env.core import observe
from makruk_env.envs import aec
from makruk_env.envs.solo import Makruk
from makruk_env.envs.spaces import observation_space, planes_space
from makruk_env.envs.vector import VectorMakruk
from tests.envs.games import started

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")


def shapes(text: str | None) -> list[tuple[tuple[int, ...], str]]:
    """Return the shapes and types of the arrays that a docstring tells of, of three lanes."""
    letters = {"A": NUM_ACTIONS, "C": NUM_PLANES, "N": 3}
    found = re.findall(r"\[([A-Z0-9, ]+)\] (float32|float64|int8|int64|bool)", " ".join((text or "").split()))
    return [(tuple(letters.get(size) or int(size) for size in each.split(", ")), kind) for each, kind in found]


def test_documented_shapes_are_the_real_ones() -> None:
    env, solo, vector = started(makruk_v0.raw_env), Makruk(), VectorMakruk(3)
    solo.reset(seed=1)
    vector.reset(seed=1)
    board, seen, space = env.board, env.observe("player_1"), observation_space()
    _, *outcomes, _ = vector.step(vector.sample_actions())
    for documented, arrays in (
        (aec.__doc__, [seen["observation"], seen["action_mask"]]),
        (aec.raw_env.state.__doc__, [env.state()]),
        (Board.observation.__doc__, [board.observation()]),
        (Board.action_mask.__doc__, [board.action_mask()]),
        (planes_space.__doc__, [env.state_space]),
        (observation_space.__doc__, [space["observation"], space["action_mask"]]),
        (Makruk.action_masks.__doc__, [solo.action_masks()]),
        (VectorMakruk.action_masks.__doc__, [vector.action_masks()]),
        (VectorMakruk.sample_actions.__doc__, [vector.sample_actions()]),
        (VectorMakruk.step.__doc__, outcomes),
    ):
        assert shapes(documented) == [(array.shape, str(array.dtype)) for array in arrays], documented


def test_the_readme_and_the_list_of_planes_tell_the_real_sizes() -> None:
    seen = started().observe("player_0")
    found = re.search(r"`observation`, (\d+) planes of (\d+) x (\d+) (\w+) .*?`action_mask`, (\w+) over the (\d+)",
                     README, re.DOTALL)  # fmt: skip
    assert found
    *shape, kind, mask_kind, actions = found.groups()
    assert (tuple(map(int, shape)), kind) == (seen["observation"].shape, str(seen["observation"].dtype))
    assert ((int(actions),), mask_kind) == (seen["action_mask"].shape, str(seen["action_mask"].dtype))
    listed: list[int] = []
    for first, between, last in re.findall(r"(\d+)(?:(\.\. ?|, )(\d+))?  ", observe.__doc__ or ""):
        listed += range(int(first), int(last) + 1) if between.strip() == ".." else map(int, filter(None, (first, last)))
    assert sorted(listed) == list(range(len(seen["observation"])))


def test_the_page_on_environments_tells_the_real_shapes() -> None:
    env, solo, vector = started(), Makruk(), VectorMakruk(3)
    solo.reset(seed=1)
    vector.reset(seed=1)
    actions = vector.sample_actions()
    arrays = [*env.observe("player_0").values(), env.state(), solo.action_masks()]
    arrays += [vector.action_masks(), actions, vector.step(actions)[2]]
    for kind in ("planes", "flat"):
        observation, info = Makruk(observation=kind).reset(seed=1)
        arrays += [observation, info["action_mask"]]
    assert set(shapes(PAGE)) == {(array.shape, str(array.dtype)) for array in arrays}
