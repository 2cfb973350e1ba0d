"""The pages against the program: the examples of all; positions, boards and tables of the page of rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import pytest

from makruk_env import Board, Rules
from makruk_env.rules import MATERIAL_OPTIONS, OPTIONS, PRESETS
from tests.oracle import PRESETS as ORACLE_PRESETS

DOCS = Path(__file__).parents[1] / "docs"
FENCE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
EXAMPLES = [
    pytest.param(code, id=f"{path.relative_to(DOCS)} {number}")
    for path in sorted(DOCS.rglob("*.md"))
    for number, code in enumerate(FENCE.findall(path.read_text(encoding="utf-8")), start=1)
]
LONGEST_LINE = 92
"""Of an example, in characters: what is seen of it without scrolling."""
PAGE = (DOCS / "rules.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+) ?(\w*)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
"""Every fenced block: its language, the preset named behind it, its text."""
FENS = [(fen, rules or "ttakji") for language, rules, text in BLOCKS if language == "fen" for fen in text.splitlines()]
BOARDS = [
    (text.rstrip("\n"), below[2].splitlines()[0], below[1] or "ttakji")
    for (language, _, text), below in pairwise(BLOCKS)
    if language == "text" and text.startswith("8 ")
]
"""Every drawn board with the FEN below it."""
SECTIONS = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##)", PAGE, re.DOTALL | re.MULTILINE))
"""What is said of each option."""
OPTION_NAMES = [field.name for field in fields(Rules) if field.name != "name"]
MOST_NODES = 10_000_000


def rows(header: str) -> list[list[str]]:
    """Return the cells of the table whose header begins so, the backquotes around a whole cell taken off."""
    found = re.search(rf"^\| {re.escape(header)}.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert found, header
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in found[1].splitlines()]


def rules_of(text: str) -> Rules:
    """Return the rules named in a table: a preset, or one option of the default preset."""
    option, is_option, value = text.partition("=")
    return Rules.preset("ttakji", **{option: value.strip('"')}) if is_option else Rules.of(text)


def written(value: object) -> str:
    """Return an option's value as the table of presets has it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (tuple, frozenset)):
        return ", ".join(sorted(value))
    return str(value) or "none"


def preset_table(presets: Mapping[str, Mapping[str, object]]) -> list[list[str]]:
    """Return the rows that the table of presets must have."""
    return [[option, *(written(options[option]) for options in presets.values())] for option in OPTION_NAMES]


@pytest.mark.parametrize(("fen", "rules"), FENS)
def test_every_fen_is_read_and_written_back(fen: str, rules: str) -> None:
    assert Board(fen, rules).fen() == fen


@pytest.mark.parametrize(("drawn", "fen", "rules"), BOARDS)
def test_every_board_is_drawn_as_its_fen_says(drawn: str, fen: str, rules: str) -> None:
    assert drawn == str(Board(fen, rules))


@pytest.mark.parametrize("code", EXAMPLES)
def test_every_python_example_runs(
    code: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "example", "exec"), {"__name__": "example"})
    assert capsys.readouterr().out


def test_the_pages_have_examples_that_can_be_read() -> None:
    assert len(EXAMPLES) >= 20
    for example in EXAMPLES:
        assert max(map(len, str(example.values[0]).splitlines())) <= LONGEST_LINE, example.id


def test_the_page_has_its_examples() -> None:
    assert len(FENS) >= 10
    assert len(BOARDS) >= 5
    assert {language for language, _, _ in BLOCKS} == {"text", "fen", "python", "pgn"}


def test_the_table_of_presets_is_that_of_the_program() -> None:
    presets = {name: {option: getattr(rules, option) for option in OPTION_NAMES} for name, rules in PRESETS.items()}
    assert rows("option |") == preset_table(presets)


def test_the_table_of_presets_is_that_of_the_oracle() -> None:
    assert rows("option |") == preset_table(ORACLE_PRESETS)


def test_every_option_is_told_with_all_its_values() -> None:
    assert list(SECTIONS) == OPTION_NAMES
    for option, values in {**OPTIONS, "material": MATERIAL_OPTIONS}.items():
        told = re.findall(r"^\| `(\w+)` \|", SECTIONS[option], re.MULTILINE)
        assert sorted(told) == sorted(values), option


@pytest.mark.parametrize("cells", rows("position | rules | 1"), ids=lambda cells: f"{cells[1]} {cells[0]}")
def test_move_counts(cells: list[str]) -> None:
    fen, rules, *counts = cells
    board = Board(fen, rules_of(rules))
    expected = [int(count.replace(",", "")) for count in counts if count]
    assert len(expected) >= 3
    for depth, nodes in enumerate(expected, start=1):
        if nodes <= MOST_NODES:
            assert board.perft(depth) == nodes


@pytest.mark.parametrize(("fen", "rules", "move", "after"), rows("position | rules | move"))
def test_counts_after_a_move(fen: str, rules: str, move: str, after: str) -> None:
    board = Board(fen, rules)
    board.push_uci(move)
    assert " ".join(board.fen().split()[1:5]) == after


def test_the_pgn_example_is_read(tmp_path: Path) -> None:
    from makruk_env import pgn

    file = tmp_path / "example.pgn"
    file.write_text(next(text for language, _, text in BLOCKS if language == "pgn"), encoding="utf-8")
    (game,) = pgn.read(file)
    assert (game.error, game.result, len(game.moves)) == (None, "1-0", 27)
    board = game.start.copy()
    for move in game.moves:
        board.push(move)
    assert board.outcome is not None
    assert board.outcome.winner == 0
