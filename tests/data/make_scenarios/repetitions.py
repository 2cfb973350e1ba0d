"""Repeated positions and perpetual checks."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Scenario, alternating, around, both_ways, drawn, options, scenario, won

ARRAY = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"
MEN = "4k3/3m4/8/8/8/8/8/R3K3 w - - 0 1"
MA_ROUND = "b1d2 b8d7 d2b1 d7b8"

# White's ruea checks from g1 and h1 in turn, Black's khun goes to and fro between g8 and h8.
CHASE = "7k/8/8/8/8/8/8/K5R1 w - - 0 1"
CHECKS = "g1h1 h8g8 h1g1 g8h8"
QUIET = "g1f1 h8g8 f1g1 g8h8"

# White's ma on g2 covers the ruea's rank 2 and nothing else of White's can move: e1 and e3 both discover check,
# and from either square, the khun having gone to the other, the ma checks again by going back.
BATTERY = "8/8/8/5p1p/5P1P/1p5P/1P1k2NR/KP5P w - - 0 1"
BY_E3, BY_E1 = "g2e3 d2e1 e3g2 e1d2", "g2e1 d2e3 e1g2 e3d2"


def plain() -> Iterator[Scenario]:
    """Yield repetitions without checks."""
    for repetition, plies in ((2, 4), (3, 8), (5, 16)):
        rules = options("ttakji", repetition=repetition)
        yield scenario(
            f"occurrence {repetition} draws",
            f"A round of four plies returns to the start, which stands for time {repetition} after {plies} plies.",
            rules,
            None,
            around(MA_ROUND, plies),
            **drawn("REPETITION"),
        )
        yield scenario(
            f"one ply before occurrence {repetition}",
            f"After {plies - 1} plies no position has stood {repetition} times.",
            rules,
            None,
            around(MA_ROUND, plies - 1),
            **ON,
        )
    yield scenario(
        "repetition off",
        "With 0 a position may stand ever so often, here eleven times.",
        options("ttakji", repetition=0),
        None,
        around(MA_ROUND, 40),
        **ON,
    )
    yield scenario(
        "occurrences need not follow one another",
        "The second and the third occurrence of the start are four and twelve plies on, with other positions between.",
        "ttakji",
        None,
        f"{MA_ROUND} g1e2 g8e7 b1d2 b8d7 e2g1 e7g8 d2b1 d7b8",
        **drawn("REPETITION"),
    )
    yield scenario(
        "a bia move between",
        "Bia do not go back: the start has stood twice and so has the position after the bia moves.",
        "ttakji",
        None,
        f"{MA_ROUND} a3a4 a6a5 {MA_ROUND}",
        **ON,
    )


def what_counts() -> Iterator[Scenario]:
    """Yield what belongs to a position and what does not."""
    yield scenario(
        "the side to move belongs to the position",
        "The men stand as at first after 4 and 9 plies too, but after 9 the other side is to move.",
        "ttakji",
        "4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1",
        "a1b1 e8d8 b1a1 d8e8 a1c1 e8d8 c1b1 d8e8 b1a1",
        **ON,
    )
    yield scenario(
        "the count does not belong to the position",
        "The count is started in the second round; men and side to move are the same for the third time all the same.",
        "ttakji",
        MEN,
        "a1a2 d7c6 a2a1 c6d7 a1a2 start d7c6 a2a1 c6d7",
        **drawn("REPETITION"),
    )
    yield scenario(
        "a running number does not belong to the position",
        "The pieces count has risen by two a round and the position is still the same, for the third time.",
        "ttakji",
        "7k/8/8/8/8/8/8/R2K4 w - - 0 1",
        "d1d2 h8h7 d2d1 h7h8 d1d2 h8h7 d2d1 h7h8",
        **drawn("REPETITION"),
    )
    yield scenario(
        "first-move rights do not belong to the position",
        "Both khuns have lost their leap after the first round, yet the start stands for the third time.",
        "ouk",
        ARRAY.replace("w -", "w DEde"),
        around("d1d2 e8e7 d2d1 e7e8", 8),
        **drawn("REPETITION"),
    )


def perpetual() -> Iterator[Scenario]:
    """Yield checks all the way, and with a quiet move among them, under each option."""
    twice = around(CHECKS, 8)
    ends = {"draw": drawn("REPETITION"), "loss": won("0-1", "PERPETUAL_CHECK"), "forbidden": ON}
    reasons = {"draw": "a draw like any other", "loss": "lost by the checking side", "forbidden": "no end of the game"}
    for value, expect in ends.items():
        yield scenario(
            f"checks all the way, {value}",
            f"White has checked with every move since the first of three occurrences: {reasons[value]}.",
            options("ttakji", perpetual_check=value),
            CHASE,
            twice,
            **expect,
        )
        yield scenario(
            f"checks all the way, {value}, one ply before",
            "No position has stood three times yet.",
            options("ttakji", perpetual_check=value),
            CHASE,
            around(CHECKS, 7),
            **ON,
        )
        for when, moves in (("second", f"{QUIET} {CHECKS}"), ("third", f"{CHECKS} {QUIET}")):
            yield scenario(
                f"one quiet move before the {when} occurrence, {value}",
                "White's move to f1 gave no check, so the third occurrence is a draw like any other.",
                options("ttakji", perpetual_check=value),
                CHASE,
                moves,
                **drawn("REPETITION"),
            )
        yield scenario(
            f"a quiet move before the first occurrence, {value}",
            "White's first move is quiet, but it comes before the earliest of the three occurrences.",
            options("ttakji", perpetual_check=value),
            "7k/8/8/8/8/8/8/1K4R1 w - - 0 1",
            f"b1a1 h8h7 {around('g1h1 h7g7 h1g1 g7h7', 8)}",
            **expect,
        )
    for repetition, plies in ((2, 4), (5, 16)):
        for value, expect in (("loss", won("0-1", "PERPETUAL_CHECK")), ("draw", drawn("REPETITION"))):
            yield scenario(
                f"checks all the way to occurrence {repetition}, {value}",
                f"Occurrence {repetition} of the first position comes after {plies} plies.",
                options("ttakji", perpetual_check=value, repetition=repetition, pieces_count="off"),
                CHASE,
                around(CHECKS, plies),
                **expect,
            )
    yield scenario(
        "checks all the way with repetition off",
        "Where no occurrence draws none can be lost either.",
        options("ttakji", perpetual_check="loss", repetition=0),
        CHASE,
        twice,
        **ON,
    )


def by_the_check() -> Iterator[Scenario]:
    """Yield third occurrences brought about by the checking move itself."""
    checked = "7k/8/8/8/8/8/8/K6R b - - 0 1"
    round_of_four = "h8g8 h1g1 g8h8 g1h1"
    yield scenario(
        "third occurrence by a check, loss",
        "White's check brings the third occurrence about; the set-up check itself is no move, all others checked.",
        options("ttakji", perpetual_check="loss"),
        checked,
        around(round_of_four, 8),
        **won("0-1", "PERPETUAL_CHECK"),
    )
    yield scenario(
        "third occurrence by a check, forbidden",
        "The check that would bring the third occurrence about is not allowed; quiet moves are.",
        options("ttakji", perpetual_check="forbidden"),
        checked,
        around(round_of_four, 7),
        **ON,
        legal_has=["g1g2", "g1f1"],
        legal_lacks=["g1h1"],
    )
    yield scenario(
        "third occurrence by a check, refused",
        "A move that is not allowed cannot be played.",
        options("ttakji", perpetual_check="forbidden"),
        checked,
        around(round_of_four, 8),
        error="IllegalMoveError",
    )
    yield scenario(
        "third occurrence by a check after a quiet move",
        "White's moves to f1 and g1 gave no check, so the check that follows is allowed and draws.",
        options("ttakji", perpetual_check="forbidden"),
        checked,
        "h8g8 h1g1 g8h8 g1h1 h8g7 h1f1 g7h7 f1g1 h7h8 g1h1",
        **drawn("REPETITION"),
    )


def forbidden() -> Iterator[Scenario]:
    """Yield games that go on after a third occurrence."""
    rules = options("ttakji", perpetual_check="forbidden")
    third = around(CHECKS, 8)
    yield scenario(
        "after the third occurrence the checking way is closed",
        "Going on to h1 would bring about a third occurrence after checks all the way; a check on g8 would not.",
        rules,
        CHASE,
        third,
        **ON,
        legal_has=["g1g2", "g1f1", "g1g8", "a1b1"],
        legal_lacks=["g1h1"],
    )
    yield scenario(
        "fourth occurrence after a quiet move",
        "White has made quiet moves since the earliest occurrence, so the fourth is an ordinary draw.",
        rules,
        CHASE,
        f"{third} g1f1 h8h7 f1g1 h7h8",
        **drawn("REPETITION"),
    )
    yield scenario(
        "second occurrence forbids under repetition 2",
        "The second occurrence, after four plies, ends nothing, but the check that would bring one about is closed.",
        options("ttakji", perpetual_check="forbidden", repetition=2),
        CHASE,
        CHECKS,
        **ON,
        legal_lacks=["g1h1"],
    )
    yield scenario(
        "wikipedia forbids as well",
        "There perpetual check is forbidden.",
        "wikipedia",
        CHASE,
        third,
        **ON,
        legal_lacks=["g1h1"],
    )


def battery() -> Iterator[Scenario]:
    """Yield a side whose every move checks, until none of them is allowed."""
    rules = options("ttakji", perpetual_check="forbidden")
    yield scenario(
        "only discovered checks",
        "Only the ma on g2 can move, and each of its moves uncovers the ruea.",
        rules,
        BATTERY,
        **ON,
        legal=["g2e1", "g2e3"],
    )
    for value, expect in (("draw", drawn("REPETITION")), ("loss", won("0-1", "PERPETUAL_CHECK"))):
        yield scenario(
            f"discovered checks all the way, {value}",
            "Each of White's moves checked, directly or by discovery, and the third occurrence ends the game.",
            options("ttakji", perpetual_check=value),
            BATTERY,
            around(BY_E3, 8),
            **expect,
        )
    yield scenario(
        "one of two checks is closed",
        "g2e3 would bring about a third occurrence, g2e1 a first.",
        rules,
        BATTERY,
        around(BY_E3, 8),
        **ON,
        legal=["g2e1"],
    )
    yield scenario(
        "fourth occurrence after checks all the way",
        "By the other way back the first position stands for the fourth time and the game still goes on.",
        rules,
        BATTERY,
        f"{around(BY_E3, 8)} {BY_E1}",
        **ON,
        legal=["g2e1"],
    )
    yield scenario(
        "no allowed move, every check closed",
        "Both checks would bring about a third occurrence after checks all the way; White has no other move: drawn.",
        rules,
        BATTERY,
        f"{around(BY_E3, 8)} {around(BY_E1, 8)}",
        **drawn("NO_ALLOWED_MOVE"),
    )


def scenarios() -> Iterator[Scenario]:
    """Yield the family; what begins at the usual start keeps its colours."""
    yield from plain()
    for family in (what_counts, perpetual, forbidden, battery):
        yield from alternating(family())
    yield from both_ways(by_the_check())
