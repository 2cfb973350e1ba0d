"""Positions with something to see, and the reading of SVG texts, for the tests of pictures."""

import xml.etree.ElementTree as ET
from typing import NamedTuple

from makruk_env import Board
from makruk_env.render.svg import View

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
OPEN_BOARD = "3k4/2m5/8/8/3KS3/4R3/8/8 w - - 0 40"
PIECES_COUNT = "8/4k3/8/8/2R5/2K5/8/8 b - 32 26 50"
WHITE_MATES = "k7/8/1K6/8/8/8/8/M6R w - - 0 1"
PROMOTES = "3k4/2m5/8/4P3/3KS3/4R3/1n6/8 w - - 0 40"


class Drawn(NamedTuple):
    """A man in a picture: what it is called, and the corner of its box."""

    name: str
    corner: tuple[float, float]


def played(fen: str | None = None, *texts: str, rules: str = "ttakji") -> Board:
    """Return a game after some moves given as UCI texts."""
    board = Board(fen, rules)
    for text in texts:
        board.push_uci(text)
    return board


def read(text: str) -> ET.Element:
    """Return the root of an SVG text, which must be well-formed."""
    return ET.fromstring(text)


def layer(text: str, name: str) -> list[ET.Element]:
    """Return the elements of a layer, none where it is not there."""
    return [element for group in read(text).findall(f"{SVG}g") if group.get("class") == name for element in group]


def men(text: str) -> dict[str, Drawn]:
    """Return the men of a picture by the names of their squares."""
    found = {}
    for use in layer(text, "men"):
        colour, kind, square = use.attrib["class"].split()
        assert use.attrib[HREF] == f"#makruk-{kind}"
        found[square] = Drawn(f"{colour} {kind}", (float(use.attrib["x"]), float(use.attrib["y"])))
    assert len(found) == len(layer(text, "men"))
    return found


def marked(text: str) -> dict[str, str]:
    """Return the coloured squares of a picture: what each is coloured for."""
    return {square: what for what, square in (mark.attrib["class"].split() for mark in layer(text, "marks"))}


def said(text: str) -> list[str]:
    """Return the texts of the strip."""
    return [element.attrib["aria-label"] for element in layer(text, "strip")]


def pixel(view: View, square: str, x: float, y: float) -> tuple[int, int]:
    """Return row and column of a point of a square, White below; x and y in 0 .. 1 from its upper left corner."""
    left, top, side = view.place
    scale = view.size / 400
    file, rank = "abcdefgh".index(square[0]), int(square[1]) - 1
    return int((top + side * (7 - rank + y)) * scale), int((left + side * (file + x)) * scale)


def colour(text: str) -> tuple[int, ...]:
    """Return the channels of #rrggbb."""
    return tuple(bytes.fromhex(text.removeprefix("#")))
