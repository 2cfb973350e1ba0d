"""PGN as text: a file cut into games, their headers and the texts of their moves; and the way back.

What the moves mean is not known here. Of all comments only the commands `[%count start]` and `[%count stop]` are read,
which stand among the moves as `start` and `stop`. Other comments, variations, NAGs, move numbers and lines that begin
with % are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from makruk_env.errors import PgnError

RESULTS = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "½-½": "1/2-1/2", "*": "*"}
"""Each text of a result and what it is read as."""
WIDTH = 80

_NAME = r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*"
_HEADER = re.compile(rf'\s*\[\s*({_NAME})\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_BARE_QUOTES = re.compile(rf'\s*\[\s*({_NAME})\s+"(.*)"\s*\]\s*')  # what programs write that know no escapes
_TOKEN = re.compile(r";.*|[{}()]|\$\d*|[^\s{}();$]+")
_NUMBER = re.compile(r"(\d*)(?:[.…]+|$)")
_GLYPHS = re.compile(r"[!?]+")
COMMAND = re.compile(r"\[%count\s+(start|stop)\s*\]")


@dataclass
class GameText:
    """One game as it stands in a file, whose lines are counted from 1.

    header_lines: the line of each header; moves: [(line, text)], the declarations among them; result: what ends the
    movetext, or None; fault: (line, what is wrong) of the first thing that cannot be read; no move behind it is kept.
    """

    line: int
    headers: dict[str, str] = field(default_factory=dict)
    header_lines: dict[str, int] = field(default_factory=dict)
    moves: list[tuple[int, str]] = field(default_factory=list)
    result: str | None = None
    fault: tuple[int, str] | None = None

    def blame(self, line: int, what: str) -> None:
        """Note a fault, if it is the first."""
        self.fault = self.fault or (line, what)

    def add(self, line: int, move: str) -> None:
        """Add a move, unless a fault or the result stands before it."""
        if self.result:
            self.blame(line, f"expected a header behind the result {self.result}, got {move!r}")
        if not self.fault:
            self.moves.append((line, move))


class _Cutter:
    """Takes a file line by line and cuts it into games."""

    def __init__(self) -> None:
        self.line = 0
        self._reset()

    def _reset(self) -> None:
        self.game: GameText | None = None
        self.begun = False  # whether movetext has been seen
        self.gap = False  # whether a blank line has been seen since the last header
        self.comment: list[str] | None = None  # the lines of an open comment
        self.comment_line = 0
        self.variations: list[int] = []  # where each open variation begins

    def take(self, line: str) -> Iterator[GameText]:
        """Take one line, yield the games that it shows to be complete."""
        self.line += 1
        if self.comment is not None and line.startswith('[Event "'):
            yield from self.finish()
        if self.comment is not None:
            yield from self._take_movetext(line)
        elif not line.strip():
            self.gap = True
        elif line.lstrip().startswith("["):
            yield from self._take_headers(line)
        elif not line.startswith("%"):
            yield from self._take_movetext(line)

    def finish(self) -> Iterator[GameText]:
        """Yield the game that is open, if there is one, and what it lacks."""
        if self.comment is not None:
            self._open_game().blame(self.comment_line, "expected a } behind the {, got none")
        elif self.variations:
            self._open_game().blame(self.variations[0], "expected a ) behind the (, got none")
        game = self.game
        self._reset()
        if game:
            yield game

    def _open_game(self) -> GameText:
        self.game = self.game or GameText(self.line)
        return self.game

    def _take_headers(self, line: str) -> Iterator[GameText]:
        """Take a line of headers; behind movetext it begins a game, and so does a second Event, or a name that was told
        before a blank line."""
        pairs, at = [], 0
        while match := _HEADER.match(line, at):
            pairs.append(match.groups())
            at = match.end()
        if at < len(line):
            whole = _BARE_QUOTES.fullmatch(line)
            pairs = [whole.groups()] if whole else []
        told = self.game.headers if self.game else {}
        if self.begun or any(name in told and (self.gap or name == "Event") for name, _ in pairs):
            yield from self.finish()
        self.gap = False
        game = self._open_game()
        for name, value in pairs:
            game.headers[name] = re.sub(r'\\(["\\])', r"\1", value)
            game.header_lines[name] = self.line
        if not pairs:
            game.blame(self.line, f'expected a header like [White "Name"], got {line.strip()!r}')

    def _take_movetext(self, line: str) -> Iterator[GameText]:
        at = 0
        while at < len(line):
            if self.comment is not None:
                end = line.find("}", at)
                self.comment.append(line[at:] if end < 0 else line[at:end])
                at = len(line) if end < 0 else end + 1
                if end >= 0:
                    self._close_comment()
            elif match := _TOKEN.search(line, at):
                yield from self._take_token(match.group())
                at = match.end()
            else:
                return

    def _close_comment(self) -> None:
        commands = COMMAND.findall(" ".join(self.comment or ()))
        self.comment = None
        for command in commands if not self.variations else ():
            self.begun = True
            self._open_game().add(self.line, command)

    def _take_token(self, token: str) -> Iterator[GameText]:
        if token == "{":
            self.comment, self.comment_line = [], self.line
        elif token == "(":
            self.begun = True
            self.variations.append(self.line)
        elif token == ")" and self.variations:
            self.variations.pop()
        elif token in (")", "}"):
            self.begun = True
            self._open_game().blame(self.line, f"expected movetext, got a {token} that nothing opened")
        elif not self.variations and token[0] not in ";$":
            yield from self._take_word(token)

    def _take_word(self, word: str) -> Iterator[GameText]:
        """Take a result, or a move or its number or both; behind a result, number 1 begins a game without headers."""
        result = RESULTS.get(word)
        number = None if result else _NUMBER.match(word)
        if number and number.group(1) == "1" and self.game and self.game.result:
            yield from self.finish()
        self.begun = True
        game = self._open_game()
        move = word[number.end() :] if number else word
        if result and game.result in (None, result):
            game.result = result
        elif move and not _GLYPHS.fullmatch(move):
            game.add(self.line, move)


def read(lines: Iterable[str]) -> Iterator[GameText]:
    """Cut the lines of a PGN file into games, one at a time; nothing is raised, a game tells its own fault."""
    cutter = _Cutter()
    for line in lines:
        yield from cutter.take(line.lstrip("\ufeff").rstrip("\r\n"))
    yield from cutter.finish()


def write(headers: Mapping[str, str], words: Iterable[str]) -> str:
    """Return the text of one game, with a blank line behind it; no line of movetext is longer than WIDTH.

    words: move numbers, moves, comments and the result, none of which is torn. A line break in a header becomes a
    space.
    Raises `PgnError` for a header's name that PGN does not take.
    """
    lines = []
    for name, value in headers.items():
        if not re.fullmatch(_NAME, name):
            raise PgnError(f"header: expected a name of letters, digits and _+#=:-, got {name!r}")
        escaped = re.sub(r"[\r\n]+", " ", value).replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'[{name} "{escaped}"]')
    lines.append("")
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line, "", ""])
