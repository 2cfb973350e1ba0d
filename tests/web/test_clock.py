"""The clocks: five minutes, then three periods of half a minute."""

from __future__ import annotations

import pytest

from makruk_web.clock import MAIN, PERIOD, Clock, Left, spend


@pytest.mark.parametrize(
    ("left", "seconds", "expected"),
    [
        (Left(300.0, 3), 10.0, Left(290.0, 3)),
        (Left(300.0, 3), 300.0, Left(0.0, 3)),
        (Left(300.0, 3), 329.9, Left(0.0, 3)),
        (Left(300.0, 3), 330.0, Left(0.0, 2)),
        (Left(0.0, 3), 29.0, Left(0.0, 3)),
        (Left(0.0, 3), 89.0, Left(0.0, 1)),
        (Left(0.0, 3), 90.0, None),
        (Left(0.0, 1), 29.9, Left(0.0, 1)),
        (Left(0.0, 1), 30.0, None),
        (Left(300.0, 3), 389.9, Left(0.0, 1)),
        (Left(300.0, 3), 390.0, None),
    ],
)
def test_what_a_turn_costs(left: Left, seconds: float, expected: Left | None) -> None:
    assert spend(left, seconds) == expected


def test_a_turn_is_timed_from_the_move_before_it() -> None:
    clock = Clock()
    assert not clock.flagged(1e6)
    clock.turn(1, 100.0)
    clock.turn(0, 112.0)
    assert clock.left == [Left(MAIN, 3), Left(MAIN - 12, 3)]
    assert clock.told(0, 115.0) == Left(MAIN - 3, 3)
    assert clock.told(1, 115.0) == Left(MAIN - 12, 3)
    assert clock.flagged(112.0 + MAIN + 3 * PERIOD)
    assert not clock.flagged(112.0 + MAIN + 3 * PERIOD - 0.1)


def test_a_clock_that_stands_costs_nothing_and_a_declaration_keeps_the_turn() -> None:
    clock = Clock()
    clock.turn(0, 0.0)
    clock.stop(20.0)
    assert clock.elapsed(500.0) == 20.0
    clock.turn(0, 500.0)
    assert clock.elapsed(505.0) == 25.0
    clock.turn(1, 505.0)
    assert clock.left[0] == Left(MAIN - 25.0, 3)


def test_the_period_that_a_side_is_in() -> None:
    clock = Clock([Left(0.0, 3), Left(MAIN, 3)])
    clock.turn(0, 0.0)
    assert (clock.of_period(0, 12.0), clock.told(0, 12.0).periods) == (18.0, 3)
    assert (clock.of_period(0, 40.0), clock.told(0, 40.0).periods) == (20.0, 2)
    assert (clock.of_period(0, 95.0), clock.told(0, 95.0).periods) == (0.0, 0)
    assert clock.of_period(1, 12.0) == PERIOD
