"""First moves: the leap of the khun and the leap of the met."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Scenario, alternating, options, scenario

ARRAY = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR"
UNMOVED = options("ttakji", king_leap="unmoved")
OUK = options("ttakji", king_leap="ouk")
MET_LEAP = options("ttakji", met_leap=True)
BIA_STEPS = [f"{file}3{file}4" for file in "abcdefgh"]
PLAIN_FIRST_MOVES = [
    *BIA_STEPS, "a1a2", "b1d2", "c1b2", "c1c2", "c1d2", "d1c2", "d1d2", "d1e2",
    "e1d2", "e1f2", "f1e2", "f1f2", "f1g2", "g1e2", "h1h2",
]  # fmt: skip


def presets() -> Iterator[Scenario]:
    """Yield the moves at the usual start of each preset with first moves."""
    for rules, more, reason in (
        ("ttakji", [], "8 steps of bia and 15 moves of the others"),
        ("ouk", ["d1b2", "d1f2"], "the khun leaps, but the met's e3 is taken by a bia"),
        ("cambodian", ["d1b2", "d1f2"], "the khun leaps, but the met's e3 is taken by a bia"),
        ("sut", ["d1b2", "d1f2", "e1e3", "b1b3", "g1g3"], "the khun leaps, and met and both ma go with their bia"),
    ):
        legal = sorted([*PLAIN_FIRST_MOVES, *more])
        yield scenario(
            f"start of {rules}",
            f"{len(legal)} moves: {reason}.",
            rules,
            None,
            **ON,
            legal=legal,
        )
    yield scenario(
        "leap of the khun at the start",
        "The khun's right is gone, the met keep theirs; no man was taken, so the clock is 1.",
        "ouk",
        f"{ARRAY} w DEde - 0 1",
        "d1b2",
        **ON,
        fen="rnsmksnr/8/pppppppp/8/8/PPPPPPPP/1K6/RNS1MSNR b Ede - 1 1",
    )


ALONE = "4k3/8/8/7p/7P/8/8/3K4"
# When the khun's leap comes and goes.
KHUN_LEAPS = [
    scenario(
        "khun's leap, in check",
        "A khun in check does not leap; d2 is attacked as well.",
        UNMOVED,
        "4k3/8/8/3r3p/7P/8/8/3K4 w D - 0 1",
        **ON,
        check=True,
        legal=["d1c1", "d1c2", "d1e1", "d1e2"],
    ),
    scenario(
        "khun's leap after a blocked check",
        "A check takes nothing away for good: once it is blocked the khun may leap again.",
        UNMOVED,
        "4k3/8/8/3r3p/7P/8/7R/3K4 w D - 0 1",
        "h2d2 e8e7",
        **ON,
        legal_has=["d1b2", "d1f2"],
    ),
    scenario(
        "khun moved and back",
        "The right ends with the khun's first move, wherever it stands later.",
        UNMOVED,
        f"{ALONE} w D - 0 1",
        "d1d2 e8e7 d2d1 e7e8",
        **ON,
        fen=f"{ALONE} w - - 4 3",
        legal_lacks=["d1b2", "d1f2"],
    ),
    scenario(
        "a leap attacks nothing",
        "The leap to b2 captures nothing, so an enemy khun may step there; c2 is next to the khun.",
        UNMOVED,
        "8/8/8/7p/7P/1k6/8/3K4 b D - 0 1",
        **ON,
        legal_has=["b3b2"],
        legal_lacks=["b3c2"],
    ),
]


def khun_conditions() -> Iterator[Scenario]:
    """Yield the conditions of the khun's leap, which both kinds of right share."""
    cases = [
        ("free", f"{ALONE} w D", "d1b2 d1f2", "", "both squares are empty and safe"),
        ("no right", f"{ALONE} w -", "", "d1b2 d1f2", "field 3 gives the khun no right"),
        ("own man there", "4k3/8/8/7p/7P/8/1M6/3K4 w D", "d1f2", "d1b2", "b2 is not empty"),
        ("enemy there", "4k3/8/8/7p/7P/8/5m2/3K4 w D", "d1b2", "d1f2", "a leap captures nothing"),
        ("attacked square", "4kr2/8/8/7p/7P/8/8/3K4 w D", "d1b2", "d1f2", "the ruea on f8 attacks f2"),
        ("beside a khun", "8/8/8/7p/7P/6k1/8/3K4 w D", "d1b2", "d1f2", "the khun on g3 attacks f2"),
        ("before a bia", "4k3/8/8/7p/7P/p7/8/3K4 w D", "d1f2", "d1b2", "the bia on a3 attacks b2"),
        ("men all round", "4k3/8/8/7p/7P/8/2MMM3/2SKS3 w D", "d1b2 d1f2", "", "a leap jumps over men"),
        ("away from home", "4k3/8/8/7p/7P/8/8/4K3 w E", "", "e1c2 e1g2", "a khun has its right on d1 only"),
    ]
    for name, men, has, lacks, reason in cases:
        yield scenario(
            f"khun's leap, {name}",
            f"{reason[0].upper()}{reason[1:]}.",
            UNMOVED,
            f"{men} - 0 1",
            **ON,
            legal_has=has.split(),
            legal_lacks=lacks.split(),
        )


# Ruea that leave a right alone, and one that does not.
RUEA_MOVES = [
    scenario(
        "own ruea on the file",
        "Only an enemy ruea ends the right.",
        OUK,
        "4k3/8/8/8/8/p7/P7/R2K4 w D - 0 1",
        "a1b1",
        **ON,
        fen="4k3/8/8/8/8/p7/P7/1R1K4 b D - 1 1",
    ),
    scenario(
        "right ended for good",
        "The ruea has gone again, but the right does not come back.",
        OUK,
        "r3k3/8/8/8/8/3P4/8/3K4 b D - 0 1",
        "a8d8 d3d4 d8a8",
        **ON,
        legal_lacks=["d1b2", "d1f2"],
    ),
    scenario(
        "right kept while a ruea stands on the file",
        "The ruea on d8 stood there before; it has not moved, and nothing checks.",
        OUK,
        "3rk3/8/8/8/8/3P4/8/3K4 w D - 0 1",
        **ON,
        legal_has=["d1b2", "d1f2"],
    ),
    scenario(
        "met keep their right",
        "A ruea on the file of a khun or met touches no right of a met.",
        options("ttakji", king_leap="ouk", met_leap=True),
        "r3k3/8/8/8/8/p2P4/P7/3KM3 b DE - 0 1",
        "a8d8",
        **ON,
        fen="3rk3/8/8/8/8/p2P4/P7/3KM3 w E - 1 2",
    ),
]


def enemy_moves() -> Iterator[Scenario]:
    """Yield Black's moves, which end the right of the khun on d1 only where a ruea comes to its file or rank."""
    cases = [
        ("ruea behind a man of the file", "r3k3/8/8/8/8/3P4/8/3K4", "a8d8", "3rk3/8/8/8/8/3P4/8/3K4 w {} - 1 2", "-"),
        ("ruea behind a man of the rank", "4k3/8/8/8/8/p7/r7/1N1K4", "a2a1", "4k3/8/8/8/8/p7/8/rN1K4 w {} - 1 2", "-"),
        ("ruea that checks", "r3k3/8/8/8/8/p7/P7/3K4", "a8d8", "3rk3/8/8/8/8/p7/P7/3K4 w {} - 1 2", "-"),
        ("ruea that takes", "4k3/8/8/r2N4/8/3P4/8/3K4", "a5d5", "4k3/8/8/3r4/8/3P4/8/3K4 w {} - 0 2", "-"),
        ("ruea along the file", "3rk3/8/8/8/3P4/8/8/3K4", "d8d6", "4k3/8/3r4/8/3P4/8/8/3K4 w {} - 1 2", "-"),
        ("ruea elsewhere", "r3k3/8/8/8/8/p7/P7/3K4", "a8b8", "1r2k3/8/8/8/8/p7/P7/3K4 w {} - 1 2", "D"),
        ("ruea off the file", "3rk3/8/8/8/3P4/8/8/3K4", "d8c8", "2r1k3/8/8/8/3P4/8/8/3K4 w {} - 1 2", "D"),
        ("met uncovers a ruea", "3rk3/8/8/3m4/8/p7/P7/3K4", "d5c4", "3rk3/8/8/8/2m5/p7/P7/3K4 w {} - 1 2", "D"),
        ("met onto the file", "3k4/8/2m5/p7/P7/8/8/3K3R", "c6d5", "3k4/8/8/p2m4/P7/8/8/3K3R w {} - 1 2", "D"),
    ]
    for index, (name, men, move, after, rights) in enumerate(cases):
        for rules, left in ((OUK, rights), (UNMOVED, "D")):
            if rules == UNMOVED and index % 2:
                continue  # the other half is enough to show that no ruea matters there
            option = "ouk" if rules == OUK else "unmoved"
            yield scenario(
                f"right of the khun, {name}, {option}",
                f"Under {option} the right of the khun {'stays' if left == 'D' else 'ends'} with {move}.",
                rules,
                f"{men} b D - 0 1",
                move,
                **ON,
                fen=after.format(left),
            )


MET_CAPTURED = "4k3/8/8/7p/7P/4r3/5M2/K3M3 b E - 0 1"

# The met's leap as it is played, and how its right is lost.
MET_LEAPS = [
    scenario(
        "met leapt",
        "The right is gone and the move is a quiet one: the clock is 1.",
        MET_LEAP,
        "4k3/8/8/7p/7P/8/8/3KM3 w E - 0 1",
        "e1e3",
        **ON,
        fen="4k3/8/8/7p/7P/4M3/8/3K4 b - - 1 1",
    ),
    scenario(
        "met moved and back",
        "The right ends with the met's first move.",
        MET_LEAP,
        "4k3/8/8/7p/7P/8/8/3KM3 w E - 0 1",
        "e1f2 e8e7 f2e1 e7e8",
        **ON,
        legal_lacks=["e1e3"],
    ),
    scenario(
        "met's leap attacks nothing",
        "The leap captures nothing, so an enemy khun may step onto e3.",
        MET_LEAP,
        "8/8/8/7p/4k2P/8/8/2K1M3 b E - 0 1",
        **ON,
        legal_has=["e4e3"],
    ),
    scenario(
        "met captured on its home square",
        "The right was the captured met's.",
        MET_LEAP,
        MET_CAPTURED,
        "e3e1",
        **ON,
        fen="4k3/8/8/7p/7P/8/5M2/K3r3 w - - 0 2",
    ),
    scenario(
        "another met on the home square",
        "The met that recaptured on e1 has moved, so it has no right.",
        MET_LEAP,
        MET_CAPTURED,
        "e3e1 f2e1 e8e7",
        **ON,
        legal_lacks=["e1e3"],
    ),
]


def met_conditions() -> Iterator[Scenario]:
    """Yield the conditions of the met's leap."""
    cases = [
        ("free", "4k3/8/8/7p/7P/8/8/3KM3 w E", True, "e3 is empty"),
        ("no right", "4k3/8/8/7p/7P/8/8/3KM3 w -", False, "field 3 gives the met no right"),
        ("over an own man", "4k3/8/8/7p/7P/8/4P3/3KM3 w E", True, "the leap jumps over e2"),
        ("over an enemy", "4k3/8/8/7p/7P/8/4n3/3KM3 w E", True, "the leap jumps over e2"),
        ("own man on the square", "4k3/8/8/7p/7P/4P3/8/3KM3 w E", False, "e3 is not empty"),
        ("enemy on the square", "4k3/8/8/7p/7P/4n3/8/K3M3 w E", False, "a leap captures nothing"),
        ("blocks a check", "4k3/8/8/7p/7P/K6r/8/4M3 w E", True, "on e3 the met stands between khun and ruea"),
        ("does not help in check", "4k3/8/8/K6r/8/p7/P7/4M3 w E", False, "e3 is not between khun and ruea"),
        ("pinned", "4k3/8/8/7p/7P/8/8/3KM2r w E", False, "the ruea on h1 would attack the khun"),
    ]
    for name, men, legal, reason in cases:
        yield scenario(
            f"met's leap, {name}",
            f"{reason[0].upper()}{reason[1:]}.",
            MET_LEAP,
            f"{men} - 0 1",
            **ON,
            legal_has=["e1e3"] if legal else [],
            legal_lacks=[] if legal else ["e1e3"],
        )


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from presets()
    yield from alternating([*KHUN_LEAPS, *khun_conditions()])
    yield from alternating([*RUEA_MOVES, *enemy_moves()])
    yield from alternating([*MET_LEAPS, *met_conditions()])
