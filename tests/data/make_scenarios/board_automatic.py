"""Board counts that start by themselves when the last bia is gone."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Scenario, alternating, around, drawn, options, scenario

FAIRY = "fairy"

# The moves after which an automatic board count does or does not run.
AUTOMATIC = [
    scenario(
        "last bia captured",
        "No bia is left and both sides have men: the count starts with n = 0 for the side then to move.",
        FAIRY,
        "4k3/3m4/8/8/7p/8/8/R3K2R w - - 0 1",
        "h1h4",
        **ON,
        count=["board", 1, 0, 64],
        fen="4k3/3m4/8/8/7R/8/8/R3K3 b - 128 0 1",
    ),
    scenario(
        "last bia captured by the weaker side",
        "The counter is the side to move after the capture, whoever is stronger.",
        FAIRY,
        "4k2r/8/8/8/8/7P/8/RS2K3 b - - 0 1",
        "h8h3",
        **ON,
        count=["board", 0, 0, 64],
    ),
    scenario(
        "last bia promoted",
        "A promoted bia is a met, so none is left and the count starts for the other side.",
        FAIRY,
        "4k3/3m4/8/7P/8/8/8/R3K3 w - - 0 1",
        "h5h6m",
        **ON,
        count=["board", 1, 0, 64],
    ),
    scenario(
        "one of two bia promoted",
        "A bia of the other side is left, so nothing starts.",
        FAIRY,
        "4k3/3m4/8/7P/p7/8/8/R3K3 w - - 0 1",
        "h5h6m",
        **ON,
        count=None,
    ),
    scenario(
        "set up without bia, no move made",
        "Nothing runs until a first move has been made, and nothing can be declared.",
        FAIRY,
        "4k3/3m4/8/8/8/8/8/R3K3 w - - 0 1",
        **ON,
        count=None,
        legal_lacks=["start", "stop"],
    ),
    scenario(
        "set up without bia, first move",
        "The first move starts the count for the side it leaves to move, which cannot stop it.",
        FAIRY,
        "4k3/3m4/8/8/8/8/8/R3K3 w - - 0 1",
        "a1a2",
        **ON,
        count=["board", 1, 0, 64],
        legal_lacks=["start", "stop"],
    ),
    scenario(
        "automatic count keeps its counter",
        "The counter's own move speaks 1; the other side's turn starts nothing new.",
        FAIRY,
        "4k3/3m4/8/8/8/8/8/R3K3 w - - 0 1",
        "a1a2 d7c6 a2a1",
        **ON,
        count=["board", 1, 1, 64],
        legal_lacks=["start", "stop"],
    ),
    scenario(
        "last bia captured, which bares",
        "The capture leaves no bia but also a bare side: a pieces count, N = 4 and L = 8 for two ruea.",
        FAIRY,
        "4k3/8/8/8/7p/8/8/R3K2R w - - 0 1",
        "h1h4",
        **ON,
        count=["pieces", 1, 4, 8],
    ),
]


def whole_counts() -> Iterator[Scenario]:
    """Yield automatic board counts from a set-up position to their end."""
    for count_end, plies, reason in (
        ("exceed", 130, "the counter's 65th move is ply 1 + 64 + 65"),
        ("reach", 128, "the counter's 64th move is ply 1 + 63 + 64"),
        ("last_reply", 129, "the reply to the counter's 64th move is ply 1 + 64 + 64"),
    ):
        yield scenario(
            f"whole automatic board count, {count_end}",
            f"The first move starts the count with n = 0; {reason}.",
            options("fairy", count_end=count_end, repetition=0),
            "k4r2/8/8/8/8/8/8/2R4K w - - 0 1",
            around("c1c2 f8f7 c2c1 f7f8", plies),
            **drawn("BOARD_COUNT"),
        )


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating(AUTOMATIC)
    yield from whole_counts()
