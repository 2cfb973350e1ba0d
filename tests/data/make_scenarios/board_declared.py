"""Board counts that a side declares, and the ends of every board count."""

from __future__ import annotations

from collections.abc import Iterator

from .arithmetic import around_the_limit, fields, plies_left
from .scenario import ON, Scenario, alternating, around, drawn, options, scenario

TTAKJI = "ttakji"
MEN = "4k3/3m4/8/8/8/8/8/R3K3"
BLACK_FIRST, WHITE_FIRST = "d7c6 a1a2 c6d7 a2a1", "a1a2 d7c6 a2a1 c6d7"

BEGIN = f"{MEN} b - - 0 40"
# Who may start a board count and when.
STARTS = [
    scenario(
        "board count started",
        "It starts with n = 0 of 64 for the side that says so; the turn does not pass and holds one declaration.",
        TTAKJI,
        BEGIN,
        "start",
        **ON,
        count=["board", 1, 0, 64],
        fen=f"{MEN} b - 128 0 40 start",
        legal_lacks=["start", "stop"],
    ),
    scenario(
        "first number of a board count",
        "The move of the turn in which it was started is number 1; field 5 is 2n - 1 = 1 with the chaser to move.",
        TTAKJI,
        BEGIN,
        "start d7c6",
        **ON,
        count=["board", 1, 1, 64],
        fen="4k3/8/2m5/8/8/8/8/R3K3 w - 128 1 41",
        legal_lacks=["start", "stop"],
    ),
    scenario(
        "chaser's move is not numbered",
        "Only the counter's moves raise n, which stays 1; the counter may now stop.",
        TTAKJI,
        BEGIN,
        "start d7c6 a1a2",
        **ON,
        count=["board", 1, 1, 64],
        fen="4k3/8/2m5/8/8/8/R7/4K3 b - 128 2 41",
        legal_has=["stop"],
        legal_lacks=["start"],
    ),
    scenario(
        "chaser stops nothing",
        "A count belongs to its counter; the other side cannot stop it.",
        TTAKJI,
        BEGIN,
        "start d7c6 stop",
        error="IllegalMoveError",
    ),
    scenario(
        "start and stop in one turn",
        "A stop needs a later turn than the start.",
        TTAKJI,
        BEGIN,
        "start stop",
        error="IllegalMoveError",
    ),
    scenario(
        "either side may start",
        "The side with the ruea may count as well; the board count asks only for no bia and no bare side.",
        TTAKJI,
        f"{MEN} w - - 0 40",
        "start a1a2",
        **ON,
        count=["board", 0, 1, 64],
    ),
    scenario(
        "no board count against a bare khun",
        "A bare opponent rules out a board count, and the pieces count is not this side's.",
        TTAKJI,
        "4k3/3m4/8/8/8/8/8/4K3 b - - 0 40",
        **ON,
        legal_lacks=["start", "stop"],
    ),
    scenario(
        "no board count by a bare khun",
        "A bare side has no board count to start; its pieces count starts by itself.",
        TTAKJI,
        "4k3/8/8/8/8/8/8/R3K3 b - - 0 40",
        **ON,
        legal_lacks=["start", "stop"],
    ),
    scenario(
        "board count off",
        "Nothing starts by itself either.",
        options("ttakji", board_count="off", repetition=0),
        f"{MEN} w - - 0 1",
        around(WHITE_FIRST, 132),
        **ON,
        count=None,
    ),
    scenario(
        "a capture does not restart the count",
        "Men that are lost change neither n nor L: 10 of 64 as before.",
        TTAKJI,
        "4k3/3m4/2s5/8/8/8/8/R1R1K3 w - 128 19 40",
        "c1c6",
        **ON,
        count=["board", 1, 10, 64],
    ),
]


def refused_starts() -> Iterator[Scenario]:
    """Yield positions and rules in which a board count cannot be declared."""
    for name, men in (("own bia", "4k3/3m4/p7/8/8/8/8/R3K3"), ("enemy bia", "4k3/3m4/8/8/8/7P/8/R3K3")):
        yield scenario(
            f"no board count beside {name}",
            "Any bia on the board keeps a board count from starting.",
            TTAKJI,
            f"{men} b - - 0 40",
            **ON,
            legal_lacks=["start", "stop"],
        )
    for rule in ("off", "auto", "cambodian"):
        yield scenario(
            f"nothing to declare under board count {rule}",
            "Only the option that lets a side declare gives the declarations.",
            options("ttakji", board_count=rule),
            BEGIN,
            "start",
            error="IllegalMoveError",
        )


def ends() -> Iterator[Scenario]:
    """Yield board counts played to their end, from the start and from around the limit."""
    for count_end, plies in (("last_reply", 128), ("exceed", 129), ("reach", 127)):
        rules = options("ttakji", count_end=count_end, repetition=0)
        reason = {
            "last_reply": "the 64th move of the counter and the reply to it: 2 x 64 plies",
            "exceed": "the 65th move of the counter, after 64 replies: 65 + 64 plies",
            "reach": "the 64th move of the counter, after 63 replies: 64 + 63 plies",
        }[count_end]
        moves = around(BLACK_FIRST, plies)
        yield scenario(
            f"whole board count, {count_end}",
            f"The game ends with {reason}.",
            rules,
            f"{MEN} b - - 0 1",
            f"start {moves}",
            **drawn("BOARD_COUNT"),
        )
    for number, count_end, counter_to_move in around_the_limit(64):
        plies = plies_left(number, 64, count_end, counter_to_move)
        side, shuffle = ("b", BLACK_FIRST) if counter_to_move else ("w", WHITE_FIRST)
        mover = "counter" if counter_to_move else "chaser"
        yield scenario(
            f"board count set up at {number} of 64, {count_end}, {mover} to move",
            f"With {number} spoken of 64 under {count_end} there are {plies} plies left.",
            options("ttakji", count_end=count_end),
            f"{MEN} {side} - {fields(number, 64, count_end, counter_to_move)} 100",
            around(shuffle, plies),
            **drawn("BOARD_COUNT"),
        )


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating([*STARTS, *refused_starts()])
    yield from alternating(ends())
