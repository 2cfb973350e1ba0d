"""Names for what happens in a game, and which of them must happen under given rules when play is long enough."""

from __future__ import annotations

from collections import Counter

from makruk_env import Board, CountKind, Move, Rules

_ROWS = {
    "ranked": ("2 ruea 8", "1 ruea 16", "2 khon 22", "1 khon 44", "2 ma 32", "1 ma 64", "else 64"),
    "minimum": ("2 ruea 8", "1 ruea 16", "2 khon 22", "2 ma 32", "1 khon 44", "else 64"),
}


def _row(board: Board) -> str:
    """Return the row of the limit table by which a pieces count that has just begun took its limit."""
    assert board.count is not None
    letters = board.fen().split()[0]
    men = letters if board.count.counter == 1 else letters.swapcase()
    ruea, khon, ma = (men.count(letter) for letter in "RSN")
    fits = {
        "2 ruea 8": ruea >= 2,
        "1 ruea 16": ruea >= 1,
        "2 khon 22": khon >= 2,
        "1 khon 44": khon >= 1,
        "2 ma 32": ma >= 2,
        "1 ma 64": ma >= 1,
        "else 64": True,
    }
    return f"limit {board.rules.pieces_table} {next(row for row in _ROWS[board.rules.pieces_table] if fits[row])}"


def note_position(seen: Counter[str], board: Board, before: CountKind | None) -> None:
    """Count what a position shows; before: the kind of count that ran one action earlier."""
    count = board.count
    if count is not None:
        seen[f"count {count.kind.name}"] += 1
        if count.kind == CountKind.PIECES and before != CountKind.PIECES and board.actions:
            seen[_row(board)] += 1
            if before == CountKind.BOARD:
                seen["board count replaced"] += 1
    if board.outcome is not None:
        seen[f"end {board.outcome.termination.name}"] += 1


def note_move(seen: Counter[str], board: Board, move: Move) -> None:
    """Count what kind of move is about to be made."""
    seen["ply"] += move.declares is None
    if move.declares is not None:
        seen[f"declared {move}"] += 1
    elif move.declined:
        seen["promotion declined"] += 1
    elif move.promotion:
        seen["promotion"] += 1
    if int(board.position.rights):
        here, there = 1 << move.from_square, 1 << move.to_square
        position = board.position
        files = abs(move.from_square % 8 - move.to_square % 8)
        ranks = abs(move.from_square // 8 - move.to_square // 8)
        own = int(position.black if board.turn else position.white)
        if own & there:
            seen["sut of a ma" if int(position.ma) & here else "sut of a met"] += 1
        elif int(position.khun) & here and files == 2:
            seen["leap of a khun"] += 1
        elif int(position.met) & here and ranks == 2:
            seen["leap of a met"] += 1


def expected(rules: Rules) -> set[str]:
    """Return the names of all that these rules provide for."""
    some = {"end CHECKMATE", "promotion"}
    wanted = {
        "end STALEMATE": rules.stalemate != "forbidden",
        "end REPETITION": rules.repetition,
        "end PERPETUAL_CHECK": rules.repetition and rules.perpetual_check == "loss",
        "end NO_ALLOWED_MOVE": rules.stalemate == "forbidden",
        "end COUNTER_MATED": rules.counter_mates != "win" and rules.board_count != "off",
        "end MATERIAL": rules.material,
        "end MAX_PLIES": rules.max_plies,
        "promotion declined": rules.promotion == "optional",
        "leap of a khun": rules.king_leap != "off",
        "leap of a met": rules.met_leap,
        "sut of a met": rules.sut_met,
        "sut of a ma": rules.sut_ma,
    }
    if rules.pieces_count != "off":
        some |= {
            "count PIECES",
            "end PIECES_COUNT",
            *(f"limit {rules.pieces_table} {row}" for row in _ROWS[rules.pieces_table]),
        }
    if rules.board_count != "off":
        some |= {"count BOARD", "end BOARD_COUNT"}
        if rules.pieces_count == "auto":
            some.add("board count replaced")
    if rules.board_count == "declared":
        some |= {"declared start", "declared stop"}
    return some | {name for name, applies in wanted.items() if applies}
