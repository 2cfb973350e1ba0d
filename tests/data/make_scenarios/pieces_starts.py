"""Pieces counts that start by themselves, and what leaves them untouched."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Scenario, alternating, drawn, options, scenario

AUTO = "ttakji"
NO_MATERIAL = options("ttakji", material=[])
RUEA_3 = ["pieces", 1, 3, 16]

# The moves after which a pieces count does or does not run.
AUTOMATIC = [
    scenario(
        "last bia promotes against a bare khun",
        "The promotion leaves no bia and the bare side to move: n = N = 4 with the new met, and L = 16 for the ruea.",
        AUTO,
        "7k/8/8/P7/8/8/8/R2K4 w - - 0 1",
        "a5a6m",
        **ON,
        count=["pieces", 1, 4, 16],
        fen="7k/8/M7/8/8/8/8/R2K4 b - 32 8 1",
    ),
    scenario(
        "bared while a bia is left",
        "A bia of the chaser is still on the board, so nothing is counted yet.",
        AUTO,
        "7k/8/8/8/P7/8/2n5/R2K4 w - - 0 1",
        "d1c2",
        **ON,
        count=None,
    ),
    scenario(
        "bared first, last bia promoted later",
        "The count waits for the last bia: it starts with the promotion, at N = 4.",
        AUTO,
        "7k/8/8/8/P7/8/2n5/R2K4 w - - 0 1",
        "d1c2 h8h7 a4a5 h7h8 a5a6m",
        **ON,
        count=["pieces", 1, 4, 16],
    ),
    scenario(
        "khun takes the last bia",
        "The bare khun took the last bia itself: n = N = 3 with the chaser to move, so field 5 is 2n - 1.",
        AUTO,
        "7k/7P/8/8/8/8/8/R2K4 b - - 0 1",
        "h8h7",
        **ON,
        count=RUEA_3,
        fen="8/7k/8/8/8/8/8/R2K4 w - 32 5 2",
    ),
    scenario(
        "khun takes one of two bia",
        "One bia is left after the capture, so nothing starts.",
        AUTO,
        "7k/7P/8/8/P7/8/8/R2K4 b - - 0 1",
        "h8h7",
        **ON,
        count=None,
    ),
    scenario(
        "khun takes a met where no bia was",
        "The bare side is not to move and took no bia: the count does not start with this move.",
        AUTO,
        "7k/7M/8/8/8/8/8/R2K4 b - - 0 1",
        "h8h7",
        **ON,
        count=None,
    ),
    scenario(
        "count starts with the reply to that capture",
        "The chaser's move leaves the bare side to move: n = N = 3, the met taken before is not among them.",
        AUTO,
        "7k/7M/8/8/8/8/8/R2K4 b - - 0 1",
        "h8h7 a1a2",
        **ON,
        count=RUEA_3,
    ),
    scenario(
        "chaser takes the last bia, which bares",
        "The last bia was the counter's last man: the capture bares him to move, N = 3.",
        AUTO,
        "7k/8/8/8/8/3p4/3K4/R7 w - - 0 1",
        "d2d3",
        **ON,
        count=RUEA_3,
    ),
    scenario(
        "set up bare, chaser to move",
        "The first move leaves the bare side to move and starts the count at N = 3.",
        AUTO,
        "7k/8/8/8/8/8/8/R2K4 w - - 0 1",
        "a1a2",
        **ON,
        count=RUEA_3,
    ),
    scenario(
        "set up bare, no move made",
        "A position set up bare without a count has none until a move has been made.",
        AUTO,
        "7k/8/8/8/8/8/8/R2K4 b - - 0 1",
        **ON,
        count=None,
    ),
    scenario(
        "set up bare, bare side to move",
        "The bare side's own first move leaves the chaser to move and takes no bia, so it starts nothing.",
        AUTO,
        "7k/8/8/8/8/8/8/R2K4 b - - 0 1",
        "h8h7",
        **ON,
        count=None,
    ),
    scenario(
        "set up bare, bare side to move, then the reply",
        "The reply is the first move that leaves the bare side to move: n = N = 3.",
        AUTO,
        "7k/8/8/8/8/8/8/R2K4 b - - 0 1",
        "h8h7 a1a2",
        **ON,
        count=RUEA_3,
    ),
    scenario(
        "set up bare with a bia",
        "While a bia stands no pieces count starts, whoever is to move.",
        AUTO,
        "7k/8/8/8/P7/8/8/R2K4 w - - 0 1",
        "a1b1 h8h7 b1a1",
        **ON,
        count=None,
    ),
    scenario(
        "two bare khuns start no count",
        "Exactly one side must be bare; with two bare khuns nobody counts.",
        NO_MATERIAL,
        "7k/8/8/8/8/8/8/3K4 w - - 0 1",
        "d1d2 h8h7",
        **ON,
        count=None,
    ),
]


TWO_RUEA = "7k/6R1/8/8/8/8/R7/3K4 b - 16 12 30"
BARED = "7k/6R1/8/8/8/8/8/3K4 b - 32 26 30"
# Counts that go on unchanged while the chaser loses men.
LASTING = [
    scenario(
        "L stays 8 after a ruea is lost",
        "Two ruea set 8 when the count began; the khun takes one, speaks 7, and L is still 8.",
        AUTO,
        TWO_RUEA,
        "h8g7",
        **ON,
        count=["pieces", 1, 7, 8],
    ),
    scenario(
        "game ends at 8 though one ruea is left",
        "8 is spoken with the next move and the reply to it ends the game, although one ruea alone would set 16.",
        AUTO,
        TWO_RUEA,
        "h8g7 a2a3 g7g6 a3a4",
        **drawn("PIECES_COUNT"),
    ),
    scenario(
        "L stays 16 after the only ruea is lost",
        "One ruea set 16; with one ma left L is still 16, not 64, and n rises by one as with any move.",
        AUTO,
        "7k/6R1/8/8/8/8/N7/3K4 b - 32 20 30",
        "h8g7",
        **ON,
        count=["pieces", 1, 11, 16],
    ),
    scenario(
        "count goes on when the chaser is bared",
        "Two bare khuns would start no count, but one that runs goes on: 13 + 1 = 14 of 16.",
        NO_MATERIAL,
        BARED,
        "h8g7",
        **ON,
        count=["pieces", 1, 14, 16],
    ),
    scenario(
        "count of two bare khuns draws",
        "14, 15 and 16 are spoken and the bare chaser's reply to 16 ends the game.",
        NO_MATERIAL,
        BARED,
        "h8g7 d1d2 g7g6 d2d1 g6g7 d1d2",
        **drawn("PIECES_COUNT"),
    ),
    scenario(
        "no declaration in a pieces count",
        "A pieces count cannot be stopped: its counter has the moves of his khun and nothing else.",
        AUTO,
        "7k/8/8/8/8/8/8/R2K4 b - 32 10 30",
        **ON,
        legal=["h8g7", "h8g8", "h8h7"],
    ),
]


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating(AUTOMATIC)
    yield from alternating(LASTING)
