"""First moves of two men at once, met or ma with the bia of its file, and ruea given as a handicap."""

from __future__ import annotations

from collections.abc import Iterator

from .leaps import PLAIN_FIRST_MOVES
from .scenario import ON, Scenario, alternating, options, scenario

ARRAY = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR"
SUT_MET = options("ttakji", sut_met=True)
SUT_MA = options("ttakji", sut_ma=True)
MET_BOTH = options("ttakji", met_leap=True, sut_met=True)


# The sut of the met as it is played.
WITH_MET = [
    scenario(
        "sut of the met played",
        "The bia stands on e4 and the met on e3; it counts as a bia move, so the clock goes from 7 to 0.",
        SUT_MET,
        "4k3/8/8/8/8/4P3/8/3KM3 w E - 7 9",
        "e1e3",
        **ON,
        fen="4k3/8/8/8/4P3/4M3/8/3K4 b - - 0 9",
    ),
    scenario(
        "sut of the met checks",
        "The bia that came to e4 attacks d5.",
        SUT_MET,
        "8/8/8/3k4/8/4P3/8/3KM3 w E - 0 1",
        "e1e3",
        **ON,
        check=True,
    ),
    scenario(
        "sut of the met at the start",
        "Only the met's right is gone: khun and both ma keep theirs.",
        "sut",
        f"{ARRAY} w BDEGbdeg - 0 1",
        "e1e3",
        **ON,
        fen="rnsmksnr/8/pppppppp/8/4P3/PPPPMPPP/8/RNSK1SNR b BDGbdeg - 0 1",
    ),
]


def met_conditions() -> Iterator[Scenario]:
    """Yield the conditions of the sut of the met, one by one."""
    cases = [
        ("free", "4k3/8/8/8/8/4P3/8/3KM3 w E", True, "e3 holds the bia, e2 and e4 are empty"),
        ("no right", "4k3/8/8/8/8/4P3/8/3KM3 w -", False, "field 3 gives the met no right"),
        ("own man on e4", "4k3/8/8/8/4N3/4P3/8/3KM3 w E", False, "the bia cannot step to e4"),
        ("enemy on e4", "4k3/8/8/8/4n3/4P3/8/3KM3 w E", False, "the bia cannot step to e4"),
        ("own man on e2", "4k3/8/8/8/8/4P3/4N3/3KM3 w E", False, "the met does not pass e2"),
        ("enemy on e2", "4k3/8/8/8/8/4P3/4n3/3KM3 w E", False, "the met does not pass e2"),
        ("no bia", "4k3/8/8/8/8/P7/8/3KM3 w E", False, "e3 holds no bia"),
        ("bia beyond", "4k3/8/8/8/4P3/8/8/3KM3 w E", False, "the bia of the e-file has moved"),
        ("enemy bia on e3", "4k3/8/8/8/8/P3p3/8/3KM3 w E", False, "the bia on e3 is the other side's"),
        ("another man on e3", "4k3/8/8/8/8/P3N3/8/3KM3 w E", False, "e3 holds no bia"),
        ("pinned", "4k3/8/8/8/8/4P3/8/3KM2r w E", False, "the ruea on h1 would attack the khun"),
        ("blocks a check", "4k3/8/8/8/K6r/4P3/8/4M3 w E", True, "the bia comes to e4, between khun and ruea"),
        ("does not help in check", "4k3/8/8/K6r/8/4P3/8/4M3 w E", False, "neither e3 nor e4 is between khun and ruea"),
        ("opens the e-file", "4r2k/8/8/8/8/4P3/8/3KM3 w E", True, "the file of e1 and e3 is not the khun's"),
    ]
    for name, men, legal, reason in cases:
        yield scenario(
            f"sut of the met, {name}",
            f"{reason[0].upper()}{reason[1:]}.",
            SUT_MET,
            f"{men} - 0 1",
            **ON,
            legal_has=["e1e3"] if legal else [],
            legal_lacks=[] if legal else ["e1e3"],
        )


def met_leap_and_sut() -> Iterator[Scenario]:
    """Yield e1e3 where both options are on."""
    yield scenario(
        "e1e3 with the bia on e3",
        "e3 holds the bia, so e1e3 is the sut: two men move.",
        MET_BOTH,
        "4k3/8/8/8/8/4P3/8/3KM3 w E - 7 9",
        "e1e3",
        **ON,
        fen="4k3/8/8/8/4P3/4M3/8/3K4 b - - 0 9",
    )
    yield scenario(
        "e1e3 with e3 empty",
        "e3 is empty, so e1e3 is the leap: one man moves and the clock goes on to 8.",
        MET_BOTH,
        "4k3/8/8/8/4P3/8/8/3KM3 w E - 7 9",
        "e1e3",
        **ON,
        fen="4k3/8/8/8/4P3/4M3/8/3K4 b - - 8 9",
    )
    for name, men, legal in (
        ("the bia blocked", "4k3/8/8/8/4n3/4P3/8/3KM3", False),
        ("e2 taken and the bia on e3", "4k3/8/8/8/8/4P3/4N3/3KM3", False),
        ("e2 taken and e3 empty", "4k3/8/8/8/4P3/8/4N3/3KM3", True),
    ):
        yield scenario(
            f"e1e3 with {name}",
            "The leap needs e3 empty, the sut needs the bia there with e2 and e4 empty.",
            MET_BOTH,
            f"{men} w E - 0 1",
            **ON,
            legal_has=["e1e3"] if legal else [],
            legal_lacks=[] if legal else ["e1e3"],
        )


MA_CAPTURED = "4k3/8/8/8/1r6/6P1/3N4/1N3K2 b B - 0 1"
# The sut of the ma as it is played, and how its right is lost.
WITH_MA = [
    scenario(
        "sut of the ma played",
        "The bia stands on b4 and the ma on b3; it counts as a bia move, so the clock goes from 7 to 0.",
        SUT_MA,
        "4k3/8/8/8/8/1P4P1/8/1N1K2N1 w BG - 7 9",
        "b1b3",
        **ON,
        fen="4k3/8/8/8/1P6/1N4P1/8/3K2N1 b G - 0 9",
    ),
    scenario(
        "ma moved and back",
        "The right ends with the ma's first move.",
        SUT_MA,
        "4k3/8/8/8/8/1P6/8/1N1K4 w B - 0 1",
        "b1d2 e8e7 d2b1 e7e8",
        **ON,
        legal_lacks=["b1b3"],
    ),
    scenario(
        "ma captured on its home square",
        "The right was the captured ma's.",
        SUT_MA,
        MA_CAPTURED,
        "b4b1",
        **ON,
        fen="4k3/8/8/8/8/6P1/3N4/1r3K2 w - - 0 2",
    ),
    scenario(
        "another ma on the home square",
        "The ma that recaptured on b1 has moved, so field 3 stays empty.",
        SUT_MA,
        MA_CAPTURED,
        "b4b1 d2b1",
        **ON,
        fen="4k3/8/8/8/8/6P1/8/1N3K2 b - - 0 2",
    ),
]


def ma_conditions() -> Iterator[Scenario]:
    """Yield the conditions of the sut of the ma, one by one."""
    cases = [
        ("free", "4k3/8/8/8/8/1P6/8/1N1K4 w B", "b1b3", True, "b3 holds the bia and b4 is empty"),
        ("of the other ma", "4k3/8/8/8/8/6P1/8/3K2N1 w G", "g1g3", True, "g3 holds the bia and g4 is empty"),
        ("right of the other ma only", "4k3/8/8/8/8/1P4P1/8/1N1K2N1 w G", "b1b3", False, "rights are held man by man"),
        ("own man on b2", "4k3/8/8/8/8/1P6/1M6/1N1K4 w B", "b1b3", True, "what stands on b2 does not matter to a ma"),
        ("enemy on b2", "4k3/8/8/8/8/1P6/1m6/1N1K4 w B", "b1b3", True, "what stands on b2 does not matter to a ma"),
        ("own man on b4", "4k3/8/8/8/1M6/1P6/8/1N1K4 w B", "b1b3", False, "the bia cannot step to b4"),
        ("enemy on b4", "4k3/8/8/8/1m6/1P6/8/1N1K4 w B", "b1b3", False, "the bia cannot step to b4"),
        ("no bia", "4k3/8/8/8/8/P7/8/1N1K4 w B", "b1b3", False, "b3 holds no bia"),
        ("enemy bia on b3", "4k3/8/8/8/8/Pp6/8/1N1K4 w B", "b1b3", False, "the bia on b3 is the other side's"),
        ("pinned", "4k3/8/8/8/8/1P6/8/KN5r w B", "b1b3", False, "the ruea on h1 would attack the khun"),
        ("blocks a check", "4k3/8/8/8/K6r/1P6/8/1N6 w B", "b1b3", True, "the bia comes to b4, between khun and ruea"),
    ]
    for name, men, move, legal, reason in cases:
        yield scenario(
            f"sut of the ma, {name}",
            f"{reason[0].upper()}{reason[1:]}.",
            SUT_MA,
            f"{men} - 0 1",
            **ON,
            legal_has=[move] if legal else [],
            legal_lacks=[] if legal else [move],
        )


# Where a handicap shows beside the start itself.
TILTED = [
    scenario(
        "a tilted ruea moves like a met",
        "From a1 a met reaches b2 and nothing else; it has no leap, not even where met have one.",
        options("ouk", tilted_ruea="white:a"),
        None,
        **ON,
        legal=sorted([move for move in PLAIN_FIRST_MOVES if move != "a1a2"] + ["a1b2", "d1b2", "d1f2"]),
    ),
    scenario(
        "a given FEN keeps its ruea",
        "The handicap belongs to the usual start; a position that is given stays as it is.",
        options("ttakji", tilted_ruea="white:ah,black:ah"),
        f"{ARRAY} w - - 0 1",
        **ON,
        fen=f"{ARRAY} w - - 0 1",
    ),
]


def handicaps() -> Iterator[Scenario]:
    """Yield handicaps: named ruea are met from the start."""
    start = "{}/8/pppppppp/8/8/PPPPPPPP/8/{} w {} - 0 1"
    cases = [
        ("ttakji", "white:a", "rnsmksnr", "MNSKMSNR", "-"),
        ("ttakji", "white:h", "rnsmksnr", "RNSKMSNM", "-"),
        ("ttakji", "black:a", "mnsmksnr", "RNSKMSNR", "-"),
        ("ttakji", "white:ah,black:h", "rnsmksnm", "MNSKMSNM", "-"),
        ("ouk", "white:a", "rnsmksnr", "MNSKMSNR", "DEde"),
    ]
    for preset, handicap, black, white, rights in cases:
        yield scenario(
            f"handicap {handicap}, {preset}",
            "The named ruea stand as met at the start; first-move rights are those of khun and met as ever.",
            options(preset, tilted_ruea=handicap),
            None,
            **ON,
            fen=start.format(black, white, rights),
        )


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating([*WITH_MET, *met_conditions()])
    yield from alternating(met_leap_and_sut())
    yield from alternating([*WITH_MA, *ma_conditions()])
    yield from [*TILTED, *handicaps()]
