"""Board counts that a pieces count replaces, or that end because a side is bare."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Scenario, alternating, drawn, options, scenario

BARES, SPARES = "4k3/R2m4/8/8/8/8/8/4K3 w - 128 127 140", "4k3/R2m4/8/8/8/8/7s/4K3 w - 128 127 140"
# Captures while a board count runs, most of which bare a side.
REPLACED = [
    scenario(
        "last reply bares the counter",
        "64 has been spoken, but the reply bares the counter: the pieces count takes over, n = N = 3, L = 16.",
        "ttakji",
        BARES,
        "a7d7",
        **ON,
        count=["pieces", 1, 3, 16],
        fen="4k3/3R4/8/8/8/8/8/4K3 b - 32 6 140",
    ),
    scenario(
        "last reply takes one of two men",
        "64 has been spoken and the counter is left with a khon: the reply ends the game.",
        "ttakji",
        SPARES,
        "a7d7",
        **drawn("BOARD_COUNT"),
    ),
    scenario(
        "last reply takes nothing",
        "64 has been spoken and the reply ends the game.",
        "ttakji",
        BARES,
        "a7a6",
        **drawn("BOARD_COUNT"),
    ),
    scenario(
        "replaced by a shorter count",
        "3 of 64 becomes 4 of 8: two ruea set 8 and N = 4, however much the board count had left.",
        "ttakji",
        "4k3/R2m4/8/8/8/8/8/R3K3 w - 128 5 40",
        "a7d7",
        **ON,
        count=["pieces", 1, 4, 8],
    ),
    scenario(
        "replaced by a longer count",
        "63 of 64 becomes 3 of 44: one khon sets 44 and N = 3, however little the board count had left.",
        "ttakji",
        "4k3/3m4/2S5/8/8/8/8/4K3 w - 128 125 140",
        "c6d7",
        **ON,
        count=["pieces", 1, 3, 44],
    ),
    scenario(
        "counter bares the chaser",
        "The bare side is the former chaser, and he is to move: he counts now, N = 3 and L = 16.",
        "ttakji",
        "4k3/7r/8/8/8/8/7S/4K3 b - 128 20 40",
        "h7h2",
        **ON,
        count=["pieces", 0, 3, 16],
    ),
    scenario(
        "bared under declared, then declared",
        "The bare side starts the pieces count on its turn: n = N = 3, L = 16.",
        options("ttakji", pieces_count="declared"),
        BARES,
        "a7d7 start",
        **ON,
        count=["pieces", 1, 3, 16],
    ),
]


def ended() -> Iterator[Scenario]:
    """Yield captures that bare a side where no pieces count starts by itself."""
    for rule, has, lacks in (("declared", ["start"], ["stop"]), ("off", [], ["start", "stop"])):
        yield scenario(
            f"bared by the last reply, pieces count {rule}",
            "The move leaves no bia and one side bare, so the board count is gone; no pieces count starts by itself.",
            options("ttakji", pieces_count=rule),
            BARES,
            "a7d7",
            **ON,
            count=None,
            fen="4k3/3R4/8/8/8/8/8/4K3 b - - 0 140",
            legal_has=has,
            legal_lacks=lacks,
        )
        yield scenario(
            f"chaser bared, pieces count {rule}",
            "One side is bare and no bia is left, whichever side it is: the board count is gone.",
            options("ttakji", pieces_count=rule),
            "4k3/7r/8/8/8/8/7S/4K3 b - 128 20 40",
            "h7h2",
            **ON,
            count=None,
        )


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating([*REPLACED, *ended()])
