"""Draws by material alone, and the limit that material sets to a count."""

from .position import BLACK, MEN, MET, WHITE, Position

# Two sides' men besides the khuns, in the letters M, S, N and R in alphabetical order; either side may be either.
DRAWN_PAIRINGS = {
    ("MNS", "MM"),
    ("R", "MMM"),
    ("R", "MN"),
    ("R", "MS"),
    ("NS", "S"),
    ("NS", "N"),
    ("MR", "R"),
    ("MMS", "R"),
    ("MMN", "R"),
    ("MMMS", "MR"),
    ("MMMN", "MR"),
    ("RS", "R"),
    ("NR", "R"),
    ("RR", "RS"),
    ("RR", "NR"),
}


def helpers(position: Position, side: int) -> str:
    """Return a side's men besides the khun, in alphabetical order."""
    return "".join(sorted(man for man in position.men(side) if man != "K"))


def met_colours(position: Position, men: str) -> set[int]:
    """Return the colours, 0 or 1, of the squares on which the mets among the given men stand."""
    return {(square + square // 8) % 2 for square, man in enumerate(position.board) if man in MET and man in men}


def can_mate(position: Position, side: int) -> bool:
    """Tell whether a side could ever mate with the men that both sides have."""
    own, other = helpers(position, side), helpers(position, 1 - side)
    both = own + other
    if "R" in own or "S" in own:
        return True
    if "M" in own:
        if len(met_colours(position, MET)) == 2:
            return True
        if "N" in both or "P" in both or "R" in other or "S" in other:
            return True
    return ("N" in own or "P" in own) and len(both) >= 2


def table_draw(position: Position) -> bool:
    """Tell whether the men are one of the pairings that count as drawn without play."""
    for side in (WHITE, BLACK):
        pairing = (helpers(position, side), helpers(position, 1 - side))
        if pairing in DRAWN_PAIRINGS:
            return True
        colours = len(met_colours(position, MEN[side]))
        if (pairing == ("MMM", "M") and colours == 2) or (pairing == ("MMMM", "MR") and colours == 1):
            return True
    return False


def material_draw(position: Position, rules: frozenset[str]) -> bool:
    """Tell whether any of the chosen material rules makes the position a draw."""
    if "bare_kings" in rules and not helpers(position, WHITE) and not helpers(position, BLACK):
        return True
    if "dead" in rules and not can_mate(position, WHITE) and not can_mate(position, BLACK):
        return True
    return "table" in rules and table_draw(position)


def pieces_limit(position: Position, chaser: int, table: str) -> int:
    """Return the limit of a pieces count against a bare khun, set by the chaser's men."""
    men = position.men(chaser)
    ruea, khon, ma = men.count("R"), men.count("S"), men.count("N")
    khon_or_ma = [(khon >= 1, 44), (ma >= 2, 32)]
    if table == "minimum":
        khon_or_ma.reverse()
    rows = [(ruea >= 2, 8), (ruea >= 1, 16), (khon >= 2, 22), *khon_or_ma]
    return next((limit for fits, limit in rows if fits), 64)
