"""Which end comes first where several would do, set-up positions, and what is left in a finished game."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Rules, Scenario, alternating, around, drawn, options, scenario, won

TTAKJI = "ttakji"
STALEMATE_LOSES = options("ttakji", stalemate="loss")
CHASE = "7k/8/8/8/8/8/8/R2K4"
CHASE_ROUND = "h8h7 a1a2 h7h8 a2a1"
MEN = "4k3/3m4/p7/8/8/8/8/R3K3"
DEAD = options("ttakji", material=["dead"])
CAPTURE = "4k3/8/8/3m4/4M3/3r4/8/4K3 w - 128 {} 140"

# Stalemates before the end of a count, material after it.
OVER_COUNTS = [
    scenario(
        "stalemate before the end of a count",
        "16 of 16 has been spoken; the last reply stalemates, which under loss wins.",
        STALEMATE_LOSES,
        "k7/2K5/8/2M5/8/8/8/7R w - 32 31 90",
        "c5b6",
        **won("1-0", "STALEMATE"),
    ),
    scenario(
        "last reply without the stalemate",
        "16 of 16 has been spoken and the last reply leaves the khun a move: drawn by the count.",
        STALEMATE_LOSES,
        "k7/2K5/8/2M5/8/8/8/7R w - 32 31 90",
        "c5d6",
        **drawn("PIECES_COUNT"),
    ),
    scenario(
        "no allowed move before the end of a count",
        "64 of 64 has been spoken; the last reply leaves only a move that would stalemate.",
        options("ttakji", stalemate="forbidden"),
        "k7/1R6/8/8/8/8/r7/1R4NK b - 128 127 140",
        "a2h2",
        **drawn("NO_ALLOWED_MOVE"),
    ),
    scenario(
        "end of a count before material",
        "The last reply to 64 leaves two met of one colour, which cannot mate; the count comes first.",
        DEAD,
        CAPTURE.format(127),
        "e4d3",
        **drawn("BOARD_COUNT"),
    ),
    scenario(
        "material before the count has ended",
        "63 has been spoken, so the count does not end yet, but two met of one colour cannot mate.",
        DEAD,
        CAPTURE.format(125),
        "e4d3",
        **drawn("MATERIAL"),
    ),
]


def over_counts_by_a_ply() -> Iterator[Scenario]:
    """Yield counts that end with the third occurrence or with the last capture, or do not yet."""
    for number, plies, expect, reason in (
        (11, 8, drawn("REPETITION"), "15 is spoken by then"),
        (12, 8, drawn("PIECES_COUNT"), "it is the reply to 16 as well, and the count comes first"),
        (13, 6, drawn("PIECES_COUNT"), "the reply to 16 came two plies before"),
    ):
        yield scenario(
            f"repetition and a count set up at {number}",
            f"The third occurrence would come after 8 plies; {reason}.",
            TTAKJI,
            f"{CHASE} b - 32 {2 * number} 30",
            around(CHASE_ROUND, plies),
            **expect,
        )
    for count_end, fields, ends in (
        ("exceed", "32 32", True),
        ("exceed", "32 30", False),
        ("reach", "30 30", True),
        ("reach", "30 28", False),
    ):
        number = int(fields.split()[1]) // 2 + 1
        reason = "ends the count before two bare khuns are drawn" if ends else "ends no count, but two khuns are bare"
        yield scenario(
            f"khun takes the last man with number {number}, {count_end}",
            f"{number} of 16 {reason}.",
            options("ttakji", count_end=count_end),
            f"7k/6R1/8/8/8/8/8/3K4 b - {fields} 90",
            "h8g7",
            **drawn("PIECES_COUNT" if ends else "MATERIAL"),
        )


def over_the_rest() -> Iterator[Scenario]:
    """Yield mates and stalemates that leave men with which nobody could mate."""
    yield scenario(
        "mate before material",
        "The capture leaves two ruea against ruea and khon, a drawn pairing, but it mates.",
        options("ttakji", material=["table"]),
        "1m5k/R7/8/8/8/s7/5K2/rR6 w - - 0 1",
        "b1b8",
        **won("1-0", "CHECKMATE"),
    )
    yield scenario(
        "stalemate before material",
        "The capture leaves one met, which cannot mate, but it stalemates, which under loss wins.",
        options("ttakji", material=["dead"], stalemate="loss"),
        "k7/2K5/1n6/2M5/8/8/8/8 w - - 0 1",
        "c5b6",
        **won("1-0", "STALEMATE"),
    )


COUNTED = "4k3/3m4/8/8/8/8/8/R3K3"
ARRAY = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0"
MA_ROUND = "b1d2 b8d7 d2b1 d7b8"
# What else happens with move 400. The move number tells how many moves were made: 2 x (number - 1), and 1 more where
# Black is to move, so colours are not changed about here.
MAX_PLIES = [
    scenario(
        "declarations are not moves",
        "399 moves were made; starting a count is none, the move after it is number 400.",
        TTAKJI,
        f"{COUNTED} b - - 0 200",
        "start",
        **ON,
    ),
    scenario(
        "move 400 after a declaration",
        "The move after the start is number 400.",
        TTAKJI,
        f"{COUNTED} b - - 0 200",
        "start d7c6",
        **drawn("MAX_PLIES"),
    ),
    scenario(
        "mate with move 400",
        "A mate comes before the cap.",
        TTAKJI,
        "r7/8/8/8/8/6k1/8/7K b - - 0 200",
        "a8a1",
        **won("0-1", "CHECKMATE"),
    ),
    scenario(
        "stalemate with move 400",
        "A stalemate comes before the cap.",
        options("ttakji", stalemate="win"),
        "8/8/8/7p/5m1P/8/5k2/7K b - - 0 200",
        "f4g3",
        **won("1-0", "STALEMATE"),
    ),
    scenario(
        "end of a count with move 400",
        "The reply to 64 is move 400; the count comes before the cap.",
        TTAKJI,
        f"{COUNTED} b - 128 127 200",
        "d7c6",
        **drawn("BOARD_COUNT"),
    ),
    scenario(
        "material with move 400",
        "Two bare khuns come before the cap.",
        TTAKJI,
        "7k/6R1/8/8/8/8/8/3K4 b - - 0 200",
        "h8g7",
        **drawn("MATERIAL"),
    ),
    scenario(
        "repetition with move 400",
        "392 + 8 = 400 moves, and the third occurrence, which comes before the cap.",
        TTAKJI,
        f"{ARRAY} 197",
        around(MA_ROUND, 8),
        **drawn("REPETITION"),
    ),
    scenario(
        "cap before the third occurrence",
        "394 + 6 = 400 moves, two plies before the third occurrence.",
        TTAKJI,
        f"{ARRAY} 198",
        around(MA_ROUND, 6),
        **drawn("MAX_PLIES"),
    ),
    scenario(
        "perpetual check with move 400",
        "392 + 8 = 400 moves, and the third occurrence after checks all the way, which is lost.",
        options("ttakji", perpetual_check="loss"),
        "7k/8/8/8/8/8/8/K5R1 w - - 0 197",
        around("g1h1 h8g8 h1g1 g8h8", 8),
        **won("0-1", "PERPETUAL_CHECK"),
    ),
    scenario(
        "perpetual check that is forbidden, with move 400",
        "The third occurrence ends nothing, so the cap does.",
        options("ttakji", perpetual_check="forbidden"),
        "7k/8/8/8/8/8/8/K5R1 w - - 0 197",
        around("g1h1 h8g8 h1g1 g8h8", 8),
        **drawn("MAX_PLIES"),
    ),
]


def caps() -> Iterator[Scenario]:
    """Yield games one before, at and one after the number of moves at which they are cut off."""
    cases: list[tuple[str, Rules, str, str, dict[str, object], str]] = [
        ("move 399", TTAKJI, f"{MEN} w - - 0 200", "a1b1", ON, "2 x 199 + 1 = 399 moves have been made"),
        ("move 400", TTAKJI, f"{MEN} b - - 0 200", "d7c6", drawn("MAX_PLIES"), "399 + 1 = 400 moves have been made"),
        ("399 moves set up", TTAKJI, f"{MEN} b - - 0 200", "", ON, "2 x 199 + 1 = 399 moves were made before"),
        (
            "400 moves set up",
            TTAKJI,
            f"{MEN} w - - 0 201",
            "",
            drawn("MAX_PLIES"),
            "2 x 200 = 400 moves were made",
        ),
        ("more moves set up", TTAKJI, f"{MEN} w - - 0 300", "", drawn("MAX_PLIES"), "598 moves are more than 400"),
        ("move 599, pychess", "pychess", f"{MEN} w - - 0 300", "a1b1", ON, "2 x 299 + 1 = 599 of 600 moves"),
        ("move 600, pychess", "pychess", f"{MEN} b - - 0 300", "d7c6", drawn("MAX_PLIES"), "599 + 1 = 600 moves"),
        ("no cap, fairy", "fairy", f"{MEN} w - - 0 900", "a1b1", ON, "0 is no cap"),
        ("odd cap", options("ttakji", max_plies=1), None, "e3e4", drawn("MAX_PLIES"), "1 of 1 move has been made"),
        ("cap of 2 after one move", options("ttakji", max_plies=2), None, "e3e4", ON, "1 of 2 moves has been made"),
    ]
    for name, rules, fen, actions, expect, reason in cases:
        yield scenario(f"max plies, {name}", f"{reason[0].upper()}{reason[1:]}.", rules, fen, actions, **expect)


def set_up() -> Iterator[Scenario]:
    """Yield positions that are finished as they are set up, as if a move had led to them."""
    cases = [
        ("mate", TTAKJI, "1R5k/R7/8/8/8/8/3m4/5K2 b - - 0 1", won("1-0", "CHECKMATE")),
        ("stalemate", TTAKJI, "k7/2K5/1M6/p7/P7/8/8/8 b - - 0 1", drawn("STALEMATE")),
        ("bare khuns", TTAKJI, "k7/2K5/8/8/8/8/8/8 b - - 0 1", drawn("MATERIAL")),
        ("count answered", TTAKJI, f"{CHASE} b - 32 32 90", drawn("PIECES_COUNT")),
        ("count answered, and mate", TTAKJI, "k6R/8/1K6/8/8/8/8/8 b - 32 32 90", won("1-0", "CHECKMATE")),
        (
            "count answered, and dead",
            options("ttakji", material=["dead"]),
            "7k/8/8/8/8/8/8/M2K4 b - 128 128 90",
            drawn("PIECES_COUNT"),
        ),
    ]
    for name, rules, fen, expect in cases:
        yield scenario(
            f"set up with {name}",
            "A position is judged at once, as if a move had led to it; nothing is legal in a finished game.",
            rules,
            fen,
            **expect,
            legal=[],
        )
    yield scenario(
        "no move in a finished game",
        "The mate has ended the game, so not even a khun's step is legal.",
        TTAKJI,
        "7k/R7/8/8/8/8/3m4/1R3K2 w - - 0 1",
        "b1b8 d2c3",
        error="IllegalMoveError",
    )
    yield scenario(
        "no declaration in a finished game",
        "The count has ended the game, so its counter cannot stop it.",
        TTAKJI,
        "4k3/3m4/8/8/8/8/8/R3K3 w - 128 127 140",
        "a1a2 stop",
        error="IllegalMoveError",
    )


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating([*OVER_COUNTS, *over_counts_by_a_ply()])
    yield from alternating(over_the_rest())
    yield from [*MAX_PLIES, *caps()]
    yield from alternating(set_up())
