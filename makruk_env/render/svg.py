"""The one drawing of a position, as an SVG text; every other picture is made from it.

The picture is a square of `size` pixels, 400 units wide inside, whatever it shows. It is built of layers from the
bottom up, each a list of independent elements: an animation shows and hides elements, a still picture joins them.
Shapes are paths and nothing depends on a font, a gradient or a style sheet, so all programs draw them alike.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from makruk_env.errors import RenderError
from makruk_env.notation.uci import FILES, RANKS, square_name
from makruk_env.render import glyphs, scene, words
from makruk_env.render.artwork import LINE_WIDTH, MEN, OUTLINE_WIDTH, number
from makruk_env.render.scene import Arrow, Man, Scene
from makruk_env.rules import Colour

if TYPE_CHECKING:
    from makruk_env.board import Board
    from makruk_env.outcome import Count

SIDE = 400
"""The units of a picture's side."""
SQUARE = 100
"""The units of a square's side inside the layers of the board."""

LIGHT, DARK = "#efd7aa", "#dcb883"
LAST_LIGHT, LAST_DARK = "#e6d46a", "#d0b84c"
CHECK = "#e0644a"
FRAME, EDGE, LABEL = "#5f3a22", "#3b2214", "#f0dcb8"
TRACK, BAR, ENDED = "#875f40", "#f2c14e", "#ffd166"
SHADE, ARROW = "#3f78b5", "#2f6f4f"
FILLS = ("#fbf3e0", "#3d2a20")
"""What the men of either side are filled with."""
STROKES = ("#3a271a", "#f4e7cf")
"""Their outlines: dark round light men, light round dark ones."""
_BAR = (226.0, 393.5, 150.0, 3.0)
"""The bar of a count: left, top, width and height in units."""
_COUNT_HEIGHT = 9.0
_ROUND = 'stroke-linecap="round" stroke-linejoin="round"'


@dataclass(frozen=True, slots=True)
class View:
    """How a game is shown.

    size: width and height in pixels; orientation: the side that sits below, 0 White or 1 Black; coordinates: whether
    files and ranks are named; strip: whether turn, count and end are told below; last_move, check: whether they are
    marked. Raises `RenderError`.
    """

    size: int = 400
    orientation: int = Colour.WHITE
    coordinates: bool = True
    strip: bool = True
    last_move: bool = True
    check: bool = True

    def __post_init__(self) -> None:
        if type(self.size) is not int or not 8 <= self.size <= 8192:
            raise RenderError(f"size: expected a number of pixels from 8 to 8192, got {self.size!r}")
        if self.orientation not in (Colour.WHITE, Colour.BLACK):
            raise RenderError(f"orientation: expected 0 (White below) or 1 (Black below), got {self.orientation!r}")

    @property
    def place(self) -> tuple[int, int, int]:
        """Left and upper edge of the board, and the side of a square, in units: whole pixels at 200, 400, 800."""
        if self.strip:
            return 24, 8, 44
        return (16, 16, 46) if self.coordinates else (8, 8, 48)

    def corner(self, square: int) -> tuple[int, int]:
        """Return the upper left corner of a square inside the layers of the board. Raises `RenderError`."""
        if not 0 <= square < 64:
            raise RenderError(f"square: expected 0 (a1) to 63 (h8), got {square!r}")
        turned = square ^ (7 if self.orientation == Colour.BLACK else 56)
        return SQUARE * (turned % 8), SQUARE * (turned // 8)


@dataclass(frozen=True, slots=True)
class Layer:
    """Elements that lie on one level, in a group of these attributes."""

    attributes: str
    elements: list[str]


def board(
    board: Board,
    *,
    size: int = 400,
    orientation: int = Colour.WHITE,
    coordinates: bool = True,
    strip: bool = True,
    last_move: bool = True,
    check: bool = True,
    promoted: Iterable[int] | None = None,
    arrows: Iterable[Arrow] = (),
    shades: Mapping[int, float | str] | None = None,
) -> str:
    """Return a game as it stands now as an SVG text.

    The first six arguments are those of `View`, the others those of `scene.of`: promoted are the squares of mets to be
    drawn as promoted bia (by default those that promoted in this game), arrows `(from, to, weight or colour)`, shades
    a weight or a colour by square; weights lie in [0, 1]. Raises `RenderError`.
    """
    view = View(size, orientation, coordinates, strip, last_move, check)
    return draw(scene.of(board, promoted=promoted, arrows=arrows, shades=shades), view)


def draw(shown: Scene, view: View | None = None) -> str:
    """Return a scene as an SVG text."""
    view = view or View()
    return document(layers(shown, view), view.size)


def document(drawn: Iterable[Layer], size: int) -> str:
    """Return the SVG text of layers, with the definitions of the men and glyphs that they refer to."""
    groups = [f"<g {layer.attributes}>\n" + "\n".join(layer.elements) + "\n</g>" for layer in drawn if layer.elements]
    body = "\n".join(groups)
    names = sorted(set(re.findall(r'xlink:href="#makruk-([^"]+)"', body)))
    defs = "\n".join(_definition(name) for name in names)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' width="{size}" height="{size}" viewBox="0 0 {SIDE} {SIDE}">\n<defs>\n{defs}\n</defs>\n{body}\n</svg>\n'
    )


def _definition(name: str) -> str:
    if name in MEN:
        outline, lines = MEN[name]
        inner = f'<path d="{lines}" fill="none" stroke-width="{LINE_WIDTH}"/>'
        return f'<g id="makruk-{name}"><path d="{outline}"/>{inner}</g>'
    glyph = chr(int(name.removeprefix("glyph-")))
    return f'<path id="makruk-{name}" d="{glyphs.GLYPHS[glyph][1]}"/>'


def layers(shown: Scene, view: View) -> list[Layer]:
    """Return the layers of a picture, the lowest first."""
    left, top, square = view.place
    grid = f'transform="translate({left} {top})scale({square / SQUARE})"'
    crisp = 'shape-rendering="crispEdges"'
    text = f'fill="none" stroke="{LABEL}" stroke-width="{glyphs.STROKE_WIDTH}" {_ROUND}'
    drawn = [
        Layer(f'class="board" {grid} {crisp}', _squares(view)),
        Layer(f'class="marks" {grid} {crisp}', _marks(shown, view)),
        Layer(f'class="men" {grid} {man_attributes()}', [man(view, *at) for at in sorted(shown.men.items())]),
        Layer(f'class="arrows" {grid}', [_arrow(view, arrow) for arrow in shown.arrows]),
    ]
    if view.coordinates:
        drawn.append(Layer(f'class="coordinates" {text}', _coordinates(view)))
    if view.strip:
        drawn.append(Layer(f'class="bar" {crisp}', _bar(shown.count)))
        drawn.append(Layer(f'class="counter" {man_attributes()}', _counter(shown.count)))
        drawn.append(Layer(f'class="strip" {text}', _strip(shown)))
    return drawn


def _squares(view: View) -> list[str]:
    left, top, square = view.place
    scale = SQUARE / square
    edge = 2 * scale
    dark = "".join(
        f"M{SQUARE * x} {SQUARE * y}h{SQUARE}v{SQUARE}h-{SQUARE}z" for y in range(8) for x in range(8) if (x + y) % 2
    )
    whole = 8 * SQUARE
    return [
        rect(-left * scale, -top * scale, SIDE * scale, SIDE * scale, FRAME),
        rect(-edge, -edge, whole + 2 * edge, whole + 2 * edge, EDGE),
        rect(0, 0, whole, whole, LIGHT),
        f'<path d="{dark}" fill="{DARK}"/>',
    ]


def rect(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    """Return a filled rectangle; more: attributes."""
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect {place} fill="{fill}"{more}/>'


def _marks(shown: Scene, view: View) -> list[str]:
    """Return the coloured squares: the last move, the shades, a khun in check."""
    marks = []
    for square in shown.last or () if view.last_move else ():
        light = (square // 8 + square % 8) % 2
        marks.append(_mark(view, square, "last", LAST_LIGHT if light else LAST_DARK))
    for square, shade in shown.shades:
        colour, weight = _shade(shade, SHADE)
        marks.append(_mark(view, square, "shade", colour, f' fill-opacity="{number(0.75 * weight)}"'))
    if shown.check is not None and view.check:
        marks.append(_mark(view, shown.check, "check", CHECK))
    return marks


def _mark(view: View, square: int, what: str, colour: str, more: str = "") -> str:
    return rect(*view.corner(square), SQUARE, SQUARE, colour, f'{more} class="{what} {square_name(square)}"')


def _shade(shade: float | str, colour: str) -> tuple[str, float]:
    """Return colour and weight of what was given as one of them. Raises `RenderError`."""
    if isinstance(shade, str):
        if not re.fullmatch(r"#[0-9a-fA-F]{3,8}|[a-zA-Z]+", shade):
            raise RenderError(f"colour: expected a name or #rrggbb, got {shade!r}")
        return shade, 1.0
    if not 0 <= shade <= 1:
        raise RenderError(f"weight: expected a number from 0 to 1, got {shade!r}")
    return colour, float(shade)


def man_attributes() -> str:
    """Return the attributes of a group of men."""
    return f'stroke-width="{OUTLINE_WIDTH}" {_ROUND}'


def man(view: View, square: int, man: Man) -> str:
    """Return a man on its square."""
    x, y = view.corner(square)
    return figure(man, x, y, square_name(square))


def figure(man: Man, x: float, y: float, where: str = "") -> str:
    """Return a man in the box of 100 x 100 at (x, y)."""
    colours = f'fill="{FILLS[man.colour]}" stroke="{STROKES[man.colour]}"'
    names = f"{Colour(man.colour).name.lower()} {man.name} {where}".rstrip()
    return f'<use xlink:href="#makruk-{man.name}" x="{number(x)}" y="{number(y)}" {colours} class="{names}"/>'


def _arrow(view: View, arrow: Arrow) -> str:
    """Return an arrow between the middles of two squares, the broader and denser the greater its weight."""
    start, stop, shade = arrow
    if start == stop:
        raise RenderError(f"arrow: expected two squares, got {square_name(start)} twice")
    colour, weight = _shade(shade, ARROW)
    (x0, y0), (x1, y1) = view.corner(start), view.corner(stop)
    length = math.hypot(x1 - x0, y1 - y0)
    half, head = 4 + 8 * weight, 16 + 18 * weight
    tip = length - 8
    outline = [(18, -half), (tip - 1.4 * head, -half), (tip - 1.4 * head, -head), (tip, 0.0)]
    points = outline + [(x, -y) for x, y in reversed(outline[:-1])]
    angle = math.degrees(math.atan2(y1 - y0, x1 - x0))
    path = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    turn = f"translate({x0 + SQUARE / 2:g} {y0 + SQUARE / 2:g})rotate({number(angle)})"
    opacity = number(0.3 + 0.5 * weight)
    names = f"arrow {square_name(start)} {square_name(stop)}"
    return f'<path d="M{path}Z" transform="{turn}" fill="{colour}" fill-opacity="{opacity}" class="{names}"/>'


def _coordinates(view: View) -> list[str]:
    left, top, square = view.place
    texts = []
    for at in range(8):
        middle = at * square + square / 2
        file, rank = (at, 7 - at) if view.orientation == Colour.WHITE else (7 - at, at)
        texts.append(glyphs.write(RANKS[rank], left / 2 - 1, top + middle + 4, 8, 0.5))
        texts.append(glyphs.write(FILES[file], left + middle, top + 8 * square + 12, 8, 0.5))
    return texts


def _bar(count: Count | None) -> list[str]:
    """Return how far the count has come, as a bar."""
    if count is None:
        return []
    done = min(count.number / count.limit, 1.0)
    return [rect(*_BAR, TRACK), rect(*_BAR[:2], _BAR[2] * done, _BAR[3], BAR)]


def _counter(count: Count | None) -> list[str]:
    """Return whose count it is: a small khun of that side."""
    if count is None:
        return []
    left = _BAR[0] + _BAR[2] - glyphs.width(_count_text(count), _COUNT_HEIGHT) - 21
    khun = figure(Man(count.counter, "khun"), 0, 0)
    return [f'<g transform="translate({number(left)} 375)scale(.17)">{khun}</g>']


def _count_text(count: Count) -> str:
    return f"{words.count_kind(count)} {count.number} of {count.limit}"


def _strip(shown: Scene) -> list[str]:
    strong = f' stroke="{ENDED}" stroke-width="1.7"' if shown.over else ""
    texts = [glyphs.write(shown.status, 24, 390, 9.5, 0.0, strong)]
    if shown.count:
        texts.append(glyphs.write(_count_text(shown.count), _BAR[0] + _BAR[2], 389, _COUNT_HEIGHT, 1.0))
    return texts
