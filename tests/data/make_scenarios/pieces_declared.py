"""Pieces counts that the bare side must start itself, and none at all."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Scenario, alternating, around, drawn, options, scenario

DECLARED_RULES = options("ttakji", pieces_count="declared")
RUEA_3 = ["pieces", 1, 3, 16]
EIGHT = "7k/8/8/8/RR6/8/8/1M1KM1MM"
NINE = "7k/8/8/8/RR6/8/8/MM1KM1MM"

BARE, START = "7k/8/8/8/R7/8/2n5/3K4 w - - 0 1", "d1c2 start"
# Counts that the bare side must start itself.
DECLARED = [
    scenario(
        "bared under declared",
        "Nothing runs until the bare side says so, which it may on its turn.",
        DECLARED_RULES,
        BARE,
        "d1c2",
        **ON,
        count=None,
        legal=["h8g7", "h8g8", "h8h7", "start"],
    ),
    scenario(
        "bare side starts its count",
        "n = N = 3 and L = 16; the turn does not pass, and only one declaration is made in a turn.",
        DECLARED_RULES,
        BARE,
        START,
        **ON,
        count=RUEA_3,
        fen="7k/8/8/8/R7/8/2K5/8 b - 32 6 1 start",
        legal=["h8g7", "h8g8", "h8h7"],
    ),
    scenario(
        "first number after the start",
        "The move of the turn in which the count was started is numbered: 3 + 1.",
        DECLARED_RULES,
        BARE,
        f"{START} h8h7",
        **ON,
        count=["pieces", 1, 4, 16],
        fen="8/7k/8/8/R7/8/2K5/8 w - 32 7 2",
        legal_lacks=["start", "stop"],
    ),
    scenario(
        "declared pieces count cannot be stopped",
        "A pieces count runs until it ends the game.",
        DECLARED_RULES,
        BARE,
        f"{START} h8h7 c2d1",
        **ON,
        legal_lacks=["start", "stop"],
    ),
    scenario(
        "start twice in a turn",
        "A turn holds at most one declaration.",
        DECLARED_RULES,
        BARE,
        f"{START} start",
        error="IllegalMoveError",
    ),
    scenario(
        "chaser starts no pieces count",
        "Only the bare side counts, so its opponent has nothing to declare.",
        DECLARED_RULES,
        "7k/8/8/8/R7/8/8/3K4 w - - 0 1",
        "start",
        error="IllegalMoveError",
    ),
    scenario(
        "no declared pieces count with a bia on the board",
        "A bia is left, so the bare side cannot start.",
        DECLARED_RULES,
        "7k/8/8/P7/R7/8/8/3K4 b - - 0 1",
        **ON,
        legal=["h8g7", "h8g8", "h8h7"],
    ),
    scenario(
        "khun takes the last bia under declared",
        "The turn has passed to the chaser, who has nothing to declare.",
        DECLARED_RULES,
        "7k/7P/8/8/8/8/8/R2K4 b - - 0 1",
        "h8h7",
        **ON,
        count=None,
        legal_lacks=["start", "stop"],
    ),
    scenario(
        "declared on the turn after taking the last bia",
        "After the chaser's move the bare side may start: N = 3.",
        DECLARED_RULES,
        "7k/7P/8/8/8/8/8/R2K4 b - - 0 1",
        "h8h7 a1a2 start",
        **ON,
        count=RUEA_3,
    ),
    scenario(
        "declared before a ruea is lost",
        "Two ruea set 8 at the start, which stays: 4 + 1 of 8.",
        DECLARED_RULES,
        "7k/6R1/8/8/R7/8/8/3K4 b - - 0 1",
        "start h8g7",
        **ON,
        count=["pieces", 1, 5, 8],
    ),
    scenario(
        "declared after a ruea is lost",
        "The men at the moment of starting count: one ruea sets 16 and N is 3.",
        DECLARED_RULES,
        "7k/6R1/8/8/R7/8/8/3K4 b - - 0 1",
        "h8g7 a4a5 start",
        **ON,
        count=RUEA_3,
    ),
    scenario(
        "nobody declares",
        "Without the declaration nothing is ever counted, here for 60 plies with a ruea on the board.",
        options("ttakji", pieces_count="declared", repetition=0),
        "7k/8/8/8/8/8/8/R2K4 w - - 0 1",
        around("d1d2 h8h7 d2d1 h7h8", 60),
        **ON,
        count=None,
    ),
    scenario(
        "two bare khuns declare nothing",
        "Exactly one side must be bare.",
        options("ttakji", pieces_count="declared", material=[]),
        "7k/8/8/8/8/8/8/3K4 w - - 0 1",
        **ON,
        legal=["d1c1", "d1c2", "d1d2", "d1e1", "d1e2"],
    ),
]


def declared_limits() -> Iterator[Scenario]:
    """Yield declared counts with N at and beyond L, under each way in which a count ends."""
    cases = [
        ("last_reply", EIGHT, "start", None, "N = L = 8: the start itself is no reply, so the game goes on"),
        ("last_reply", EIGHT, "start h8h7", None, "9 is spoken and the chaser still has his reply"),
        ("last_reply", EIGHT, "start h8h7 d1d2", "drawn", "the chaser's first move is his last, 9 being beyond 8"),
        ("last_reply", NINE, "start h8h7 d1d2", "drawn", "N = 9 is beyond 8 from the start: one move for the chaser"),
        ("exceed", EIGHT, "start", None, "N = 8 does not exceed 8"),
        ("exceed", EIGHT, "start h8h7", "drawn", "the first number, 9, exceeds 8"),
        ("exceed", NINE, "start", "drawn", "N = 9 exceeds 8 at once, before any move"),
        ("reach", EIGHT, "start", "drawn", "N = 8 reaches 8 at once, before any move"),
        ("reach", NINE, "start", "drawn", "N = 9 is beyond 8 at once, before any move"),
        ("reach", "7k/8/8/8/RR6/8/8/1M1KM1M1", "start", None, "N = 7 does not reach 8"),
        ("reach", "7k/8/8/8/RR6/8/8/1M1KM1M1", "start h8h7", "drawn", "the first number, 8, reaches 8"),
    ]
    for count_end, men, actions, end, reason in cases:
        number = sum(letter.isalpha() for letter in men)
        yield scenario(
            f"declared with N {number}, {count_end}, after {actions}",
            f"L = 8 for two ruea; {reason}.",
            options("ttakji", pieces_count="declared", count_end=count_end),
            f"{men} b - - 0 30",
            actions,
            **(drawn("PIECES_COUNT") if end else ON),
        )


def off() -> Iterator[Scenario]:
    """Yield games without pieces counts."""
    rules = options("ttakji", pieces_count="off", repetition=0)
    yield scenario(
        "pieces count off, bared",
        "With the option off nobody counts and nothing may be declared.",
        rules,
        "7k/8/8/8/R7/8/2n5/3K4 w - - 0 1",
        "d1c2",
        **ON,
        count=None,
        legal=["h8g7", "h8g8", "h8h7"],
    )
    yield scenario(
        "pieces count off, 60 plies on",
        "With the option off a bare khun is chased without a limit.",
        rules,
        "7k/8/8/8/8/8/8/R2K4 w - - 0 1",
        around("d1d2 h8h7 d2d1 h7h8", 60),
        **ON,
        count=None,
    )


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating(DECLARED)
    yield from alternating(declared_limits())
    yield from alternating(off())
