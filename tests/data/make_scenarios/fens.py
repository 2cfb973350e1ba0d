"""FEN: half-move clock, first-move rights, and texts that are refused."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Scenario, alternating, options, scenario

ARRAY = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR"


def clocks() -> Iterator[Scenario]:
    """Yield how the half-move clock moves while no count runs."""
    men = "4k3/3m4/p7/7p/8/8/P7/R3K2R"
    for name, move, after, reason in (
        (
            "a quiet move",
            "a1b1",
            "4k3/3m4/p7/7p/8/8/P7/1R2K2R b - - 8 9",
            "no man is taken and no bia moves: 7 + 1 = 8",
        ),
        ("a bia move", "a2a3", "4k3/3m4/p7/7p/8/P7/8/R3K2R b - - 0 9", "a bia moves: 0 again"),
        ("a capture", "h1h5", "4k3/3m4/p7/7R/8/8/P7/R3K3 b - - 0 9", "a man is taken: 0 again"),
    ):
        yield scenario(
            f"half-move clock after {name}",
            f"{reason[0].upper()}{reason[1:]}.",
            "ttakji",
            f"{men} w - - 7 9",
            move,
            **ON,
            fen=after,
        )


def rights() -> Iterator[Scenario]:
    """Yield field 3 as it is read and written."""
    cases = [
        ("ouk", "DEde", "DEde", "khun and met of both sides have their rights"),
        ("ouk", "edED", "DEde", "White's come first, each side's from a to h"),
        ("ouk", "BDEGbdeg", "DEde", "the ma have no first move here"),
        ("ouk", "ADHd", "Dd", "no man with a right stands on a1 or h1"),
        ("ouk", "e", "e", "the others have lost theirs"),
        ("ouk", "-", "-", "nobody has a right"),
        ("sut", "gedbGEDB", "BDEGbdeg", "khun, met and both ma of both sides have their rights"),
        ("ttakji", "DEde", "-", "no option gives a right"),
        ("cambodian", "DEde", "DEde", "khun and met of both sides have their rights"),
    ]
    for rules, given, written, reason in cases:
        yield scenario(
            f"rights {given}, {rules}",
            f"{reason[0].upper()}{reason[1:]}.",
            rules,
            f"{ARRAY} w {given} - 0 1",
            **ON,
            fen=f"{ARRAY} w {written} - 0 1",
        )
    for name, option, written in (
        ("king_leap alone", {"king_leap": "unmoved"}, "De"),
        ("met_leap alone", {"met_leap": True}, "Ed"),
        ("sut_met alone", {"sut_met": True}, "Ed"),
        ("sut_ma alone", {"sut_ma": True}, "BGbg"),
    ):
        yield scenario(
            f"rights under {name}",
            "Letters of rights that this option does not give are ignored.",
            options("ttakji", **option),
            f"{ARRAY} w BDEGbdeg - 0 1",
            **ON,
            fen=f"{ARRAY} w {written} - 0 1",
        )
    away = "rnskmsnr/8/pppppppp/8/8/PPPPPPPP/8/RNSMKSNR"
    yield scenario(
        "rights without the men at home",
        "Khun and met have changed places, so neither stands on its home square.",
        "ouk",
        f"{away} w DEde - 0 1",
        **ON,
        fen=f"{away} w - - 0 1",
    )


def refused() -> Iterator[Scenario]:
    """Yield texts that are no FEN, and positions that cannot be."""
    cases = [
        ("khun in check, not to move", "k7/8/8/8/8/8/8/R3K3 w - - 0 1", "Black is in check but White is to move"),
        ("khuns side by side", "8/8/8/8/8/8/kK6/8 w - - 0 1", "the waiting khun is attacked by the other"),
        (
            "bia gives check out of turn",
            "8/8/8/3k4/4P3/8/8/4K3 w - - 0 1",
            "the bia on e4 attacks d5 with White to move",
        ),
        ("khon gives check out of turn", "8/8/8/3k4/3S4/8/8/4K3 w - - 0 1", "the khon on d4 attacks d5 before it"),
        ("two khuns", "kk6/8/8/8/8/8/8/K7 w - - 0 1", "Black has two khuns"),
        ("odd limit", "k7/8/8/8/8/8/8/K6R b - 33 10 1", "a limit is an even number of plies"),
        ("seventh field", "k7/8/8/8/8/8/8/K6R b - 32 10 1 halt", "field 7 is start or stop"),
    ]
    for name, fen, reason in cases:
        yield scenario(f"refused, {name}", f"{reason[0].upper()}{reason[1:]}.", "ttakji", fen, error="FenError")


def accepted() -> Iterator[Scenario]:
    """Yield positions that look like refused ones but may be set up."""
    yield scenario(
        "bia before a khun",
        "A bia attacks no square straight before it.",
        "ttakji",
        "8/8/8/3k4/3P4/8/8/4K3 w - - 0 1",
        **ON,
        check=False,
    )
    yield scenario(
        "khon behind a khun",
        "A khon attacks straight forward only.",
        "ttakji",
        "8/8/8/3S4/3k4/8/8/4K3 w - - 0 1",
        **ON,
        check=False,
    )
    yield scenario(
        "side to move in check",
        "The side to move may be in check.",
        "ttakji",
        "k7/8/8/8/8/8/8/R3K3 b - - 0 1",
        **ON,
        check=True,
        legal=["a8b7", "a8b8"],
    )
    yield scenario(
        "promoted bia in a FEN",
        "The mark of a promoted bia is read; it is a met and written as one.",
        "ttakji",
        "k7/8/8/p2M~4/P7/8/8/K7 w - - 0 1",
        **ON,
        fen="k7/8/8/p2M4/P7/8/8/K7 w - - 0 1",
    )


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating(clocks())
    yield from rights()
    yield from refused()
    yield from alternating(accepted())
