"""FEN: counts in fields 4 and 5, and what a turn has declared in field 7."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Scenario, alternating, around, drawn, options, scenario

MEN = "4k3/3m4/8/8/8/8/8/R3K3"

# Rules, FEN before, move, FEN after, why.
FIELDS = [
    (
        "fairy",
        "8/3k4/8/2K1S1P1/8/8/8/8 w - - 0 1",
        "g5g6m",
        "8/3k4/6M1/2K1S3/8/8/8/8 b - 88 8 1",
        "the promotion starts a pieces count: a khon sets 44, 2L = 88; n = N = 4, 2n = 8",
    ),
    (
        "fairy",
        "8/2K3k1/5m2/4S1S1/8/8/8/8 w - 128 97 1",
        "e5f6",
        "8/2K3k1/5S2/6S1/8/8/8/8 b - 44 8 1",
        "the capture bares Black: two khon set 22, 2L = 44; n = N = 4, 2n = 8",
    ),
    (
        "fairy",
        "3k4/2m5/8/4MP2/3KS3/8/8/8 w - - 0 1",
        "f5f6m",
        "3k4/2m5/5M2/4M3/3KS3/8/8/8 b - 128 0 1",
        "the last bia promotes and both sides have men: a board count, 2L = 128, n = 0",
    ),
    (
        "fairy",
        "3k4/2m5/5M2/4M3/3KS3/8/8/8 w - 128 36 1",
        "d4d5",
        "3k4/2m5/5M2/3KM3/4S3/8/8/8 b - 128 37 1",
        "36 is even, so White counts and n = 18; he speaks 19, and 2n - 1 = 37 with the chaser to move",
    ),
    (
        "cambodian",
        "8/3k4/8/2K1S1P1/8/8/8/8 w - - 0 1",
        "g5g6m",
        "8/3k4/6M1/2K1S3/8/8/8/8 b - 86 8 1",
        "under reach field 4 is 2L - 2 = 86; n = N = 4, 2n = 8",
    ),
    (
        "cambodian",
        "8/4k3/8/5P2/8/2RMK3/8/8 w - 126 41 50",
        "f5f6m",
        "8/4k3/5M2/8/8/2RMK3/8/8 b - 30 10 50",
        "the last bia promotes against a bare khun: a ruea sets 16, 2L - 2 = 30; n = N = 5, 2n = 10",
    ),
    (
        "cambodian",
        "8/8/4k3/5P2/8/2RMK3/8/8 b - 126 42 50",
        "e6f5",
        "8/8/8/5k2/8/2RMK3/8/8 w - 30 7 51",
        "the khun takes the last bia: 2L - 2 = 30, n = N = 4, and 2n - 1 = 7 with the chaser to move",
    ),
]


def after_a_move() -> Iterator[Scenario]:
    """Yield moves that start or number a count, with the FEN they leave."""
    for rules, fen, move, after, reason in FIELDS:
        yield scenario(f"fields after {move}, {rules}", f"After {move} {reason}.", rules, fen, move, **ON, fen=after)


def shuffles() -> Iterator[Scenario]:
    """Yield quiet moves to and fro, played until the count draws."""
    chase, chase_round = "k7/8/8/8/8/8/8/2R3K1 w - - 0 1", "c1c2 a8a7 c2c1 a7a8"
    for rules, plies, reason in (
        (options("fairy", repetition=0), 28, "17 exceeds 16 with the 14th move after n = 3 on ply 1: 2 x 14 = 28"),
        (options("cambodian", repetition=0), 26, "16 is reached with the 13th move after n = 3 on ply 1: 2 x 13 = 26"),
        (options("ttakji", repetition=0), 27, "16 is spoken on ply 26, and the reply to it is ply 27"),
    ):
        name = rules["preset"] if isinstance(rules, dict) else rules
        yield scenario(
            f"shuffle of {plies} plies, {name}",
            f"The first move starts a count to 16 at n = 3; {reason}.",
            rules,
            chase,
            around(chase_round, plies),
            **drawn("PIECES_COUNT"),
        )


# A limit under "reach", and a stop that is still to work.
READ = [
    scenario(
        "FEN under reach",
        "Field 4 is 2L - 2, so 30 tells L = 16.",
        options("ttakji", count_end="reach"),
        "4k3/8/8/8/8/8/8/R3K3 b - 30 20 40",
        **ON,
        count=["pieces", 1, 10, 16],
        fen="4k3/8/8/8/8/8/8/R3K3 b - 30 20 40",
    ),
    scenario(
        "stop set up",
        "The move that is owed works the stop: 10 + 1 is below 64.",
        "ttakji",
        f"{MEN} b - 128 20 40 stop",
        "d7c6",
        **ON,
        count=None,
        fen="4k3/8/2m5/8/8/8/8/R3K3 w - - 0 41",
    ),
]


def read_and_written() -> Iterator[Scenario]:
    """Yield counts as they are read from a FEN and written again."""
    cases = [
        (
            "counter to move",
            f"{MEN} b - 128 20 40",
            ["board", 1, 10, 64],
            "20 is even: the side to move counts, n = 10",
        ),
        ("chaser to move", f"{MEN} b - 128 19 40", ["board", 0, 10, 64], "19 is odd: the other side counts, n = 10"),
        ("nothing spoken", f"{MEN} b - 128 0 40", ["board", 1, 0, 64], "0 is even: the side to move counts, n = 0"),
        ("first number", f"{MEN} b - 128 1 40", ["board", 0, 1, 64], "1 is odd: the other side counts, n = 1"),
        ("bare counter", "4k3/8/8/8/8/8/8/R3K3 b - 32 20 40", ["pieces", 1, 10, 16], "the counter is bare: pieces"),
        (
            "bare counter waits",
            "4k3/8/8/8/8/8/8/R3K3 w - 32 19 40",
            ["pieces", 1, 10, 16],
            "the counter is bare: pieces",
        ),
        ("chaser bare", "4k3/8/8/8/8/8/8/R3K3 b - 128 19 40", ["board", 0, 10, 64], "the counter has a ruea: board"),
        ("bare counter and a bia", "4k3/8/8/8/8/7P/8/R3K3 b - 128 20 40", ["board", 1, 10, 64], "a bia is left: board"),
        ("any limit", "4k3/8/8/8/8/8/8/R3K3 b - 88 20 40", ["pieces", 1, 10, 44], "field 4 tells L = 44, not the men"),
        ("a start", f"{MEN} b - 128 0 40 start", ["board", 1, 0, 64], "field 7 tells that it was started in this turn"),
        ("a stop", f"{MEN} b - 128 20 40 stop", ["board", 1, 10, 64], "field 7 tells that the stop is still to work"),
        ("no count", f"{MEN} b - - 17 40", None, "field 4 is a dash: field 5 is the half-move clock"),
    ]
    for name, fen, count, reason in cases:
        yield scenario(
            f"FEN with {name}", f"{reason[0].upper()}{reason[1:]}.", "ttakji", fen, **ON, count=count, fen=fen
        )
    for flag in ("start", "stop"):
        yield scenario(
            f"nothing to declare after {flag}",
            "Field 7 tells that this turn's declaration has been made.",
            "ttakji",
            f"{MEN} b - 128 {0 if flag == 'start' else 20} 40 {flag}",
            **ON,
            legal_lacks=["start", "stop"],
        )


BESIDE = "4k3/3m4/8/8/8/7P/8/R3K3 w - 128 20 40"
# Counts that contradict the position they are set up with.
CONTRADICTIONS = [
    scenario(
        "board count beside a bia",
        "Such a count would not start, but one that is set up is kept: 10 + 1.",
        "ttakji",
        BESIDE,
        "a1a2",
        **ON,
        count=["board", 0, 11, 64],
    ),
    scenario(
        "board count beside a bia that moves",
        "Only a pieces count replaces it; a bia's step starts none.",
        "ttakji",
        BESIDE,
        "h3h4",
        **ON,
        count=["board", 0, 11, 64],
    ),
    scenario(
        "board count beside a bia, until the counter's capture bares",
        "The chaser is bared, but a bia is left, so no pieces count starts and this one is kept.",
        "ttakji",
        "4k3/R2m4/8/8/8/7P/8/4K3 w - 128 20 40",
        "a7d7",
        **ON,
        count=["board", 0, 11, 64],
    ),
    scenario(
        "board count beside a bia, until the promotion",
        "The promotion leaves no bia and a bare side to move: a pieces count, n = N = 4, L = 16.",
        "ttakji",
        "4k3/8/8/7P/8/8/8/R3K3 w - 128 20 40",
        "h5h6m",
        **ON,
        count=["pieces", 1, 4, 16],
    ),
    scenario(
        "board count of a ruea against a bare khun",
        "A quiet move starts no pieces count in its place, so the set-up count is kept: 10 + 1.",
        "ttakji",
        "4k3/8/8/8/8/8/8/R3K3 w - 128 20 40",
        "a1a2",
        **ON,
        count=["board", 0, 11, 64],
    ),
]


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating(after_a_move())
    yield from shuffles()
    yield from alternating([*READ, *read_and_written()])
    yield from alternating(CONTRADICTIONS)
