"""The men as vector paths, drawn for this project in the manner of turned wooden makruk sets.

A man stands in a box of 100 x 100, upright, its axis at x = 50. Khun and met are stupas of one form, the khun the
taller; the khon is a bell, the ruea a drum, the ma a horse's head. A bia is a cowrie shell on its mouth, a promoted one
(bia-ngai, "overturned") a shell on its back, with the met's bud over it. The turned men are solids of revolution, so
one writes down half a profile: points right of the axis, from the top down to the foot. Paths carry no colour: they
take fill and stroke from what they stand in, so that one drawing serves both sides.
"""

from __future__ import annotations

from typing import NamedTuple

Profile = list[tuple[float, ...]]
"""Half an outline: (x, y) is a line to there, six numbers are a Bezier curve; x counts from the axis."""

AXIS = 50.0
OUTLINE_WIDTH, LINE_WIDTH = 3.4, 2.6


class Drawing(NamedTuple):
    """A man: the closed outline, to be filled, and the lines on it; both SVG path data."""

    outline: str
    lines: str


def number(value: float) -> str:
    """Return a number as short as SVG lets one write it, to the hundredth."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _step(segment: tuple[float, ...], side: int) -> str:
    points = [AXIS + side * value if at % 2 == 0 else value for at, value in enumerate(segment)]
    return ("L" if len(points) == 2 else "C") + " ".join(number(value) for value in points)


def _turned(profile: Profile) -> str:
    """Return the closed path of a profile and its mirror image."""
    down = "".join(_step(segment, 1) for segment in profile[1:])
    up = []
    for before, segment in zip(profile[-2::-1], profile[:0:-1], strict=True):
        x, y = before[-2:]
        up.append(_step((x, y) if len(segment) == 2 else (*segment[2:4], *segment[:2], x, y), -1))
    return "M" + _step(profile[0], 1)[1:] + down + _step(profile[-1][-2:], -1) + "".join(up) + "Z"


def _ring(half: float, y: float, sag: float) -> str:
    """Return a line round a turned man: between its edges at height y, lower by `sag` in the middle."""
    ends = [number(value) for value in (AXIS - half, y, AXIS, y + 2 * sag, AXIS + half, y)]
    return f"M{ends[0]} {ends[1]}Q{' '.join(ends[2:])}"


def _foot(half: float) -> Profile:
    """Return the end of a profile: the plate on which a man of that half width stands."""
    return [(half, 83.5), (half + 2.5, 84.5, half + 2.5, 91, half, 92)]


KHUN = Drawing(
    _turned(
        [
            (0, 3),
            (3.4, 4.5, 5, 7.5, 5, 10),
            (5, 12.6, 3.6, 14.2, 3, 15.5),
            (4.2, 22),
            (8, 23.2),
            (10, 24.2, 10, 27.4, 8, 28.4),
            (6.6, 29.2),
            (7.8, 35),
            (12, 36.4),
            (14.2, 37.4, 14.2, 41, 12, 42),
            (10.4, 43),
            (11, 47.5),
            (16, 49),
            (18.4, 50, 18.4, 54, 16, 55),
            (16, 62, 19, 67, 24.5, 71),
            (28.5, 72.4),
            (30.8, 73.4, 30.8, 77.4, 28.5, 78.4),
            (28, 80, 29.5, 82, 31.5, 83),
            *_foot(34),
        ]
    ),
    _ring(15.5, 55, 1.8) + _ring(27.5, 78.4, 2),
)
MET = Drawing(
    _turned(
        [
            (0, 27),
            (3.6, 30, 7, 34, 7, 38.5),
            (7, 42.4, 5, 44.6, 3.6, 46),
            (4.4, 49.4),
            (9.2, 50.6),
            (11.2, 51.6, 11.2, 55, 9.2, 56),
            (9.6, 62.5, 12.8, 68, 17.4, 71.4),
            (21, 72.6),
            (23.4, 73.6, 23.4, 77.4, 21, 78.4),
            (21, 80, 22.5, 82, 24.5, 83),
            *_foot(27),
        ]
    ),
    _ring(9, 56, 1.2) + _ring(20, 78.4, 1.6),
)
KHON = Drawing(
    _turned(
        [
            (0, 15),
            (4.2, 15, 6.4, 17.8, 6.4, 20.8),
            (6.4, 23.8, 5, 25.6, 4, 27),
            (5.2, 31),
            (20, 33.5, 28, 46, 27.5, 68),
            (31, 69.4),
            (33.4, 70.4, 33.4, 75, 31, 76),
            (30, 79, 31, 82, 33, 83),
            *_foot(35),
        ]
    ),
    _ring(22.2, 46, 3) + _ring(25.2, 54.5, 3.4) + _ring(29.8, 76.3, 2.2),
)
RUEA = Drawing(
    _turned(
        [
            (0, 39),
            (15, 39, 30, 40, 34, 43.5),
            (38, 46.5, 38, 52, 34, 54),
            (28.5, 56.5),
            (25.5, 61, 25.5, 68, 28.5, 72.5),
            (33.5, 74.5),
            (36, 75.5, 36, 80.5, 33.5, 81.5),
            *_foot(37),
        ]
    ),
    _ring(32.5, 44, 4) + _ring(28, 57, 2.6) + _ring(28.5, 73, 2.6),
)
BIA = Drawing(
    _turned([(0, 45), (15.5, 45, 25.5, 56, 26.5, 74.5), (28.5, 74.5), (31, 75.5, 31, 83, 28.5, 84)]),
    _ring(26.5, 74.5, 2) + "M34.8 64C36.6 59 40 55 44.6 53.4",
)
BIA_NGAI = Drawing(
    _turned(
        [
            (0, 33),
            (2.8, 36.4, 5.6, 39.6, 5.6, 43.4),
            (5.6, 46.6, 4, 48.8, 3.4, 50.6),
            (20, 51.4, 31, 54.4, 31, 59.5),
            (31, 71.5, 22, 78.2, 12.5, 80.4),
            (14.5, 81, 15.5, 83, 15.5, 85),
        ]
    ),
    _ring(31, 59.5, 5.2) + "M32 63.2L33.2 70M44.4 64.6L44.8 71.6M55.6 64.6L55.2 71.6M68 63.2L66.8 70",
)
MA = Drawing(
    "M30 83.5C31 75 37 69 43 62C46.5 58 48 55 46.5 52C42 53 38.5 56 35 60C31.5 64 27 65 23.5 62"
    "C20 59.5 19.5 55.5 22 51.5C27 44.5 30 38 33 32C35.5 27 39.5 23.5 44 21.5L44.5 10L54 19.5C68 23.5 79 38 79.5 58"
    "C80 68 78.5 76 76 83.5L79 84.5C81.5 85.5 81.5 91 79 92L27 92C24.5 91 24.5 85.5 27 84.5Z",
    "M40 36.5L40 36.5M27.5 56.5C30 57.5 32.5 56.5 34 54.5M30 84L76 84M56 30C64 36 69 46 69 60C69 68 68 74 66.5 78",
)

MEN = {"khun": KHUN, "met": MET, "khon": KHON, "ma": MA, "ruea": RUEA, "bia": BIA, "bia-ngai": BIA_NGAI}
