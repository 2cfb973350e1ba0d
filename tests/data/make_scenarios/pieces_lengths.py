"""Pieces counts: the limit that the chaser's men set, and how many moves that leaves."""

from __future__ import annotations

from collections.abc import Iterator

from .arithmetic import COUNT_ENDS, around_the_limit, chaser_moves, fields, plies_from_start, plies_left
from .scenario import ON, Scenario, alternating, around, drawn, options, scenario

# The chaser's men, L under "ranked", L under "minimum" (None: played under "ranked" only), and what decides it.
ARMIES = [
    ("RR", 8, 8, "two ruea set 8"),
    ("RRSNM", 8, None, "two ruea set 8 whatever stands beside them"),
    ("R", 16, None, "one ruea sets 16"),
    ("RSSNN", 16, 16, "one ruea is asked for before two khon and two ma, so 16"),
    ("SS", 22, None, "two khon set 22"),
    ("SSNN", 22, 22, "two khon are asked for before two ma in both tables, so 22"),
    ("S", 44, 44, "one khon sets 44"),
    ("SN", 44, 44, "one ma is no pair of ma, so the one khon sets 44"),
    ("SMM", 44, None, "met count for nothing beside one khon, so 44"),
    ("SNN", 44, 32, "one khon comes before two ma when ranked (44), after them in the other table (32)"),
    ("NN", 32, 32, "two ma set 32"),
    ("NNMM", 32, None, "two ma set 32, the met add nothing"),
    ("N", 64, 64, "one ma is no row of its own, so 64"),
    ("NMM", 64, None, "one ma and two met fit no row, so 64"),
    ("M", 64, None, "one met fits no row, so 64"),
    ("MMMM", 64, None, "four met fit no row, so 64"),
]

# The chaser's fighters, his first rank, L when ranked, N.
CHASERS = [
    ("RR", "3KM3", 8, 5),
    ("RR", "1M1KM1MM", 8, 8),
    ("RR", "MM1KM1MM", 8, 9),
    ("R", "3K4", 16, 3),
]
# The same, with the way in which the count ends and whether the khun took the last bia itself.
LONG_COUNTS = [
    ("SNN", "1M1KM3", 44, 7, "last_reply", False),
    ("SNN", "1M1KM3", 44, 7, "last_reply", True),
    ("SS", "3K4", 22, 4, "exceed", True),
    ("NN", "3K4", 32, 4, "last_reply", False),
    ("S", "3K4", 44, 3, "reach", False),
    ("N", "3K4", 64, 3, "last_reply", False),
    ("N", "3K4", 64, 3, "exceed", True),
    ("N", "3K4", 64, 3, "reach", True),
]
SHUFFLE_AFTER_CHASER = "h8h7 c2d1 h7h8 d1c2"
SHUFFLE_AFTER_KHUN = "d1d2 h7h8 d2d1 h8h7"
RUNNING = "7k/8/8/8/8/8/8/R2K4"


def limits() -> Iterator[Scenario]:
    """Yield each row of both tables with its near misses: White takes Black's last man."""
    for army, ranked, minimum, reason in ARMIES:
        for table, limit in (("ranked", ranked), ("minimum", minimum)):
            if limit is None:
                continue
            men = len(army) + 2
            yield scenario(
                f"limit of {army}, {table}",
                f"Taking the last man bares the side to move: {reason}; n starts at N = {men}, all men on the board.",
                options("ttakji", pieces_table=table),
                f"7k/8/8/8/{army}{8 - len(army)}/8/2n5/3K4 w - - 0 1",
                "d1c2",
                **ON,
                count=["pieces", 1, men, limit],
                fen=f"7k/8/8/8/{army}{8 - len(army)}/8/2K5/8 b - {2 * limit} {2 * men} 1",
            )


def length(fighters: str, first_rank: str, limit: int, men: int, count_end: str, took: bool) -> Scenario:
    """Return a game in which a pieces count runs from its first move to its end."""
    rank = f"{fighters}{8 - len(fighters)}"
    plies = plies_from_start(men, limit, count_end, took)
    moves = chaser_moves(men, limit, count_end, took)
    if took:
        first, shuffle, how = "h8h7", SHUFFLE_AFTER_KHUN, "the khun took the last bia itself, so the chaser moves first"
        fen = f"7k/7P/8/8/{rank}/8/8/{first_rank} b - - 0 1"
    else:
        first, shuffle, how = "d1c2", SHUFFLE_AFTER_CHASER, "the chaser took the last man, so the counter moves first"
        fen = f"7k/8/8/8/{rank}/8/2n5/{first_rank} w - - 0 1"
    return scenario(
        f"{fighters} with N {men}, {count_end}, {'bia taken by the khun' if took else 'bared by the chaser'}",
        f"N = {men} and L = {limit}; {how}; that leaves the chaser {moves} and the game ends {plies} plies on.",
        options("ttakji", count_end=count_end, repetition=0),
        fen,
        f"{first} {around(shuffle, plies)}",
        **drawn("PIECES_COUNT"),
    )


def lengths() -> Iterator[Scenario]:
    """Yield whole counts, with N below, at and beyond the limit."""
    for fighters, first_rank, limit, men in CHASERS:
        for count_end in COUNT_ENDS:
            for took in (False, True):
                yield length(fighters, first_rank, limit, men, count_end, took)
    for long_count in LONG_COUNTS:
        yield length(*long_count)


def one_ply_before() -> Iterator[Scenario]:
    """Yield the last position of some counts in which the game still goes on, with the number spoken there."""
    fighters, first_rank, limit, men = CHASERS[-1]
    for count_end in COUNT_ENDS:
        for took in (False, True):
            whole = length(fighters, first_rank, limit, men, count_end, took)
            spoken = men + (len(whole.actions) - 2 + (not took)) // 2
            yield scenario(
                f"{whole.name}, one ply before",
                f"The counter has spoken {spoken} of {limit} and one more ply is needed to end the game.",
                whole.rules,
                whole.fen,
                " ".join(whole.actions[:-1]),
                **ON,
                count=["pieces", 1, spoken, limit],
            )


def running() -> Iterator[Scenario]:
    """Yield counts set up around L = 16 with the counter or the chaser to move, played to their end."""
    for number, count_end, counter_to_move in around_the_limit(16):
        plies = plies_left(number, 16, count_end, counter_to_move)
        side, shuffle = ("b", "h8h7 d1d2 h7h8 d2d1") if counter_to_move else ("w", "d1d2 h8h7 d2d1 h7h8")
        mover = "counter" if counter_to_move else "chaser"
        yield scenario(
            f"pieces count set up at {number} of 16, {count_end}, {mover} to move",
            f"With {number} spoken of 16 under {count_end} there are {plies} plies left.",
            options("ttakji", count_end=count_end),
            f"{RUNNING} {side} - {fields(number, 16, count_end, counter_to_move)} 90",
            around(shuffle, plies),
            **drawn("PIECES_COUNT"),
        )


def scenarios() -> Iterator[Scenario]:
    """Yield the family, every second one with White and Black changed about."""
    yield from alternating(limits())
    yield from alternating(lengths())
    yield from alternating(one_ply_before())
    yield from alternating(running())
