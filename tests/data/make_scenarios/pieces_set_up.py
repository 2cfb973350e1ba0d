"""Pieces counts that may have begun with the move before, and mates where one begins or ends."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Scenario, alternating, drawn, options, scenario, won

AUTO = "ttakji"
EIGHT = "7k/8/8/8/RR6/8/8/1M1KM1MM"
NINE = "7k/8/8/8/RR6/8/8/MM1KM1MM"
EIGHT_AT, NINE_AT = f"{EIGHT} {{}} - 16 {{}} 30", f"{NINE} {{}} - 16 {{}} 30"

# Counts set up with n = N = L or beyond, which may have begun with the move before.
JUST_STARTED = [
    scenario(
        "n = N = L with the counter to move",
        "n = N tells that the count has just started, and the move that started it is no reply: the game goes on.",
        AUTO,
        EIGHT_AT.format("b", 16),
        **ON,
        count=["pieces", 1, 8, 8],
    ),
    scenario(
        "n = N = L leaves one reply",
        "The counter speaks 9 and the chaser's next move is his last.",
        AUTO,
        EIGHT_AT.format("b", 16),
        "h8h7 d1d2",
        **drawn("PIECES_COUNT"),
    ),
    scenario(
        "n = N + 1 > L with the counter to move",
        "9 is one more than N = 8, so the count is older than the last move, which was the reply to 8 or more: drawn.",
        AUTO,
        EIGHT_AT.format("b", 18),
        **drawn("PIECES_COUNT"),
        legal=[],
    ),
    scenario(
        "n = N > L with the counter to move",
        "N = 9 is beyond L = 8, but n = N tells that the count has just started.",
        AUTO,
        NINE_AT.format("b", 18),
        **ON,
        count=["pieces", 1, 9, 8],
    ),
    scenario(
        "n = L below N with the counter to move",
        "n = 8 is not N = 9, so the count has not just started and 8 has been answered: drawn.",
        AUTO,
        NINE_AT.format("b", 16),
        **drawn("PIECES_COUNT"),
    ),
    scenario(
        "n = N = L with the chaser to move",
        "The khun may just have taken the last bia; the chaser has his move, and it is the last.",
        AUTO,
        EIGHT_AT.format("w", 15),
        "d1d2",
        **drawn("PIECES_COUNT"),
    ),
    scenario(
        "exceed, n = N = L with the counter to move",
        "8 does not exceed L = 8, 9 does: the counter's move ends the game.",
        options("ttakji", count_end="exceed"),
        EIGHT_AT.format("b", 16),
        "h8h7",
        **drawn("PIECES_COUNT"),
    ),
    scenario(
        "exceed, n = N > L as it starts",
        "A count that starts with N = 9 beyond L = 8 is over at once, also where that position is set up.",
        options("ttakji", count_end="exceed"),
        NINE_AT.format("b", 18),
        **drawn("PIECES_COUNT"),
    ),
    scenario(
        "reach, n = N = L as it starts",
        "A count that starts with N = 8 = L is over at once; field 4 is 2L - 2 = 14.",
        options("ttakji", count_end="reach"),
        f"{EIGHT} b - 14 16 30",
        **drawn("PIECES_COUNT"),
    ),
    scenario(
        "reach, n below N and L",
        "7 does not reach 8, the counter's next number does.",
        options("ttakji", count_end="reach"),
        f"{EIGHT} b - 14 14 30",
        "h8h7",
        **drawn("PIECES_COUNT"),
    ),
]


def mates() -> Iterator[Scenario]:
    """Yield mates given by the move with which a count would end, or start and be over at once."""
    last_reply = "k7/8/1K6/8/8/8/8/7R w - 32 31 90"
    yield scenario(
        "last reply mates",
        "16 of 16 has been spoken and this is the last reply; a mate comes before the end of the count.",
        AUTO,
        last_reply,
        "h1h8",
        **won("1-0", "CHECKMATE"),
    )
    yield scenario(
        "last reply does not mate",
        "16 of 16 has been spoken and the last reply leaves b8 to the khun: drawn.",
        AUTO,
        last_reply,
        "h1h7",
        **drawn("PIECES_COUNT"),
    )
    for count_end, first_rank, men in (("reach", "MRMK2MM", 8), ("exceed", "MRMKM1MM", 9)):
        yield scenario(
            f"baring mate with N {men}, {count_end}",
            f"The capture bares Black with N = {men} and L = 8, which under {count_end} is over at once, but it mates.",
            options("ttakji", count_end=count_end),
            f"1m5k/R7/8/8/8/8/8/{first_rank} w - - 0 1",
            "b1b8",
            **won("1-0", "CHECKMATE"),
        )


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating(JUST_STARTED)
    yield from alternating(mates())
