"""Draws by material: bare khuns, men that can never mate, and the table of drawn pairings."""

from __future__ import annotations

from collections.abc import Iterator

from .scenario import ON, Scenario, alternating, drawn, options, scenario, turned

DEAD = options("ttakji", material=["dead"])
TABLE = options("ttakji", material=["table"])
DRAWN = drawn("MATERIAL")

# White's and Black's men besides the khuns, by square; whether neither side can mate; why. d4, f6 and b2 are squares
# of one colour, d5 and e4 of the other.
CHANCES = [
    ("", "", True, "no man is left"),
    ("Rh4", "", False, "a ruea can mate"),
    ("Sd4", "", False, "a khon can mate"),
    ("Md4", "", True, "a met alone covers one colour only"),
    ("Md4~", "", True, "a promoted bia is a met, and one met cannot mate"),
    ("Md4 Mf6", "", True, "two met on one colour are no more than one"),
    ("Md4 Mf6 Mb2", "", True, "three met on one colour are no more than one"),
    ("Md4 Md5", "", False, "met stand on both colours"),
    ("Md4 Mf6 Mb2 Md5", "", False, "one of four met stands on the other colour"),
    ("Md4", "mf6", True, "both sides' met are counted together and stand on one colour"),
    ("Md4", "md5", False, "both sides' met are counted together and stand on both colours"),
    ("Md4", "nd5", False, "a met and a ma of either side are enough"),
    ("Md4", "pd5", False, "a met and a bia of either side are enough"),
    ("Md4", "sd5", False, "the other side has a khon, which can mate"),
    ("Md4", "rh5", False, "the other side has a ruea, which can mate"),
    ("Md4 Nd5", "", False, "a met and a ma are enough"),
    ("Md4 Pd5", "", False, "a met and a bia are enough"),
    ("Nd4", "", True, "one ma is the only man besides the khuns, and two are needed"),
    ("Pd4", "", True, "one bia is the only man besides the khuns, and two are needed"),
    ("Nd4", "nd5", False, "two men besides the khuns, a ma among them"),
    ("Nd4 Nd5", "", False, "two men besides the khuns, a ma among them"),
    ("Nd4", "pd5", False, "two men besides the khuns, a ma among them"),
    ("Pd4", "pd5", False, "two men besides the khuns, a bia among them"),
    ("Pd4 Pe4", "", False, "two men besides the khuns, a bia among them"),
    ("Nd4 Pd5", "", False, "two men besides the khuns, a ma and a bia"),
]

# The pairings of the table, each with its near misses: White's men on rank 3, Black's on rank 6, drawn or not, why.
PAIRINGS = [
    ("2M1MM2", "4m3", True, "two met on one colour and one on the other against a met"),
    ("2M1M1M1", "4m3", False, "three met on one colour are not the pairing"),
    ("2M1MM2", "3mm3", False, "one met more for the weaker side"),
    ("2M1M3", "4m3", False, "one met less for the stronger side"),
    ("2NSM3", "3mm3", True, "ma, khon and met against two met, on whatever colours"),
    ("2NS4", "3mm3", False, "the met is missing"),
    ("2NSM3", "4m3", False, "one met less for the weaker side"),
    ("2NSM3", "2mmm3", False, "one met more for the weaker side"),
    ("3R4", "2mmm3", True, "a ruea against three met, on whatever colours"),
    ("3R4", "3mm3", False, "two met only"),
    ("3R4", "2mmmm2", False, "four met"),
    ("3RM3", "2mmm3", False, "a met more for the stronger side"),
    ("3R4", "3nm3", True, "a ruea against ma and met"),
    ("3R4", "3n4", False, "the met is missing"),
    ("3RM3", "3nm3", False, "a met more for the stronger side"),
    ("3R4", "3sm3", True, "a ruea against khon and met"),
    ("3R4", "3s4", False, "the met is missing"),
    ("3RM3", "3sm3", False, "a met more for the stronger side"),
    ("3NS3", "3s4", True, "ma and khon against a khon"),
    ("3NS3", "3n4", True, "ma and khon against a ma"),
    ("3S4", "3s4", False, "the ma is missing"),
    ("3NS3", "3ss3", False, "one khon more for the weaker side"),
    ("2NSM3", "3s4", False, "a met more for the stronger side"),
    ("2NN4", "3n4", False, "two ma are not the pairing"),
    ("3RM3", "3r4", True, "ruea and met against a ruea"),
    ("3R4", "3r4", False, "the met is missing"),
    ("3RM3", "3rm3", False, "a met more for the weaker side"),
    ("2RMM3", "3r4", False, "a met more for the stronger side"),
    ("2SMM3", "3r4", True, "khon and two met against a ruea, on whatever colours"),
    ("2SM1M2", "3r4", True, "khon and two met against a ruea, on whatever colours"),
    ("2NMM3", "3r4", True, "ma and two met against a ruea"),
    ("3MM3", "3r4", False, "the khon is missing"),
    ("2NMM3", "3rm3", False, "a met more for the weaker side"),
    ("2SMMM2", "3rm3", True, "khon and three met against ruea and met"),
    ("2NMMM2", "3rm3", True, "ma and three met against ruea and met"),
    ("2SMM3", "3rm3", False, "two met are one too few against ruea and met"),
    ("3RS3", "3r4", True, "ruea and khon against a ruea"),
    ("3RN3", "3r4", True, "ruea and ma against a ruea"),
    ("3RS3", "3rs3", False, "a khon more for the weaker side"),
    ("2RSM3", "3r4", False, "a met more for the stronger side"),
    ("M1M1M1M1", "3rm3", True, "four met on one colour against ruea and met"),
    ("M1M1M1M1", "3r1m2", True, "four met on one colour against ruea and met, whose colour does not matter"),
    ("M1M1MM2", "3rm3", False, "one of the four met stands on the other colour"),
    ("M1MM1M2", "3rm3", False, "two and two met stand on either colour"),
    ("M1M1M3", "3rm3", False, "three met are one too few"),
    ("M1M1M1M1", "3r4", False, "the met of the weaker side is missing"),
    ("2RR4", "3rs3", True, "two ruea against ruea and khon"),
    ("2RR4", "3rn3", True, "two ruea against ruea and ma"),
    ("2RR4", "3r4", False, "the khon or ma is missing"),
    ("2RR4", "3rm3", False, "ruea and met are not the pairing"),
    ("2RR4", "3rr3", False, "two ruea are not the pairing"),
    ("2RRM3", "3rs3", False, "a met more for the stronger side"),
]
# Pairings that are tried with a bia on the board too.
BESIDE_A_BIA = [("2M1MM2", "4m3"), ("3NS3", "3s4"), ("3RM3", "3r4"), ("3RS3", "3r4")]


def board(men: str) -> str:
    """Return a FEN's men for khuns on e1 and e8 and men written like Md4 or Md4~."""
    squares = {"e1": "K", "e8": "k"} | {man[1:3]: man[0] + man[3:] for man in men.split()}
    ranks = []
    for rank in "87654321":
        row = "".join(squares.get(file + rank, "1") for file in "abcdefgh")
        for gap in range(8, 1, -1):
            row = row.replace("1" * gap, str(gap))
        ranks.append(row)
    return "/".join(ranks)


def chances() -> Iterator[Scenario]:
    """Yield men with which neither side can mate, and their near misses."""
    for white, black, dead, reason in CHANCES:
        yield scenario(
            f"dead, {white or 'nothing'} against {black or 'nothing'}",
            f"{'Neither side' if dead else 'Some side'} can mate: {reason}.",
            DEAD,
            f"{board(f'{white} {black}')} w - - 0 1",
            **(DRAWN if dead else ON),
        )


def pairings() -> Iterator[Scenario]:
    """Yield each pairing of the table with its near misses; the drawn ones with colours and turns both ways."""
    for white, black, is_drawn, reason in PAIRINGS:
        men = f"k7/8/{black}/8/8/{white}/8/7K"
        one = scenario(
            f"table, {white} against {black}",
            f"{reason[0].upper()}{reason[1:]}.",
            TABLE,
            f"{men} w - - 0 1",
            **(DRAWN if is_drawn else ON),
        )
        yield one
        if is_drawn:
            yield turned(one)
        if (white, black) in BESIDE_A_BIA:
            yield scenario(
                f"table, {white} against {black}, and a bia",
                "With any bia on the board the table is not asked.",
                TABLE,
                f"{men.replace('8/7K', 'P7/7K')} b - - 0 1",
                **ON,
            )


# Moves that bring such men about.
BY_MOVES = [
    scenario(
        "bare khuns by a capture",
        "The khun takes the last man and two khuns are drawn at once.",
        "ttakji",
        "7k/6R1/8/8/8/8/8/3K4 b - - 0 1",
        "h8g7",
        **DRAWN,
    ),
    scenario(
        "bare khuns by a capture, no material rule",
        "Without the option two khuns go on.",
        options("ttakji", material=[]),
        "7k/6R1/8/8/8/8/8/3K4 b - - 0 1",
        "h8g7",
        **ON,
    ),
    scenario(
        "one met left under bare_kings",
        "That rule asks for two bare khuns, not for men that can mate.",
        "ttakji",
        "7k/6R1/8/8/8/8/1M6/3K4 b - - 0 1",
        "h8g7",
        **ON,
    ),
    scenario(
        "one met left under dead",
        "The met that is left cannot mate.",
        DEAD,
        "7k/6R1/8/8/8/8/1M6/3K4 b - - 0 1",
        "h8g7",
        **DRAWN,
    ),
    scenario(
        "the last ma is taken",
        "A met and a ma might mate; the two met that are left stand on one colour and cannot.",
        DEAD,
        "7k/6n1/8/8/3M4/8/1M6/3K4 w - - 0 1",
        "d4e5 h8h7 e5d6 g7f5 d6e5 f5d4 e5d4",
        **DRAWN,
    ),
    scenario(
        "a table pairing by a capture",
        "Ruea and met against a ruea remain.",
        TABLE,
        "k7/8/3r4/8/8/3R4/4m3/4M2K w - - 0 1",
        "d3e3 d6d5 e3e2",
        **DRAWN,
    ),
    scenario(
        "a table pairing by a promotion",
        "The last bia becomes a met: ruea and met against a ruea, and no bia is left.",
        TABLE,
        "k7/8/3r4/7P/8/4R3/8/7K w - - 0 1",
        "h5h6m",
        **DRAWN,
    ),
    scenario(
        "a bia set up on its last rank keeps the table away",
        "A bia that cannot move is still a bia.",
        TABLE,
        "k6P/8/3r4/8/8/3RM3/8/7K w - - 0 1",
        **ON,
    ),
    scenario(
        "promoted bia in a pairing",
        "Promoted bia are met: ruea against three of them.",
        TABLE,
        "k7/8/2m~m~m~3/8/8/3R4/8/7K b - - 0 1",
        **DRAWN,
    ),
    scenario(
        "wikipedia asks the table",
        "Two ruea against ruea and ma are drawn there.",
        "wikipedia",
        "k7/8/3rn3/8/8/2RR4/8/7K b - - 0 1",
        **DRAWN,
    ),
    scenario(
        "fairy asks for dead men only",
        "Two ruea against ruea and ma go on there.",
        "fairy",
        "k7/8/3rn3/8/8/2RR4/8/7K b - - 0 1",
        **ON,
    ),
]


def scenarios() -> Iterator[Scenario]:
    """Yield the family."""
    yield from alternating(chances())
    yield from pairings()
    yield from alternating(BY_MOVES)
