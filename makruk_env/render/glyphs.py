"""Letters and digits as strokes of one width, drawn for this project, so that no picture depends on a font.

A glyph stands on the line y = 10; capitals and digits reach up to 0, small letters to 3, tails down to 13.
"""

from __future__ import annotations

from makruk_env.render.artwork import number

STROKE_WIDTH = 1.4
_HEIGHT = 10.0
_GAP = 2.2
_SPACE = 3.4
_BOWL = "M6 6.5A3 3.5 0 1 1 0 6.5A3 3.5 0 1 1 6 6.5"
_ARCH = "M0 6C0 4 1.2 3 2.8 3C4.6 3 5.5 4.1 5.5 6V10"

GLYPHS: dict[str, tuple[float, str]] = {
    "a": (6, _BOWL + "M6 3V10"),
    "b": (6, "M0 0V10" + _BOWL),
    "c": (5.3, "M5.3 4.25A3 3.5 0 1 0 5.3 8.75"),
    "d": (6, _BOWL + "M6 0V10"),
    "e": (6, "M0 6.5H6A3 3.5 0 1 0 5.3 8.75"),
    "f": (3.6, "M4.2 .2C2.4 -.4 1.5 .6 1.5 2.2V10M0 3.2H3.8"),
    "g": (6, _BOWL + "M6 3V10.2C6 12.2 4.8 13.2 3 13.2C1.8 13.2 .9 12.8 .4 12.1"),
    "h": (5.5, "M0 0V10" + _ARCH),
    "i": (0, "M0 3V10M0 .4L0 .4"),
    "j": (1.4, "M1.4 3V11C1.4 12.6 .8 13.2 -.4 13.2M1.4 .4L1.4 .4"),
    "k": (5.2, "M0 0V10M5 3L0 7.4M1.9 5.8L5.2 10"),
    "l": (0, "M0 0V10"),
    "m": (9.4, "M0 3V10M0 6C0 4 1 3 2.4 3C3.9 3 4.7 4.1 4.7 6V10M4.7 6C4.7 4 5.7 3 7.1 3C8.6 3 9.4 4.1 9.4 6V10"),
    "n": (5.5, "M0 3V10" + _ARCH),
    "o": (6, _BOWL),
    "p": (6, "M0 3V13.2" + _BOWL),
    "q": (6, _BOWL + "M6 3V13.2"),
    "r": (3, "M0 3V10M0 6.2C0 4.2 1.2 3 3.2 3.1"),
    "s": (
        4.9,
        "M4.6 4.2C4.1 3.4 3.4 3 2.4 3C1.1 3 .3 3.7 .3 4.8C.3 7.2 4.9 5.8 4.9 8.2"
        "C4.9 9.3 3.9 10 2.5 10C1.4 10 .5 9.5 0 8.6",
    ),
    "t": (3.6, "M1.5 .8V8C1.5 9.4 2.2 10 3.7 9.8M0 3H3.7"),
    "u": (5.5, "M0 3V7C0 8.9 .9 10 2.7 10C4.3 10 5.5 9 5.5 7M5.5 3V10"),
    "v": (5.6, "M0 3L2.8 10L5.6 3"),
    "w": (8.8, "M0 3L2.2 10L4.4 3.6L6.6 10L8.8 3"),
    "x": (5.2, "M0 3L5.2 10M5.2 3L0 10"),
    "y": (5.6, "M0 3L2.8 10M5.6 3L2.8 10C2.2 11.8 1.6 13.1 0 13.1"),
    "z": (5.2, "M.2 3H5L0 10H5.2"),
    "B": (
        6.2,
        "M0 0V10H3.4C5.2 10 6.2 8.9 6.2 7.3C6.2 5.7 5.2 4.8 3.4 4.8H0"
        "M3.2 4.8C4.8 4.8 5.6 3.8 5.6 2.4C5.6 .9 4.7 0 3.2 0H0",
    ),
    "C": (6.8, "M6.8 1.9C6 .7 4.9 0 3.8 0C1.6 0 0 2.1 0 5C0 7.9 1.6 10 3.8 10C4.9 10 6 9.3 6.8 8.1"),
    "D": (6.8, "M0 0V10H2.6C5.2 10 6.8 8 6.8 5C6.8 2 5.2 0 2.6 0Z"),
    "P": (6.3, "M0 10V0H3.4C5.3 0 6.3 1.2 6.3 2.9C6.3 4.6 5.3 5.8 3.4 5.8H0"),
    "W": (10.4, "M0 0L2.6 10L5.2 1L7.8 10L10.4 0"),
    "0": (6, "M6 5A3 5 0 1 1 0 5A3 5 0 1 1 6 5"),
    "1": (6, "M1 2L3.6 0V10"),
    "2": (6, "M.3 2.6C.5 1 1.6 0 3.1 0C4.8 0 5.9 1.1 5.9 2.7C5.9 5 .8 7.4 .1 10H6"),
    "3": (
        6,
        "M.5 1.6C1 .6 1.9 0 3 0C4.6 0 5.6 1 5.6 2.4C5.6 3.9 4.6 4.7 2.6 4.7"
        "C4.8 4.7 6 5.8 6 7.3C6 8.9 4.8 10 3 10C1.6 10 .5 9.3 0 8.1",
    ),
    "4": (6, "M4.5 10V0L-.1 7H6.1"),
    "5": (6, "M5.5 0H1L.5 4.6C1.2 4 2 3.7 3 3.7C4.8 3.7 6 5 6 6.8C6 8.7 4.7 10 2.9 10C1.6 10 .5 9.4 0 8.4"),
    "6": (6, "M4.9 .2C2 1.2 0 3.8 0 6.8A3 3.2 0 1 0 6 6.8A3 3.2 0 1 0 0 6.8"),
    "7": (6, "M0 0H6L2 10"),
    "8": (6, "M5.5 2.4A2.5 2.4 0 1 1 .5 2.4A2.5 2.4 0 1 1 5.5 2.4M6 7.4A3 2.6 0 1 1 0 7.4A3 2.6 0 1 1 6 7.4"),
    "9": (6, "M1.1 9.8C4 8.8 6 6.2 6 3.2A3 3.2 0 1 0 0 3.2A3 3.2 0 1 0 6 3.2"),
    ":": (0, "M0 4.4L0 4.4M0 9.6L0 9.6"),
    ",": (0.6, "M.6 9.6L0 11.8"),
}
"""Each glyph's width and SVG path data."""


def glyph_id(glyph: str) -> str:
    """Return the name under which a drawing refers to a glyph."""
    return f"glyph-{ord(glyph)}"


def _advance(glyph: str) -> float:
    """Return how far the next glyph stands from this one."""
    return _SPACE if glyph == " " else GLYPHS[glyph][0] + _GAP


def width(text: str, height: float) -> float:
    """Return how wide a text is, its capitals of that height."""
    return (sum(_advance(glyph) for glyph in text) - _GAP) * height / _HEIGHT


def write(text: str, x: float, y: float, height: float, anchor: float = 0.0, more: str = "") -> str:
    """Return a text as an SVG element.

    y: its foot line; height: that of capitals; anchor: the part of its width that lies left of x; more: attributes.
    """
    at, uses = 0.0, []
    for glyph in text:
        if glyph != " ":
            uses.append(f'<use xlink:href="#makruk-{glyph_id(glyph)}" x="{number(at)}"/>')
        at += _advance(glyph)
    left = x - anchor * width(text, height)
    place = f'transform="translate({number(left)} {number(y - height)})scale({number(height / _HEIGHT)})"'
    return f'<g {place} aria-label="{text}"{more}>{"".join(uses)}</g>'
