"""Mates given by the counter of a board count."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import Scenario, alternating, both_ways, drawn, options, scenario, won

# Two positions in which b1b8 mates: one takes nothing, the other takes Black's last man.
QUIET = "7k/R7/8/8/8/8/3m4/1R3K2"
BARING = "1m5k/R7/8/8/8/8/8/1R3K2"
OPTION_VALUES = ("draw", "draw_unless_stopped", "win")
HALF, WIN = drawn("COUNTER_MATED"), won("1-0", "CHECKMATE")

# What was said of the count before the mating move; fields 2 to 7; what was declared; the end under each value (None:
# a turn that these rules do not bring about); why.
TURNS = [
    ("running", "w - 128 40 40", "", (HALF, HALF, WIN), "the counter's own count runs, so he may not win"),
    ("stopped this turn", "w - 128 40 40", "stop", (HALF, WIN, WIN), "a stop frees him only where it works at once"),
    ("started this turn", "w - - 0 40", "start", (HALF, HALF, WIN), "a count started in this very turn runs already"),
    ("stop that is void", "w - 128 126 40", "stop", (HALF, WIN, WIN), "at 63 a stop works only where it works at once"),
    ("set up as stopped", "w - 128 40 40 stop", "", (HALF, None, WIN), "field 7 says that the stop is still to work"),
    ("set up as stopped at once", "w - - 0 40 stop", "", (None, WIN, None), "field 7 says that the count is gone"),
    ("count of the mated side", "w - 128 39 40", "", (WIN, WIN, WIN), "the count is the other side's, who is mated"),
    ("no count", "w - - 0 40", "", (WIN, None, None), "no count runs"),
]


def matrix() -> Iterator[Scenario]:
    """Yield every such mate under each value of the option, with and without a capture that bares the chaser."""
    for kind, men, turns in (("quiet", QUIET, TURNS), ("baring", BARING, TURNS[:3])):
        for said, fields, declared, results, reason in turns:
            for value, expect in zip(OPTION_VALUES, results, strict=True):
                if expect is None:
                    continue
                yield scenario(
                    f"{kind} mate, {said}, {value}",
                    f"Under {value}: {reason}.",
                    options("ttakji", counter_mates=value),
                    f"{men} {fields}",
                    f"{declared} b1b8",
                    **expect,
                )


def captures() -> Iterator[Scenario]:
    """Yield mates that start, replace or end a count by their own capture."""
    for rule in ("declared", "off"):
        yield scenario(
            f"baring mate that ends the count, pieces count {rule}",
            "The capture ends the board count, but it ran while the move was chosen.",
            options("ttakji", pieces_count=rule),
            f"{BARING} w - 128 40 40",
            "b1b8",
            **HALF,
        )
    yield scenario(
        "mate that takes the last bia",
        "An automatic count would start with this move; none ran while it was chosen, so the mate wins.",
        options("ttakji", board_count="auto"),
        "1p5k/R7/8/8/8/8/3m4/1R3K2 w - - 0 40",
        "b1b8",
        **WIN,
    )
    yield scenario(
        "mate under an automatic count of the mating side",
        "An automatic count cannot be stopped, and its counter may not win.",
        options("ttakji", board_count="auto"),
        f"{QUIET} w - 128 40 40",
        "b1b8",
        **HALF,
    )
    yield scenario(
        "mate in a pieces count",
        "Pieces counts are not concerned: the chaser of a bare khun wins by mate.",
        "ttakji",
        "7k/R7/8/8/8/8/8/1R3K2 w - 16 11 40",
        "b1b8",
        **WIN,
    )
    yield scenario(
        "stalemate by the counter",
        "Only a mate is barred to the counter; a stalemate that loses is lost by the stalemated side.",
        options("ttakji", stalemate="loss"),
        "k7/2K5/1n6/2MM4/8/8/8/8 w - 128 40 40",
        "c5b6",
        **won("1-0", "STALEMATE"),
    )


def at_the_limit() -> Iterator[Scenario]:
    """Yield mates given by the move that speaks the number on which the count would end."""
    cases = [("reach", "126 126"), ("exceed", "128 128")]
    for count_end, fields in cases:
        for value, expect in zip(OPTION_VALUES, (HALF, HALF, WIN), strict=True):
            yield scenario(
                f"mate with the last number, {count_end}, {value}",
                f"The number spoken with this move would end the count under {count_end}, but a mate comes first.",
                options("ttakji", count_end=count_end, counter_mates=value),
                f"{QUIET} w - {fields} 140",
                "b1b8",
                **expect,
            )
    yield scenario(
        "chaser mates with his last reply",
        "64 of 64 has been spoken; the mate by the chaser comes before the end of the count.",
        "ttakji",
        f"{QUIET} w - 128 127 140",
        "b1b8",
        **WIN,
    )
    yield scenario(
        "last reply that only checks",
        "64 of 64 has been spoken and a8 gives check without mate: drawn.",
        "ttakji",
        "7k/R7/8/8/8/8/3m4/1R3K2 w - 128 127 140",
        "a7a8",
        **drawn("BOARD_COUNT"),
    )


def set_up() -> Iterator[Scenario]:
    """Yield mates that are set up with a count."""
    mated = "1R5k/R7/8/8/8/8/3m4/5K2 b"
    for value, expect in zip(OPTION_VALUES, (HALF, HALF, WIN), strict=True):
        yield scenario(
            f"mate set up, {value}",
            "Field 5 is odd, so the side that is not to move counts and has mated, as if its move had led here.",
            options("ttakji", counter_mates=value),
            f"{mated} - 128 39 40",
            **expect,
        )
    yield scenario(
        "mate set up, counter mated",
        "Field 5 is even: the mated side is the counter, which costs the other side nothing.",
        "ttakji",
        f"{mated} - 128 40 40",
        **WIN,
    )


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating(matrix())
    yield from alternating(captures())
    yield from alternating(at_the_limit())
    yield from both_ways(set_up())
