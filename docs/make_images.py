"""Draws the pictures of these pages into docs/images: `python docs/make_images.py`.

Where a man goes is asked of the rules, so a diagram cannot contradict them.
"""

from __future__ import annotations

from pathlib import Path

from makruk_env import Board, Colour
from makruk_env.render import svg
from makruk_env.render.scene import Man

FOLDER = Path(__file__).parent / "images"
SIZE = 160
MEN = {"khun": "K", "met": "M", "khon": "S", "ma": "N", "ruea": "R", "bia": "P", "bia-ngai": "M"}
CENTRE = 27
"""d4, the middle of the diagrams: five files from b, five ranks from 2."""
SPAN = 5
PLACES = {square: (square % 8 - 1, SPAN - square // 8) for square in range(64)}
"""Column and row of each square; a diagram shows those from 0 to 4."""
OTHERS = {7: "K", 63: "k", 16: "P", 40: "p"}
"""Men out of the way, without which no game goes on: khuns on h1 and h8, bia on a3 and a6."""
MARK = svg.ARROW
GAME = ("r2k4/3m4/2s1n3/6P1/3NS3/4R3/4K3/8 w - - 0 40", "g5g6m start a8a2")
"""A game with all that a picture can show: a bia that promotes, Black counts the board, and gives check."""


def fen(men: dict[int, str]) -> str:
    """Return the position of these men, White to move."""
    ranks = ["".join(men.get(8 * rank + file, "1") for file in range(8)) for rank in range(7, -1, -1)]
    return "/".join(ranks) + " w"


def goes(letter: str, enemy: int | None = None) -> set[int]:
    """Return where a man on d4 goes with nothing about, or with one bia of the enemy."""
    men = OTHERS | {CENTRE: letter}
    if letter == "K":
        del men[7]
    if enemy is not None:
        men[enemy] = "p"
    return {move.to_square for move in Board(fen(men)).legal_moves if move.from_square == CENTRE}


def mark(steps: bool, takes: bool, x: int, y: int) -> str:
    """Return a dot for a square where a man goes and takes, a ring for going only, a cross for taking only."""
    if steps and takes:
        return f'<circle cx="{x + 50}" cy="{y + 50}" r="15" fill="{MARK}"/>'
    shape = (
        f'<circle cx="{x + 50}" cy="{y + 50}" r="13"' if steps else f'<path d="M{x + 36} {y + 36}l28 28m0 -28l-28 28"'
    )
    return f'{shape} fill="none" stroke="{MARK}" stroke-width="7" stroke-linecap="round"/>'


def diagram(name: str) -> str:
    """Return the picture of a man's moves."""
    squares, marks = [svg.rect(-10, -10, 520, 520, svg.FRAME)], []
    steps = goes(MEN[name])
    for square, (column, row) in PLACES.items():
        if not (0 <= column < SPAN and 0 <= row < SPAN):
            continue
        x, y = 100 * column, 100 * row
        squares.append(svg.rect(x, y, 100, 100, svg.LIGHT if (square // 8 + square % 8) % 2 else svg.DARK))
        if square != CENTRE:
            takes = square in goes(MEN[name], square)
            if square in steps or takes:
                marks.append(mark(square in steps, takes, x, y))
    place = f'transform="scale({svg.SIDE / 520})translate(10 10)"'
    men = [svg.figure(Man(Colour.WHITE, name), 200, 200)]
    layers = [
        svg.Layer(f'class="board" {place} shape-rendering="crispEdges"', squares),
        svg.Layer(f'class="moves" {place}', marks),
        svg.Layer(f'class="men" {place} {svg.man_attributes()}', men),
    ]
    return svg.document(layers, SIZE)


def game() -> Board:
    """Return the board after the moves of `GAME`."""
    fen, moves = GAME
    board = Board(fen)
    for text in moves.split():
        board.push_uci(text)
    return board


def images() -> dict[str, str]:
    """Return every picture by its file's name."""
    pictures = {f"{name}.svg": diagram(name) for name in MEN}
    boards = {"start.svg": svg.board(Board(), size=400, strip=False), "game.svg": svg.board(game(), size=400)}
    return pictures | boards


def main() -> None:
    """Write the pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in images().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(FOLDER / name)


if __name__ == "__main__":
    main()
