"""The drawing of a position: well-formed, every man on its square, everything shown that was asked for."""

import re
from typing import Any

import pytest

from makruk_env import Board, Colour, RenderError, Termination
from makruk_env.render import svg
from makruk_env.render.artwork import MEN
from makruk_env.render.glyphs import GLYPHS
from makruk_env.rules import CountKind
from tests.render.pictures import (
    HREF,
    OPEN_BOARD,
    PIECES_COUNT,
    PROMOTES,
    SVG,
    WHITE_MATES,
    layer,
    marked,
    men,
    played,
    read,
    said,
)

FILES = "abcdefgh"
NAMES = dict(zip("kmsnrp", ("khun", "met", "khon", "ma", "ruea", "bia"), strict=True))


def told(board: Board) -> dict[str, str]:
    """Return the men by their squares as the text of a board tells them."""
    found = {}
    for row in str(board).splitlines()[:8]:
        for file, letter in zip(FILES, row.split()[1:], strict=True):
            if letter != ".":
                found[file + row[0]] = f"{'white' if letter.isupper() else 'black'} {NAMES[letter.lower()]}"
    return found


@pytest.mark.parametrize("fen", [None, OPEN_BOARD, PIECES_COUNT, PROMOTES])
@pytest.mark.parametrize("orientation", list(Colour))
def test_every_man_stands_on_its_square(fen: str | None, orientation: Colour) -> None:
    board = Board(fen)
    drawn = men(svg.board(board, orientation=orientation))
    assert {square: man.name for square, man in drawn.items()} == told(board)
    for square, man in drawn.items():
        column, row = FILES.index(square[0]), 8 - int(square[1])
        if orientation == Colour.BLACK:
            column, row = 7 - column, 7 - row
        assert man.corner == (100 * column, 100 * row)


@pytest.mark.parametrize("size", [64, 200, 333, 801])
@pytest.mark.parametrize("shape", [{}, {"strip": False}, {"strip": False, "coordinates": False}])
def test_the_size_is_what_was_asked_for(size: int, shape: dict[str, bool]) -> None:
    root = read(svg.board(Board(), size=size, **shape))
    assert (root.tag, root.get("width"), root.get("height")) == (f"{SVG}svg", str(size), str(size))


@pytest.mark.parametrize("strip", [True, False])
@pytest.mark.parametrize("coordinates", [True, False])
def test_the_board_lies_inside_the_picture(strip: bool, coordinates: bool) -> None:
    left, top, side = svg.View(strip=strip, coordinates=coordinates).place
    assert min(left, top) > 0
    assert max(left, top) + 8 * side < svg.SIDE


def test_everything_referred_to_is_defined_and_nothing_else() -> None:
    for board in (Board(), Board(PIECES_COUNT), played(WHITE_MATES, "h1h8")):
        root = read(svg.board(board))
        used = {use.attrib[HREF].removeprefix("#") for use in root.iter(f"{SVG}use")}
        assert used == {definition.attrib["id"] for definition in root.findall(f"{SVG}defs/*")}


def test_nothing_depends_on_a_font_or_a_style() -> None:
    tags = {element.tag.removeprefix(SVG) for element in read(svg.board(Board(PIECES_COUNT))).iter()}
    assert tags == {"svg", "defs", "g", "path", "rect", "use"}


def test_the_seven_men_are_seven_drawings() -> None:
    assert len(MEN) == len({man.outline for man in MEN.values()}) == 7
    for man in MEN.values():
        assert re.fullmatch(r"M[-MLCQZ\d. ]+Z", man.outline)


def test_light_and_dark_men_differ_in_fill_and_outline() -> None:
    uses = layer(svg.board(Board()), "men")
    white, black = (
        {(use.get("fill"), use.get("stroke")) for use in uses if side in use.attrib["class"]}
        for side in ("white", "black")
    )
    assert white == {(svg.FILLS[0], svg.STROKES[0])}
    assert black == {(svg.FILLS[1], svg.STROKES[1])}
    assert not set(svg.FILLS) & set(svg.STROKES)


@pytest.mark.parametrize("orientation", list(Colour))
def test_coordinates(orientation: Colour) -> None:
    def place(element: Any) -> tuple[float, float]:
        x, y = re.findall(r"[\d.]+", element.attrib["transform"])[:2]
        return float(x), float(y)

    texts = {
        element.attrib["aria-label"]: place(element)
        for element in layer(svg.board(Board(), orientation=orientation), "coordinates")
    }
    assert sorted(texts) == sorted("abcdefgh12345678")
    files = sorted("abcdefgh", key=lambda file: texts[file][0])
    ranks = sorted("12345678", key=lambda rank: -texts[rank][1])
    assert ("".join(files), "".join(ranks)) == (
        ("abcdefgh", "12345678") if orientation == Colour.WHITE else ("hgfedcba", "87654321")
    )
    assert not layer(svg.board(Board(), coordinates=False), "coordinates")


def test_the_last_move_is_marked() -> None:
    assert marked(svg.board(Board())) == {}
    assert marked(svg.board(played(None, "e3e4", "d6d5"))) == {"d6": "last", "d5": "last"}
    assert marked(svg.board(played(None, "e3e4"), last_move=False)) == {}
    declared = played(OPEN_BOARD, "e3e2", "start")
    assert marked(svg.board(declared)) == {"e3": "last", "e2": "last"}


def test_check_is_shown_on_the_khun() -> None:
    board = played(OPEN_BOARD, "e3d3")
    assert "check" not in marked(svg.board(board)).values()
    board = played(PIECES_COUNT, "e7e8", "c4e4")
    assert marked(svg.board(board)) == {"c4": "last", "e4": "last", "e8": "check"}
    assert marked(svg.board(board, check=False)) == {"c4": "last", "e4": "last"}
    assert marked(svg.board(played(WHITE_MATES, "h1h8")))["a8"] == "check"


def test_the_strip_tells_turn_count_and_end() -> None:
    assert said(svg.board(Board())) == ["White to move, move 1"]
    pieces = svg.board(Board(PIECES_COUNT))
    assert said(pieces) == ["Black to move, move 50", "Pieces count 13 of 16"]
    assert [use.attrib["class"] for use in layer(pieces, "counter")[0]] == ["black khun"]
    declared = svg.board(played(OPEN_BOARD, "start", "e3e2"))
    assert said(declared) == ["Black to move, move 40", "Board count 1 of 64"]
    assert [use.attrib["class"] for use in layer(declared, "counter")[0]] == ["white khun"]
    assert said(svg.board(played(WHITE_MATES, "h1h8")))[0] == "White wins: checkmate"
    without = svg.board(Board(PIECES_COUNT), strip=False)
    assert not layer(without, "strip") + layer(without, "bar") + layer(without, "counter")


def test_the_bar_grows_with_the_count() -> None:
    widths = [
        [float(bar.attrib["width"]) for bar in layer(svg.board(board), "bar")]
        for board in (Board(PIECES_COUNT), played(OPEN_BOARD, "start", "e3e2"))
    ]
    for (whole, done), part in zip(widths, (13 / 16, 1 / 64), strict=True):
        assert done == pytest.approx(whole * part, abs=0.01)


def test_all_that_can_be_said_can_be_written() -> None:
    words = [end.name.replace("_", " ").lower() for end in Termination] + [kind.name.capitalize() for kind in CountKind]
    words += ["White wins: ", "Black wins: ", "Draw: ", "to move, move 0123456789", "count of", "Cut short after moves"]
    assert set("".join(words)) - {" "} <= set(GLYPHS)


def test_promoted_bia() -> None:
    board = played(PROMOTES, "e5e6m")
    assert men(svg.board(board))["e6"].name == "white bia-ngai"
    assert men(svg.board(board))["c7"].name == "black met"
    assert men(svg.board(board, promoted=[]))["e6"].name == "white met"
    assert men(svg.board(board, promoted=[50, 44]))["c7"].name == "black bia-ngai"
    assert men(svg.board(Board(board.fen())))["e6"].name == "white met"


def test_arrows_and_shades() -> None:
    text = svg.board(Board(), arrows=[(12, 28, 0.25), (1, 18, 1.0), (2, 11, "#ff0000")], shades={0: 0.5, 63: "gold"})
    light, heavy, red = layer(text, "arrows")
    assert [arrow.attrib["class"] for arrow in (light, heavy, red)] == ["arrow e2 e4", "arrow b1 c3", "arrow c1 d2"]
    assert float(light.attrib["fill-opacity"]) < float(heavy.attrib["fill-opacity"])
    assert (light.attrib["fill"], red.attrib["fill"]) == (svg.ARROW, "#ff0000")
    assert marked(text) == {"a1": "shade", "h8": "shade"}
    assert [mark.attrib["fill"] for mark in layer(text, "marks")] == [svg.SHADE, "gold"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"size": 0}, "size: .*0"),
        ({"size": 400.0}, "size: .*400.0"),
        ({"orientation": 2}, "orientation: .*2"),
        ({"arrows": [(12, 28, 1.5)]}, "weight: .*1.5"),
        ({"arrows": [(12, 28, float("nan"))]}, "weight: .*nan"),
        ({"arrows": [(12, 12, 1.0)]}, "arrow: .*e2"),
        ({"arrows": [(12, 64, 1.0)]}, "square: .*64"),
        ({"shades": {-1: 1.0}}, "square: .*-1"),
        ({"shades": {0: '"/><script>'}}, "colour: .*script"),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_name(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(RenderError, match=message):
        svg.board(Board(), **arguments)


def test_a_board_shows_itself_in_notebooks() -> None:
    board = played(None, "e3e4")
    assert board._repr_svg_() == svg.board(board)
