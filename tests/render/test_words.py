"""The outlook of the counts in words."""

from __future__ import annotations

import pytest

from makruk_env import Board
from makruk_env.render.words import outlook


@pytest.mark.parametrize(
    ("fen", "rules", "moves", "told"),
    [
        (None, "ttakji", "", ["No count runs", "from 9 to 8, hardly time"]),
        ("8/3k4/8/2K1S1R1/8/8/8/7R w - - 0 1", "ttakji", "", ["No count runs", "Black bare and no bia left", "5 to 8"]),
        (
            "8/3k4/8/2K1S1R1/8/8/8/7R w - - 0 1",
            "ttakji",
            "g5g1",
            ["5 of 8, Black counts", "3 more moves of Black to go"],
        ),
        ("8/3k4/8/2K1S3/8/8/1r6/8 w - - 0 1", "ttakji", "", ["White may start one", "Black bare", "White bare"]),
        ("8/3k4/8/2K1S3/8/8/1r6/8 w - - 0 1", "ttakji", "start", ["0 of 64, White counts", "64 more moves of White"]),
        ("8/3k4/8/2K1S3/8/8/1r6/8 w - - 0 1", "ouk:pieces_count=off", "", ["No count runs"]),
    ],
)
def test_outlook(fen: str | None, rules: str, moves: str, told: list[str]) -> None:
    board = Board(fen, rules)
    for move in moves.split():
        board.push_uci(move)
    lines = "\n".join(outlook(board))
    for words in told:
        assert words in lines
    if rules != "ttakji":
        assert len(outlook(board)) == 1
