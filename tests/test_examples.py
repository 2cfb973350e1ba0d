"""The examples, as far as this environment can run them: their libraries are installed elsewhere, one in each place."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from makruk_env import Board, makruk_v0

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = sorted(FOLDER.glob("*_*.py"))
REQUIREMENTS = sorted((FOLDER / "requirements").glob("*.txt"))
MOST_LINES = 150
PIN = re.compile(r"([A-Za-z0-9-]+)(?:\[[a-z,]+\])?==(\d[0-9.]*)")
NEEDED_BY_US = {"gymnasium", "numba", "numpy", "pettingzoo", "platformdirs", "torch"}

each_example = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module that the examples share, imported as they do."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("arena")


def pins(path: Path) -> dict[str, str]:
    """Return the versions of a requirements file."""
    lines = [line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    found = [PIN.fullmatch(line) for line in lines if line]
    assert all(found), f"{path.name}: every line has one exact version"
    return {match[1]: match[2] for match in found if match}


def first_legal(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return masks.argmax(1)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 6


def test_each_example_has_its_requirements() -> None:
    assert [path.stem for path in REQUIREMENTS] == [path.stem for path in EXAMPLES]


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.stem)
def test_requirements_are_exact_and_name_what_the_package_needs(path: Path) -> None:
    assert pins(path).keys() >= NEEDED_BY_US


@each_example
def test_the_file_compiles_and_is_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    compile(text, path.name, "exec")
    assert len(text.splitlines()) < MOST_LINES


@each_example
def test_what_it_takes_from_here_is_there(path: Path, arena: ModuleType) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module in ("makruk_env", "arena"):
            module = importlib.import_module(node.module)
            for alias in node.names:
                found = hasattr(module, alias.name) or importlib.import_module(f"{node.module}.{alias.name}")
                assert found, alias.name


@each_example
def test_the_table_tells_its_versions(path: Path) -> None:
    table = (FOLDER / "README.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| \[{path.stem}\.py\].*$", table, re.MULTILINE)
    versions = pins(FOLDER / "requirements" / f"{path.stem}.txt")
    told = dict(re.findall(r"([a-z0-9-]+) (\d+\.\d+[0-9.]*\d)", row))
    assert told
    assert told.items() <= versions.items()


def test_the_board_in_the_text_is_that_of_the_race(arena: ModuleType) -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    drawn = "\n".join(line[4:] for line in text.splitlines() if re.match(r"    (\d|  a) ", line))
    assert drawn == str(Board(arena.RACE, arena.RULES))


def test_an_even_match_is_even(arena: ModuleType) -> None:
    rng = np.random.default_rng(0)

    def uniform(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])

    assert arena.score(uniform, games=40, seed=0) == pytest.approx(0.5, abs=0.1)


def test_a_match_asks_for_legal_actions_only_and_is_repeatable(arena: ModuleType) -> None:
    asked = []

    def watched(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        asked.append((planes.shape[1:], masks.any(1).all()))
        return first_legal(planes, masks)

    assert arena.score(watched, games=10, seed=3) == arena.score(first_legal, games=10, seed=3)
    assert set(asked) == {((26, 8, 8), True)}


def test_there_is_a_mate_in_one_where_it_is_said(arena: ModuleType) -> None:
    def mates(fen: str) -> list[str]:
        board = Board(fen, arena.RULES)
        found = []
        for move in board.legal_moves:
            after = board.copy()
            after.push(move)
            if after.outcome and after.outcome.winner == board.turn:
                found.append(move.uci())
        return found

    assert mates(arena.NEARLY_WON) == ["b1b8"]
    assert mates(arena.RACE) == []


def test_training_starts_are_games_that_go_on(arena: ModuleType) -> None:
    env = arena.TrainingStarts(makruk_v0.env(rules=arena.RULES), seed=0)
    starts = []
    for _ in range(50):
        env.reset()
        starts.append(env.unwrapped.board.fen())
        assert env.agents
    assert len(set(starts)) > 10
    env.reset(seed=5)
    first = env.unwrapped.board.fen()
    env.reset(seed=5)
    assert env.unwrapped.board.fen() == first
    env.reset(options={"fen": arena.RACE})
    assert env.unwrapped.board.fen() == Board(arena.RACE, arena.RULES).fen()


def test_every_example_ends_with_the_report(capsys: pytest.CaptureFixture[str], arena: ModuleType) -> None:
    arena.report(0.5, 0.914, 100)
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["score against random before: 0.50 (200 games)", "score against random after: 0.91 (200 games)"]
    for path in EXAMPLES:
        assert "    report(before, score(play, args.games, args.seed), args.games)\n" in path.read_text(
            encoding="utf-8"
        )


@pytest.mark.slow
def test_the_example_without_a_library_runs() -> None:
    command = [sys.executable, str(FOLDER / "cleanrl_ppo.py"), "--seconds", "0.1", "--games", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].startswith("score against random after: ")
    told = subprocess.run([*command[:2], "--help"], capture_output=True, text=True, check=True).stdout
    assert all(option in told for option in ("--seconds", "--seed", "--games"))
