"""One scenario, its line in the file, and the same scenario with White and Black changed about."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import cycle, islice

Rules = str | dict[str, object]
DECLARATIONS = ("start", "stop")
ON: dict[str, object] = {"result": "*", "termination": None}
_TURNED_WORD = {"White": "Black", "Black": "White", "1-0": "0-1", "0-1": "1-0"}
_TURNED_TEXT = re.compile(r"White|Black|1-0|0-1|\b[a-h][1-8](?:[a-h][1-8])?m?\b|\brank [1-8]\b|\b[a-h]-file\b")


@dataclass(frozen=True)
class Scenario:
    """A game of a few actions and what must hold after the last of them.

    rules: a preset's name, or its name under "preset" with the options that differ; fen: None for the usual start;
    expect: any of result, termination, count, fen, legal, legal_has, legal_lacks, check and error.
    """

    name: str
    why: str
    rules: Rules
    fen: str | None
    actions: tuple[str, ...]
    expect: dict[str, object]

    def line(self) -> str:
        """Return the scenario as one line of JSON."""
        fields = {name: getattr(self, name) for name in ("name", "why", "rules", "fen", "actions", "expect")}
        return json.dumps(fields, ensure_ascii=False)


def scenario(name: str, why: str, rules: Rules, fen: str | None, actions: str = "", /, **expect: object) -> Scenario:
    """Return a scenario whose actions are given as one text with blanks between them."""
    return Scenario(name, why, rules, fen, tuple(actions.split()), expect)


def options(preset: str, **changes: object) -> Rules:
    """Return a preset's name, or the preset with some options changed."""
    return {"preset": preset, **changes} if changes else preset


def drawn(termination: str) -> dict[str, object]:
    """Return what a drawn game is expected to say."""
    return {"result": "1/2-1/2", "termination": termination}


def won(result: str, termination: str) -> dict[str, object]:
    """Return what a game with a winner is expected to say; result: 1-0 or 0-1."""
    return {"result": result, "termination": termination}


def around(moves: str, plies: int) -> str:
    """Return the first `plies` moves of a round of moves that is repeated without end."""
    return " ".join(islice(cycle(moves.split()), plies))


def both_ways(scenarios: Iterable[Scenario]) -> Iterator[Scenario]:
    """Yield each scenario, then the same with White and Black changed about."""
    for one in scenarios:
        yield one
        yield turned(one)


def alternating(scenarios: Iterable[Scenario]) -> Iterator[Scenario]:
    """Yield every second scenario with White and Black changed about."""
    for index, one in enumerate(scenarios):
        yield turned(one) if index % 2 else one


def turned(one: Scenario) -> Scenario:
    """Return a scenario seen from the other side: the board turned by 180 degrees, White and Black changed about."""
    if one.fen is None:
        raise ValueError(f"{one.name}: the usual start has White to move, so it cannot be turned")
    moves = sum(action not in DECLARATIONS for action in one.actions)
    fen = _turned_fen(one.fen)
    side, number = fen.split()[1], int(fen.split()[5])
    ply = 2 * (number - 1) + (side == "b") + moves
    return replace(
        one,
        name=f"{one.name}, turned",
        why=_turned_text(one.why),
        rules=_turned_rules(one.rules),
        fen=fen,
        actions=tuple(_turned_text(action) for action in one.actions),
        expect={key: _turned_expectation(key, value, ply // 2 + 1) for key, value in one.expect.items()},
    )


def _turned_expectation(key: str, value: object, move_number: int) -> object:
    if key == "result":
        return _turned_text(str(value)) if value != "1/2-1/2" else value
    if key == "count" and isinstance(value, list):
        kind, counter, number, limit = value
        return [kind, 1 - counter, number, limit]
    if key == "fen":
        fields = _turned_fen(str(value)).split()
        return " ".join([*fields[:5], str(move_number), *fields[6:]])
    if isinstance(value, list):
        return sorted(_turned_text(text) for text in value)
    return value


def _turned_text(text: str) -> str:
    return _TURNED_TEXT.sub(lambda found: _turned_part(found.group()), text)


def _turned_part(part: str) -> str:
    if part in _TURNED_WORD:
        return _TURNED_WORD[part]
    if part.startswith("rank "):
        return f"rank {9 - int(part[5:])}"
    if part.endswith("-file"):
        return _turned_file(part[0]) + "-file"
    return "".join(_turned_file(c) if c in "abcdefgh" else str(9 - int(c)) if c.isdigit() else c for c in part)


def _turned_file(file: str) -> str:
    return "hgfedcba"["abcdefgh".index(file)]


def _turned_fen(fen: str) -> str:
    men, side, rights, *rest = fen.split()
    squares = re.findall(r"[A-Za-z]~?|[1-8/]", men)
    homes = [_turned_file(letter.lower()) for letter in rights if rights != "-"]
    cases = [letter.islower() for letter in rights]
    white = sorted(file.upper() for file, to_white in zip(homes, cases, strict=False) if to_white)
    black = sorted(file for file, to_white in zip(homes, cases, strict=False) if not to_white)
    turned_rights = "".join(white + black) or "-"
    turned_men = "".join(square.swapcase() for square in reversed(squares))
    return " ".join([turned_men, "wb"[side == "w"], turned_rights, *rest])


def _turned_rules(rules: Rules) -> Rules:
    if isinstance(rules, str) or "tilted_ruea" not in rules:
        return rules
    raise ValueError(f"a handicap belongs to the usual start, which cannot be turned: {rules!r}")
