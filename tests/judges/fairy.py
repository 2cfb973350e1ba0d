"""Fairy-Stockfish as judge, through pyffish: legal set, count, optional ends and dead positions of every ply."""

from __future__ import annotations

import ctypes
import mmap
import platform
import random
import sys
from collections import Counter
from functools import cache

import pyffish
import pyffish._pyffish as binary

from makruk_env import Board, Rules
from tests.judges.agreement import same
from tests.judges.events import note_move, note_position
from tests.judges.starts import MOODS, VARIANTS, pick, start

_RETURN = b"\xc3"
_READ_EXECUTE, _READ_WRITE_EXECUTE = 5, 7


@cache
def hold_tables(variant: str) -> bool:
    """Let pyffish compute its attack tables once instead of in each call, where they take 3.4 of 3.5 ms.

    They depend on the variant's men alone, and those of both variants here move alike. After one call, the function
    that fills them is made to return at once, in this process's memory only. Returns whether that could be done (Linux
    on x86-64); elsewhere the judge is as right, but 40 times slower.
    """
    first = pyffish.legal_moves(variant, pyffish.start_fen(variant), [])
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return False
    function = ctypes.CDLL(binary.__file__)._ZN9Stockfish9Bitboards11init_piecesEv
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    page = ctypes.c_void_p(address - address % mmap.PAGESIZE)
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    if protect(page, ctypes.c_size_t(2 * mmap.PAGESIZE), _READ_WRITE_EXECUTE):
        return False
    ctypes.memmove(address, _RETURN, len(_RETURN))
    protect(page, ctypes.c_size_t(2 * mmap.PAGESIZE), _READ_EXECUTE)
    assert pyffish.legal_moves(variant, pyffish.start_fen(variant), []) == first
    return True


def against_pyffish(rules: str, seed: int, plies: int) -> Counter[str]:
    """Compare core and Fairy-Stockfish over games of `plies` plies in all, under "fairy" or "cambodian".

    Return what occurred. Raises `DifferenceError` at the first difference.
    """
    hold_tables(VARIANTS[rules])
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    while seen["ply"] < plies:
        _play(rng, rules, seen)
    return +seen


def _play(rng: random.Random, rules: str, seen: Counter[str]) -> None:
    variant, moods = VARIANTS[rules], (rng.choice(MOODS), rng.choice(MOODS))
    fen, script = start(rng, Rules.preset(rules))
    board = Board(fen, rules)
    last, last_moves = board.fen(), list[str]()
    anchor, since = last, list[str]()  # the last position that no later one can repeat, and the moves from there
    before = None
    while True:
        now, outcome = board.fen(), board.outcome
        name = outcome.termination.name if outcome else None
        legal = sorted(pyffish.legal_moves(variant, now, []))
        same("FEN", now, pyffish.get_fen(variant, last, last_moves).replace("~", ""), board, fen)
        if board.position.quiet == 0:
            anchor, since = now, []
        if legal:
            ended = name in ("PIECES_COUNT", "BOARD_COUNT", "REPETITION")
            same("end", ended, pyffish.is_optional_game_end(variant, anchor, since)[0], board, fen)
            if not ended:
                dead = all(pyffish.has_insufficient_material(variant, now, []))
                same("dead", name == "MATERIAL", dead, board, fen)
        else:
            same("mate", name in ("CHECKMATE", "STALEMATE"), True, board, fen)
        note_position(seen, board, before)
        if outcome:
            return
        same("legal set", sorted(move.uci() for move in board.legal_moves), legal, board, fen)
        move = pick(rng, board, moods[board.turn], script)
        note_move(seen, board, move)
        before = board.count and board.count.kind
        last, last_moves = now, [move.uci()]
        since.append(move.uci())
        board.push(move)
