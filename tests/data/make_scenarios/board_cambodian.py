"""Board counts of a side with two or three men."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Scenario, alternating, drawn, options, scenario

CAMBODIAN = options("ttakji", board_count="cambodian")
WHITE = "R2SK2R"

# Which side is asked for its number of men, and when.
STARTS = [
    scenario(
        "only the side then to move is asked",
        "The side that has moved has three men, but the one then to move has four: nothing starts.",
        CAMBODIAN,
        f"4k3/3m4/p7/8/8/8/8/{WHITE} b - - 0 1",
        "d7c6",
        **ON,
        count=None,
    ),
    scenario(
        "the side with three men, one ply later",
        "After the reply the side with three men is to move: it starts with n = 0.",
        CAMBODIAN,
        f"4k3/3m4/p7/8/8/8/8/{WHITE} b - - 0 1",
        "d7c6 h1h2",
        **ON,
        count=["board", 1, 0, 64],
        legal_lacks=["start", "stop"],
    ),
    scenario(
        "both sides with three men",
        "Both would do; the side then to move becomes the counter.",
        CAMBODIAN,
        "4k3/3m4/p7/8/8/8/P7/R3K3 w - - 0 1",
        "a1b1 d7c6 b1a1",
        **ON,
        count=["board", 1, 1, 64],
    ),
    scenario(
        "a capture leaves three men",
        "Four men less the captured one are three: the count starts with the capture, bia or no bia.",
        CAMBODIAN,
        f"4k3/3m4/p6p/8/8/8/8/{WHITE} w - - 0 1",
        "h1h6",
        **ON,
        count=["board", 1, 0, 64],
    ),
    scenario(
        "two men against a bare khun",
        "Neither side may be bare, so two men against a lone khun start nothing while a bia stands.",
        CAMBODIAN,
        "4k3/8/p7/8/8/8/8/4K3 w - - 0 1",
        "e1e2",
        **ON,
        count=None,
    ),
    scenario(
        "cambodian fields of a FEN",
        "Under reach field 4 is 2 x 64 - 2 = 126, and n = 0 with the counter to move is 0.",
        "cambodian",
        f"4k3/3m4/p7/8/8/8/8/{WHITE} w - - 0 1",
        "h1h2",
        **ON,
        count=["board", 1, 0, 64],
        fen="4k3/3m4/p7/8/8/8/7R/R2SK3 b - 126 0 1",
    ),
]


def numbers_of_men() -> Iterator[Scenario]:
    """Yield moves that leave the other side two, three or four men."""
    cases = [
        ("four men", "4k3/3m4/pp6/8/8/8/8", None, "four men, khun and bia included, are too many"),
        ("three men with a bia", "4k3/3m4/p7/8/8/8/8", 0, "three men, of them one bia, are few enough"),
        ("khun and bia", "4k3/8/p7/8/8/8/8", 0, "two men are few enough, also where the second is a bia"),
        ("khun and met", "4k3/3m4/8/8/8/8/8", 0, "two men are few enough, and no bia is needed"),
        ("a bare khun", "4k3/8/8/8/8/8/P7", None, "a bare side starts no board count"),
    ]
    for name, men, number, reason in cases:
        yield scenario(
            f"cambodian count for {name}",
            f"The side then to move decides: {reason}.",
            CAMBODIAN,
            f"{men}/{WHITE} w - - 0 1",
            "h1h2",
            **ON,
            count=None if number is None else ["board", 1, number, 64],
        )


BARED = "4k3/8/8/8/8/7P/3m4/R2RK3 w - 128 19 40"
LATE = "4k3/8/8/8/8/7P/8/R3K3 b - 128 126 140"
CHASER_BARED = "8/8/8/p7/8/4k3/3S4/7K b - 128 20 40"
# How a cambodian count goes on once its conditions no longer hold.
COURSE = [
    scenario(
        "bared with a bia left",
        "The conditions are asked only at the start: the counter is bared, a bia is left, and 10 of 64 stays.",
        CAMBODIAN,
        BARED,
        "d1d2",
        **ON,
        count=["board", 1, 10, 64],
    ),
    scenario(
        "bare counter goes on speaking",
        "10 + 1 = 11 of 64 with the bare khun's move.",
        CAMBODIAN,
        BARED,
        "d1d2 e8e7",
        **ON,
        count=["board", 1, 11, 64],
    ),
    scenario(
        "bare counter speaks 64",
        "64 is spoken and the chaser has one reply.",
        CAMBODIAN,
        LATE,
        "e8e7",
        **ON,
        count=["board", 1, 64, 64],
    ),
    scenario(
        "board count of a bare counter ends the game",
        "The reply to 64 ends it, the bia still standing.",
        CAMBODIAN,
        LATE,
        "e8e7 a1a2",
        **drawn("BOARD_COUNT"),
    ),
    scenario(
        "khun takes the only man left",
        "Two bare khuns start no pieces count, and the count that runs goes on: 10 + 1.",
        options("ttakji", board_count="cambodian", material=[]),
        "8/8/8/8/8/7P/6k1/4K3 b - 128 20 40",
        "g2h3",
        **ON,
        count=["board", 1, 11, 64],
    ),
    scenario(
        "chaser bared with a bia left",
        "The chaser has lost his last man, but a bia of the counter stands: the board count goes on, 10 + 1.",
        CAMBODIAN,
        CHASER_BARED,
        "e3d2",
        **ON,
        count=["board", 1, 11, 64],
    ),
    scenario(
        "former chaser becomes the counter",
        "The last bia promotes and leaves the bare side to move: it counts now, n = N = 3 and L = 64 for one met.",
        CAMBODIAN,
        CHASER_BARED,
        "e3d2 h1g1 a5a4 g1h1 a4a3m",
        **ON,
        count=["pieces", 0, 3, 64],
    ),
]


def replaced() -> Iterator[Scenario]:
    """Yield a cambodian count that gives way to a pieces count with the last bia."""
    for number in (63, 64):
        yield scenario(
            f"promotion replaces a cambodian count at {number}",
            f"The last bia promotes, so a pieces count replaces {number} of 64: n = N = 4, L = 16.",
            CAMBODIAN,
            f"4k3/8/8/7P/8/8/8/R3K3 w - 128 {2 * number - 1} 140",
            "h5h6m",
            **ON,
            count=["pieces", 1, 4, 16],
        )
    for number in (10, 63):
        yield scenario(
            f"khun takes the last bia at {number} of a cambodian count",
            "The bare counter takes the last bia itself: a pieces count starts, n = N = 3, with the chaser to move.",
            CAMBODIAN,
            f"8/8/8/8/8/7P/6k1/R3K3 b - 128 {2 * number} 100",
            "g2h3",
            **ON,
            count=["pieces", 1, 3, 16],
        )


def without_pieces_count(rule: str) -> Iterator[Scenario]:
    """Yield how a cambodian count ends once its counter is bare, where no pieces count starts by itself."""
    rules = options("ttakji", board_count="cambodian", pieces_count=rule)
    yield scenario(
        f"cambodian counter bared with a bia left, pieces count {rule}",
        "A bia is left, so the board count goes on at 10.",
        rules,
        "4k3/8/8/8/8/7P/3m4/R2RK3 w - 128 19 40",
        "d1d2",
        **ON,
        count=["board", 1, 10, 64],
    )
    yield scenario(
        f"last bia promoted against a bare cambodian counter, pieces count {rule}",
        "The promotion leaves no bia and one side bare, which ends the board count.",
        rules,
        "4k3/8/8/7P/8/8/8/R3K3 w - 128 19 40",
        "h5h6m",
        **ON,
        count=None,
    )
    yield scenario(
        f"last bia taken by a bare cambodian counter, pieces count {rule}",
        "The capture leaves no bia and one side bare, which ends the board count.",
        rules,
        "8/8/8/8/8/7P/6k1/R3K3 b - 128 126 100",
        "g2h3",
        **ON,
        count=None,
    )


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating([*STARTS, *numbers_of_men()])
    yield from alternating([*COURSE, *replaced()])
    for rule in ("declared", "off"):
        yield from alternating(without_pieces_count(rule))
