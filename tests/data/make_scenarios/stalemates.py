"""Stalemates under each option, and moves that are legal but not allowed."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Scenario, alternating, both_ways, drawn, options, scenario, won

# c5b6 shuts in the khun on a8; Black's bia on a5 is blocked and has nothing to take.
BEFORE = "k7/2K5/8/p1M5/P7/8/8/8 w - - 0 1"
STALEMATED = "k7/2K5/1M6/p7/P7/8/8/8 b - - 0 1"
WITHOUT_IT = ["c5b4", "c5d4", "c5d6", "c7b6", "c7c6", "c7c8", "c7d6", "c7d7", "c7d8"]

# Only the e-file moves: all else is blocked, a2 is guarded by the bia on b3 and h7 by the one on g6.
LOCKED = "6pk/6p1/4p1P1/8/8/1p2P3/1P6/KP6 w - - 0 1"
LOCKED_LATER = "6pk/6p1/4p1P1/8/4P3/1p6/1P6/KP6"
# A ruea checks on h2; taking it is White's only legal move and leaves the khun on a8 without a move.
CHECKED = "k7/1R6/8/8/8/8/r7/1R4NK b - - 0 1"
# A ruea on b2, backed by another, could shut in the khun on a8 from b7.
GUARDED = "k7/8/8/8/8/8/1R6/1R2K3 w - - 0 1"
FORBIDDEN = options("ttakji", stalemate="forbidden")


def by_option() -> Iterator[Scenario]:
    """Yield one stalemate, by a move and set up, under each option."""
    ends = {
        "draw": (drawn("STALEMATE"), "it is a draw"),
        "loss": (won("1-0", "STALEMATE"), "the stalemated side loses"),
        "win": (won("0-1", "STALEMATE"), "the stalemated side wins"),
    }
    for value, (expect, reason) in ends.items():
        rules = options("ttakji", stalemate=value)
        why = f"The side to move has no legal move and is not in check; under {value} {reason}."
        yield scenario(f"stalemate by a move, {value}", why, rules, BEFORE, "c5b6", **expect, check=False)
        yield scenario(f"stalemate set up, {value}", why, rules, STALEMATED, **expect)
    yield scenario(
        "stalemating move is legal, draw",
        "Only the option that forbids stalemates takes the move away.",
        "ttakji",
        BEFORE,
        **ON,
        legal=sorted([*WITHOUT_IT, "c5b6"]),
    )
    yield scenario(
        "stalemating move is not legal, forbidden",
        "c5b6 would leave the side to move without a move, so it is not among the legal ones.",
        FORBIDDEN,
        BEFORE,
        **ON,
        legal=WITHOUT_IT,
    )
    yield scenario(
        "stalemating move is refused, forbidden",
        "A move that gives stalemate cannot be played.",
        FORBIDDEN,
        BEFORE,
        "c5b6",
        error="IllegalMoveError",
    )
    yield scenario(
        "stalemate set up, forbidden",
        "Nobody gave this stalemate by a move, so it is a draw.",
        FORBIDDEN,
        STALEMATED,
        **drawn("STALEMATE"),
    )


def bare() -> Iterator[Scenario]:
    """Yield stalemates of a bare khun."""
    men = "k7/2K5/8/2M5/8/8/8/7R w - - 0 1"
    yield scenario(
        "bare khun stalemated",
        "The move would start a pieces count as well, but the stalemate ends the game.",
        options("ttakji", stalemate="loss"),
        men,
        "c5b6",
        **won("1-0", "STALEMATE"),
    )
    yield scenario(
        "a declaration is no move",
        "The bare side could start its count, but it has no legal move: stalemate.",
        options("ttakji", pieces_count="declared", stalemate="win"),
        men,
        "c5b6",
        **won("0-1", "STALEMATE"),
        legal=[],
    )
    yield scenario(
        "bare khun stalemated, wikipedia",
        "There the stalemated side loses.",
        "wikipedia",
        men,
        "c5b6",
        **won("1-0", "STALEMATE"),
    )
    yield scenario(
        "bare khun not to be stalemated, wiki_classic",
        "There a move that gives stalemate is not legal.",
        "wiki_classic",
        men,
        "c5b6",
        error="IllegalMoveError",
    )


# Sides that have legal moves, all of them forbidden, and how close that is to other ends.
NO_ALLOWED_MOVE = [
    scenario(
        "a move that leaves only a forbidden one is allowed",
        "After e3e4 Black can still step e6e5, although that would stalemate White: e3e4 gives no stalemate itself.",
        FORBIDDEN,
        LOCKED,
        **ON,
        legal=["e3e4"],
    ),
    scenario(
        "no allowed move, out of check",
        "Black's only legal move, e6e5, would stalemate White, so Black has none that is allowed: drawn.",
        FORBIDDEN,
        LOCKED,
        "e3e4",
        **drawn("NO_ALLOWED_MOVE"),
        check=False,
        legal=[],
    ),
    scenario(
        "check with one legal move",
        "Taking the ruea on h2 is the only legal move, beside the start of a board count, which is no move.",
        "ttakji",
        CHECKED,
        "a2h2",
        **ON,
        check=True,
        legal=["h1h2", "start"],
    ),
    scenario(
        "the capture stalemates",
        "The khun on a8 has no move: a7 and b8 are attacked and the ruea on b7 is guarded.",
        "ttakji",
        CHECKED,
        "a2h2 h1h2",
        **drawn("STALEMATE"),
    ),
    scenario(
        "no allowed move, in check",
        "White is in check and his only legal move would stalemate Black: no mate, but drawn.",
        FORBIDDEN,
        CHECKED,
        "a2h2",
        **drawn("NO_ALLOWED_MOVE"),
        check=True,
        legal=[],
    ),
    scenario(
        "no legal move, in check",
        "With the ruea on h2 guarded White has no legal move at all, so this is mate.",
        FORBIDDEN,
        "k7/1R6/8/8/8/5n2/r7/1R4NK b - - 0 1",
        "a2h2",
        **won("0-1", "CHECKMATE"),
    ),
]


def only_stalemates() -> Iterator[Scenario]:
    """Yield a position in which every move gives stalemate, forbidden and not."""
    for side, move in (("w", "e4e5"), ("b", "e6e5")):
        yield scenario(
            f"no allowed move set up, {side} to move",
            f"The only legal move, {move}, would give stalemate; set up like this the game is drawn at once.",
            FORBIDDEN,
            f"{LOCKED_LATER} {side} - - 0 1",
            **drawn("NO_ALLOWED_MOVE"),
        )
    for value, expect in (
        ("draw", drawn("STALEMATE")),
        ("loss", won("0-1", "STALEMATE")),
        ("win", won("1-0", "STALEMATE")),
    ):
        yield scenario(
            f"the same moves under {value}",
            f"Where stalemate is allowed Black plays e6e5 and White has no legal move: {value} for White.",
            options("ttakji", stalemate=value),
            LOCKED,
            "e3e4 e6e5",
            **expect,
        )


def guarded() -> Iterator[Scenario]:
    """Yield squares guarded only by a forbidden move."""
    yield scenario(
        "b2b7 is forbidden",
        "From b7, guarded by b1, the ruea would leave the khun on a8 without a move.",
        FORBIDDEN,
        GUARDED,
        **ON,
        legal_has=["b2b6", "b2b8"],
        legal_lacks=["b2b7"],
    )
    yield scenario(
        "b7 is guarded all the same",
        "Only b2b7, a forbidden move, would reach b7, but a khun may not step onto it: a8a7 is Black's only move.",
        FORBIDDEN,
        GUARDED,
        "e1e2",
        **ON,
        legal=["a8a7"],
    )


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from both_ways(by_option())
    yield from alternating(bare())
    yield from alternating([*NO_ALLOWED_MOVE, *only_stalemates()])
    yield from alternating(guarded())
