"""Promotion: forced, declined, made up for later, and bia set up where none gets by itself."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Scenario, alternating, options, scenario

FORCED = "ttakji"
OPTIONAL = options("ttakji", promotion="optional")
BIA_5 = "k7/8/8/4P3/8/8/p7/K7 w - - 0 1"


def legal_moves() -> Iterator[Scenario]:
    """Yield the moves of one bia on each rank, under both options."""
    cases = [
        ("4", "k7/8/8/8/4P3/8/8/7K", "e4e5", "e4e5", "e5 is the 5th rank, where no bia promotes"),
        ("5", "k7/8/8/4P3/8/8/8/7K", "e5e6m", "e5e6 e5e6m", "e6 is the 6th rank"),
        ("6", "k7/8/4P3/8/8/8/8/7K", "e6e7m", "e6e7 e6e7m", "e7 is the 7th rank"),
        ("7", "k7/4P3/8/8/8/8/8/7K", "e7e8m", "e7e8m", "e8 is the last rank, where promotion is forced"),
        ("8", "k3P3/8/8/8/8/8/8/7K", "", "", "a bia set up on the last rank cannot move"),
    ]
    khun = ["h1g1", "h1g2", "h1h2"]
    for rank, men, forced, optional, reason in cases:
        for rules, moves, option in ((FORCED, forced, "forced"), (OPTIONAL, optional, "optional")):
            yield scenario(
                f"bia on {rank}, {option}",
                f"{reason[0].upper()}{reason[1:]}; the option is {option}.",
                rules,
                f"{men} w - - 0 1",
                **ON,
                legal=sorted([*moves.split(), *khun]),
            )
    yield scenario(
        "captures promote as steps do",
        "On the 6th rank the bia may take either way and promote or not, each of them a move of its own.",
        OPTIONAL,
        "k7/8/3n1n2/4P3/8/8/8/7K w - - 0 1",
        **ON,
        legal=["e5d6", "e5d6m", "e5e6", "e5e6m", "e5f6", "e5f6m", "h1g1", "h1g2", "h1h2"],
    )
    yield scenario(
        "a capture on the last rank",
        "There only the promoting capture exists.",
        OPTIONAL,
        "k4n2/4P3/8/8/8/8/8/7K w - - 0 1",
        **ON,
        legal=["e7e8m", "e7f8m", "h1g1", "h1g2", "h1h2"],
    )


def played() -> Iterator[Scenario]:
    """Yield promotions made, declined and made up for."""
    cases = [
        ("forced", FORCED, "e5e6m", "k7/8/4M3/8/8/8/p7/K7 b - - 0 1", "the bia becomes a met"),
        ("forced, suffix left out", FORCED, "e5e6", "k7/8/4M3/8/8/8/p7/K7 b - - 0 1", "only the promoting move exists"),
        ("taken", OPTIONAL, "e5e6m", "k7/8/4M3/8/8/8/p7/K7 b - - 0 1", "the bia becomes a met"),
        ("declined on the 6th", OPTIONAL, "e5e6", "k7/8/4P3/8/8/8/p7/K7 b - - 0 1", "the bia stays a bia"),
        ("declined on the 7th too", OPTIONAL, "e5e6 a8b8 e6e7", "1k6/4P3/8/8/8/8/p7/K7 b - - 0 2", "it stays a bia"),
        ("made up for on the 7th", OPTIONAL, "e5e6 a8b8 e6e7m", "1k6/4M3/8/8/8/8/p7/K7 b - - 0 2",
         "a bia that declined may promote with a later move in the zone"),
        ("on the 8th at last", OPTIONAL, "e5e6 a8b8 e6e7 b8a8 e7e8", "k3M3/8/8/8/8/8/p7/K7 b - - 0 3",
         "on the last rank it must promote, and the suffix may be left out"),
    ]  # fmt: skip
    for name, rules, actions, after, reason in cases:
        yield scenario(f"promotion {name}", f"{reason[0].upper()}{reason[1:]}.", rules, BIA_5, actions, **ON, fen=after)
    yield scenario(
        "promotion declined where it is forced",
        "On the last rank no bia stays one: a suffix is understood, so a plain e7e8 promotes.",
        OPTIONAL,
        "k7/4P3/8/8/8/8/p7/K7 w - - 0 1",
        "e7e8",
        **ON,
        fen="k3M3/8/8/8/8/8/p7/K7 b - - 0 1",
    )
    yield scenario(
        "no promotion on the 5th",
        "The zone begins with the 6th rank.",
        FORCED,
        "k7/8/8/8/4P3/8/p7/K7 w - - 0 1",
        "e4e5m",
        error="IllegalMoveError",
    )


# What a bia that is still a bia, or no longer one, means for checks, counts and captures.
EFFECTS = [
    scenario(
        "a declined bia keeps the count away",
        "A bia is left on the board, so the bare side is not counted yet.",
        OPTIONAL,
        "k7/8/8/4P3/8/8/8/K7 w - - 0 1",
        "e5e6",
        **ON,
        count=None,
    ),
    scenario(
        "promoted later, counted later",
        "The promotion leaves no bia and the bare side to move: n = N = 3, L = 64 for a met.",
        OPTIONAL,
        "k7/8/8/4P3/8/8/8/K7 w - - 0 1",
        "e5e6 a8b8 e6e7m",
        **ON,
        count=["pieces", 1, 3, 64],
    ),
    scenario(
        "a bia on its last rank keeps the count away",
        "It cannot move, but it is a bia, so nothing is counted.",
        FORCED,
        "1k5P/8/8/8/8/8/8/R3K3 w - - 0 1",
        "e1e2",
        **ON,
        count=None,
    ),
    scenario(
        "a bia on its last rank is taken by the khun",
        "It was the last bia and the bare khun took it: n = N = 3, L = 16.",
        FORCED,
        "6kP/8/8/8/8/8/8/R3K3 b - - 0 1",
        "g8h8",
        **ON,
        count=["pieces", 1, 3, 16],
    ),
    scenario(
        "a bia on its last rank attacks nothing",
        "It has no square ahead, so the khun may stand anywhere around it.",
        FORCED,
        "4P3/3k4/8/8/8/8/8/R6K b - - 0 1",
        **ON,
        check=False,
        legal=["d7c6", "d7c7", "d7c8", "d7d6", "d7d8", "d7e6", "d7e7", "d7e8"],
    ),
    scenario(
        "a declined bia attacks as a bia",
        "On e6 it attacks d7 and f7, not d5 and f5 as a met would as well.",
        OPTIONAL,
        "8/8/2k5/4P3/8/8/p7/K7 w - - 0 1",
        "e5e6",
        **ON,
        legal_has=["c6d5"],
        legal_lacks=["c6d7"],
    ),
    scenario(
        "a promoted bia attacks as a met",
        "On e6 it attacks d5, d7, f5 and f7.",
        OPTIONAL,
        "8/8/2k5/4P3/8/8/p7/K7 w - - 0 1",
        "e5e6m",
        **ON,
        legal_lacks=["c6d5", "c6d7"],
    ),
]


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating(legal_moves())
    yield from alternating(played())
    yield from alternating(EFFECTS)
