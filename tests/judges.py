"""Random games played side by side by the core, the naive oracle and pyffish: every ply must be equal.

    python -m tests.judges --rules ttakji --plies 200000

prints how often each count and each end occurred, and exits with 1 at the first difference.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator

from makruk_env import Board, FenError
from tests.oracle import Oracle

PYFFISH_VARIANTS = {"fairy": "makruk"}
_SPARSE = ("RKk", "RKkm", "SSKkm", "SNKkr", "NNMKks", "SMMKkn", "RPKk", "RKkp", "SKkpm", "NNPKkp", "RSKkrm", "MMMKkm",
           "SPPKk", "NPKkp", "RRKknm", "KkMp", "KkNm", "SNNMMKk", "PPKkpp", "RNKksp")  # fmt: skip


class DifferenceError(AssertionError):
    """The judges disagree."""


def sparse_fen(rng: random.Random) -> str:
    """Return an ending with few men on random squares, every third with a count somewhere on its way."""
    while True:
        men = rng.choice(_SPARSE)
        if rng.random() < 0.5:
            men = men.swapcase()
        squares = rng.sample(range(64), len(men))
        board = ["1"] * 64
        for letter, square in zip(men, squares, strict=True):
            board[square] = letter
        placed = "/".join("".join(board[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1))
        count = f"{2 * rng.choice((8, 16, 22, 32, 44, 64))} {rng.randint(0, 60)}" if rng.random() < 1 / 3 else "- 0"
        fen = f"{placed} {rng.choice('wb')} - {count} {rng.randint(1, 190)}"
        try:
            Board(fen)
        except FenError:
            continue
        return fen


def starts(rng: random.Random) -> Iterator[str | None]:
    """Yield start positions: the usual array every fourth time, else a sparse ending."""
    while True:
        yield None if rng.random() < 0.25 else sparse_fen(rng)


def pick(rng: random.Random, board: Board, texts: list[str]) -> str:
    """Return a move, drawn to captures, promotions and declarations half of the time."""
    if rng.random() < 0.5:
        occupied = int(board.position.white | board.position.black)
        lively = [m.uci() for m in board.legal_moves if m.declares or m.promotion or occupied >> m.to_square & 1]
        if lively:
            return rng.choice(lively)
    return rng.choice(texts)


def _same(what: str, core: object, judge: object, board: Board, start: str | None, moves: list[str]) -> None:
    if core != judge:
        raise DifferenceError(f"{what}: core {core!r}, judge {judge!r} in {board.fen()!r}, from {start!r} by {moves}")


def against_oracle(rules: str, seed: int, plies: int) -> Counter[str]:
    """Compare core and oracle ply by ply: legal set, FEN, count, check, outcome. Return what occurred.

    Raises `DifferenceError` at the first one.
    """
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for start in starts(rng):
        board, oracle = Board(start, rules), Oracle(start, rules)
        moves: list[str] = []
        while True:
            texts = sorted(move.uci() for move in board.legal_moves)
            count, outcome = board.count, board.outcome
            _same("legal set", texts, oracle.legal(), board, start, moves)
            _same("FEN", board.fen(), oracle.fen(), board, start, moves)
            told = count and (count.kind.name, count.counter, count.number, count.limit)
            _same("count", told, oracle.count, board, start, moves)
            _same("check", board.is_check(), oracle.is_check(), board, start, moves)
            _same(
                "outcome", outcome and (outcome.winner, outcome.termination.name), oracle.outcome, board, start, moves
            )
            if count:
                seen[f"count {count.kind.name} {count.limit}"] += 1
            if outcome:
                seen[f"end {outcome.termination.name}"] += 1
                break
            move = pick(rng, board, texts)
            seen["ply"] += 1
            seen[f"declared {move}"] += move in ("start", "stop")
            moves.append(move)
            board.push_uci(move)
            oracle.push(move)
        if seen["ply"] >= plies:
            return +seen
    raise AssertionError("starts never end")


def against_pyffish(rules: str, seed: int, plies: int) -> Counter[str]:
    """Compare core and pyffish ply by ply: legal set, FEN with its count, optional ends, dead positions.

    A call of pyffish takes about five milliseconds whatever it is asked, so where neither a count runs nor anything has
    repeated, the ends are asked about every eighth ply, and dead positions then and after a capture or promotion.
    Raises `DifferenceError` at the first one.
    """
    import pyffish

    variant = PYFFISH_VARIANTS[rules]
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for start in starts(rng):
        board = Board(start, rules)
        first = board.fen()
        moves: list[str] = []
        men = ""
        while True:
            now, outcome = board.fen(), board.outcome
            name = outcome.termination.name if outcome else None
            _same("FEN", now, pyffish.get_fen(variant, first, moves).replace("~", ""), board, start, moves)
            texts = sorted(move.uci() for move in board.legal_moves)
            legal = sorted(pyffish.legal_moves(variant, now, []))
            if not legal:
                _same("mate", name in ("CHECKMATE", "STALEMATE"), True, board, start, moves)
            eighth = len(moves) % 8 == 0
            ended = name in ("PIECES_COUNT", "BOARD_COUNT", "REPETITION")
            if legal and (outcome or board.count or board.position.repetition or eighth):
                _same("end", ended, pyffish.is_optional_game_end(variant, first, moves)[0], board, start, moves)
                seen["end asked"] += 1
            if legal and not ended and (outcome or eighth or _men(now) != men):
                dead = all(pyffish.has_insufficient_material(variant, now, []))
                _same("dead", name == "MATERIAL", dead, board, start, moves)
                seen["dead asked"] += 1
            men = _men(now)
            if board.count:
                seen[f"count {board.count.kind.name} {board.count.limit}"] += 1
            if outcome:
                seen[f"end {name}"] += 1
                break
            _same("legal set", texts, legal, board, start, moves)
            move = pick(rng, board, texts)
            seen["ply"] += 1
            moves.append(move)
            board.push_uci(move)
        if seen["ply"] >= plies:
            return +seen
    raise AssertionError("starts never end")


def _men(fen: str) -> str:
    return "".join(sorted(letter for letter in fen.split()[0] if letter.isalpha()))


JUDGES: dict[str, Callable[[str, int, int], Counter[str]]] = {"oracle": against_oracle, "pyffish": against_pyffish}


def main() -> int:
    """Compare on the command line."""
    parser = argparse.ArgumentParser(description="play random games beside an independent judge")
    parser.add_argument("--rules", default="ttakji")
    parser.add_argument("--judge", choices=sorted(JUDGES), default="oracle")
    parser.add_argument("--plies", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    try:
        seen = JUDGES[arguments.judge](arguments.rules, arguments.seed, arguments.plies)
    except DifferenceError as difference:
        print(difference)
        return 1
    print(f"{arguments.rules} against {arguments.judge}: 0 differences in {seen.pop('ply'):,} plies")
    for what, times in sorted(seen.items()):
        print(f"  {what:32}{times:>9,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
