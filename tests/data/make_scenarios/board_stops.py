"""Board counts that their counter stops."""

from __future__ import annotations

from collections.abc import Iterator

from .arithmetic import fields
from .scenario import ON, Scenario, alternating, drawn, options, scenario

TTAKJI = "ttakji"
MEN = "4k3/3m4/8/8/8/8/8/R3K3"
AT_ONCE = options("ttakji", counter_mates="draw_unless_stopped")

TOLD = f"{MEN} b - 128 2 41"
# Stops that work with the move of the turn.
STOPS = [
    scenario(
        "count is told between stop and move",
        "The stop works with the move that is still owed; until then n is told, and nothing else is declared.",
        TTAKJI,
        TOLD,
        "stop",
        **ON,
        count=["board", 1, 1, 64],
        fen=f"{TOLD} stop",
        legal_lacks=["start", "stop"],
    ),
    scenario(
        "count is gone after the move",
        "1 + 1 = 2 is below 64, so the count is gone with this move and the half-move clock restarts at 0.",
        TTAKJI,
        TOLD,
        "stop d7c6",
        **ON,
        count=None,
        fen="4k3/8/2m5/8/8/8/8/R3K3 w - - 0 42",
        legal_has=["start"],
    ),
    scenario(
        "other side starts after a stop",
        "No count runs, so the former chaser may start one of his own, from 0.",
        TTAKJI,
        TOLD,
        "stop d7c6 start",
        **ON,
        count=["board", 0, 0, 64],
    ),
    scenario(
        "counter starts again from 1",
        "Whoever starts again starts from the beginning: the first number is 1.",
        TTAKJI,
        f"{MEN} b - 128 80 60",
        "stop d7c6 a1a2 start c6d7",
        **ON,
        count=["board", 1, 1, 64],
    ),
]


def stops_near_the_limit() -> Iterator[Scenario]:
    """Yield stops one before, at and one after the number at which they are void."""
    cases = [
        ("last_reply", 62, "stop d7c6", None, "the move of the stop speaks 63, below 64, so the count is gone"),
        ("last_reply", 63, "stop d7c6", 64, "the move of the stop speaks 64, so the stop is void"),
        ("last_reply", 63, "stop d7c6 a1a2", "drawn", "the stop was void and the chaser has replied to 64"),
        ("exceed", 62, "stop d7c6", None, "the move of the stop speaks 63, so the count is gone"),
        ("exceed", 63, "stop d7c6", 64, "64 has reached L, so the stop is void, but 64 does not exceed it"),
        ("exceed", 63, "stop d7c6 a1a2 stop", 64, "the counter may try again on a later turn"),
        ("exceed", 63, "stop d7c6 a1a2 stop c6d7", "drawn", "the second stop is void as well and 65 exceeds 64"),
        ("exceed", 64, "stop d7c6", "drawn", "the stop is void and 65 exceeds 64"),
        ("reach", 62, "stop d7c6", None, "the move of the stop speaks 63, so the count is gone"),
        ("reach", 63, "stop d7c6", "drawn", "the move of the stop speaks 64, so the stop is void and 64 is reached"),
    ]
    for count_end, number, actions, after, reason in cases:
        expect = drawn("BOARD_COUNT") if after == "drawn" else {**ON, "count": after and ["board", 1, after, 64]}
        yield scenario(
            f"stop at {number}, {count_end}, after {actions}",
            f"With {number} spoken, {reason}.",
            options("ttakji", count_end=count_end),
            f"{MEN} b - {fields(number, 64, count_end, counter_to_move=True)} 140",
            actions,
            **expect,
        )


TOLD_10 = f"{MEN} b - 128 10 41"
EXCEED_AT_ONCE = options("ttakji", counter_mates="draw_unless_stopped", count_end="exceed")
# Stops that work before the move, as "draw_unless_stopped" has them.
STOPS_AT_ONCE = [
    scenario(
        "stop at once",
        "The count is gone before the move; field 7 keeps the turn from starting another.",
        AT_ONCE,
        TOLD_10,
        "stop",
        **ON,
        count=None,
        fen=f"{MEN} b - - 0 41 stop",
        legal_lacks=["start", "stop"],
    ),
    scenario(
        "move after a stop at once",
        "The move is not numbered; the half-move clock restarted at 0 with the stop and a quiet move makes it 1.",
        AT_ONCE,
        TOLD_10,
        "stop d7c6",
        **ON,
        count=None,
        fen="4k3/8/2m5/8/8/8/8/R3K3 w - - 1 42",
    ),
    scenario(
        "start after a stop at once",
        "A new start needs a later turn, and begins from 0.",
        AT_ONCE,
        TOLD_10,
        "stop d7c6 a1a2 start",
        **ON,
        count=["board", 1, 0, 64],
    ),
    scenario(
        "stop at once with 63 spoken",
        "The move after the stop is not numbered, so 64 is never spoken and the reply ends nothing.",
        AT_ONCE,
        f"{MEN} b - 128 126 140",
        "stop d7c6 a1a2",
        **ON,
        count=None,
    ),
    scenario(
        "stop at once with 64 spoken",
        "A stop at once works whatever n is: 65 is never spoken.",
        EXCEED_AT_ONCE,
        f"{MEN} b - 128 128 140",
        "stop d7c6",
        **ON,
        count=None,
    ),
    scenario(
        "no stop with 64 spoken",
        "Without the stop the move speaks 65, which exceeds 64.",
        EXCEED_AT_ONCE,
        f"{MEN} b - 128 128 140",
        "d7c6",
        **drawn("BOARD_COUNT"),
    ),
    scenario(
        "stop at once with 63 spoken, reach",
        "The move after the stop is not numbered, so 64 is not reached.",
        options("ttakji", counter_mates="draw_unless_stopped", count_end="reach"),
        f"{MEN} b - 126 126 140",
        "stop d7c6",
        **ON,
        count=None,
    ),
    scenario(
        "stop at once in the pychess rules",
        "There a stop works at once, here with 64 of 64 spoken.",
        "pychess",
        f"{MEN} b - 128 128 140",
        "stop d7c6",
        **ON,
        count=None,
    ),
]


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating([*STOPS, *stops_near_the_limit()])
    yield from alternating(STOPS_AT_ONCE)
