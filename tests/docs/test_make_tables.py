"""The tables of the pages against the program: names, numbers, ranges, and what the pages say of them in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, get_args

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from make_tables import INFOS, MADE, MEN_PLANES

from agents import AGENTS
from makruk_env import NUM_ACTIONS, NUM_PLANES, Termination, batch, makruk_v0
from makruk_env.core.observe import PLANE_NAMES
from makruk_env.envs.spaces import Observation
from makruk_env.render.face import MODES

DOCS = Path(__file__).parents[2] / "docs"
PLACES = [
    (path.name, name, arguments.split())
    for path in sorted(DOCS.rglob("*.md"))
    for name, arguments in re.findall(r"^<!-- made: (\w+)(.*?) -->$", path.read_text(encoding="utf-8"), re.MULTILINE)
]


def rows(markdown: str) -> list[list[str]]:
    """Return the cells of a table below its header, without backquotes around a whole cell."""
    lines = [line.strip("|").split("|") for line in markdown.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in line] for line in lines[2:]]


def page_rows(page: str, header: str) -> list[list[str]]:
    """Return the cells of the table of a page whose header begins so."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return rows(text[text.index(f"| {header}") :].split("\n\n")[0])


@pytest.mark.parametrize(("page", "name", "arguments"), PLACES)
def test_every_place_is_filled(page: str, name: str, arguments: list[str]) -> None:
    made = MADE[name](*arguments)
    assert made.strip()
    for table in re.findall(r"(?:^\|.*\n?)+", made, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1, table


def test_every_maker_is_used() -> None:
    assert {name for _, name, _ in PLACES} == set(MADE)


def test_the_planes_hold_what_the_table_says() -> None:
    table = rows(MADE["planes"]())
    assert [row[:2] for row in table] == [[str(plane), name] for plane, name in enumerate(PLANE_NAMES)]
    assert all(row[2] for row in table)
    games = batch.new(64, "sut", seed=4)
    on_squares = {*range(MEN_PLANES), PLANE_NAMES.index("first-move rights")}
    for _ in range(30):
        batch.random_play(games, 17)
        planes = batch.observe(games)
        for plane, (_, name, _, values) in enumerate(table):
            seen = planes[:, plane]
            if values == "0 or 1":
                assert set(np.unique(seen)) <= {0, 1}, name
            else:
                low, high = map(float, values.split(".. "))
                assert low <= seen.min() <= seen.max() <= high
            if plane not in on_squares:
                assert (seen == seen[:, :1, :1]).all(), name


def test_the_numbers_of_actions() -> None:
    spans = [[int(number) for number in row[0].split(" .. ")] for row in rows(MADE["actions"]())]
    assert [span[0] for span in spans] == [0, *(span[-1] + 1 for span in spans[:-1])]
    assert spans[-1][-1] == NUM_ACTIONS - 1


def test_the_card() -> None:
    card = {row[0]: row[1] for row in rows(MADE["card"]())}
    assert card["Parallel API"].startswith("No")
    assert card["Action Values"] == f"Discrete({NUM_ACTIONS})"
    assert card["Observation Shape"].startswith(f"({NUM_PLANES}, 8, 8), float32")


def test_every_termination_is_told() -> None:
    assert [row[:2] for row in rows(MADE["terminations"]())] == [[str(kind.value), kind.name] for kind in Termination]


def infos_in_turn() -> Iterator[dict[str, Any]]:
    """Yield the infos of random games of two agents, in which a count begins."""
    env = makruk_v0.env(fen="8/8/8/4k3/8/2K5/2m4R/8 w - - 0 61")
    for seed in range(10):
        env.reset()
        for agent in env.possible_agents:
            env.action_space(agent).seed(seed)
        for agent in env.agent_iter():
            yield from env.infos.values()
            observation, _, termination, truncation, _ = env.last()
            done = termination or truncation
            env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))


def infos_of_one(name: str) -> Iterator[dict[str, Any]]:
    """Yield the infos of games of one agent that always takes its first legal action."""
    env: Any = gymnasium.make(f"makruk_env:{name}", start="ending").unwrapped
    for seed in range(10):
        _, info = env.reset(seed=seed)
        while not info["termination"]:
            yield info
            info = env.step(int(env.action_masks().argmax()))[-1]
        yield info


FACES = {
    "aec": infos_in_turn,
    "single": partial(infos_of_one, "Makruk-v0"),
    "selfplay": partial(infos_of_one, "MakrukSelfPlay-v0"),
}


@pytest.mark.parametrize("face", FACES)
def test_infos_lie_in_their_ranges(face: str) -> None:
    keys = [row[0] for row in rows(MADE["infos"](face))]
    allowed = {"to_play": {0, 1}, "colour": {0, 1}, "count_kind": {0, 1, 2}, "repetition": set(range(101))}
    for info in FACES[face]():
        assert list(info) == keys
        for key, value in info.items():
            assert type(value) is int
            assert value >= 0
            assert value in allowed.get(key, {value}), key
        assert info["count_limit"] <= 64
        assert bool(info["count_kind"]) == bool(info["count_limit"])
        assert info["termination"] == 0 or Termination(info["termination"])


def test_infos_that_are_told_exist() -> None:
    assert set(INFOS) == {row[0] for face in FACES for row in rows(MADE["infos"](face))}


def test_every_agent_is_told() -> None:
    assert re.findall(r"^### `(\w+)`$", MADE["agents"](), re.MULTILINE) == list(AGENTS)


def test_the_page_tells_all_modes() -> None:
    modes = [row[0].strip('"') for row in page_rows("environments.md", "`render_mode`")]
    assert sorted(modes) == ["None", *sorted(MODES)]
    kinds = [row[0].strip('"') for row in page_rows("environments.md", "`observation`")]
    assert kinds == list(get_args(Observation))
    told = [re.findall(r'`"?(\w+)"?`', f"`{row[0]}`") for row in page_rows("environments.md", "`autoreset_mode`")]
    assert told == [[mode.name, mode.value] for mode in AutoresetMode]


def test_the_page_tells_all_parts_of_the_benchmarks() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (DOCS.parent / "benchmarks").glob("*.py"))
    tables = re.findall(r"^PARTS: .*= \{\n((?:    .*\n)+)\}", sources, re.MULTILINE)
    parts = {part for table in tables for part in re.findall(r'"(\w+)":', table)}
    assert {row[0] for row in page_rows("performance.md", "part |")} == parts
