"""Ctrl-C: the first one asks, the second one interrupts."""

from __future__ import annotations

import signal

import pytest

from training.interrupts import first_interrupt


def test_the_first_asks_and_the_second_interrupts() -> None:
    before, asked = signal.getsignal(signal.SIGINT), []
    with first_interrupt(lambda: asked.append(1)):
        signal.raise_signal(signal.SIGINT)
        assert asked == [1]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert asked == [1]
    assert signal.getsignal(signal.SIGINT) is before
