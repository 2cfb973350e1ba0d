"""What `alphabeta` comes to, found by plain minimax: no table, no order, one `Board`."""

from __future__ import annotations

import numpy as np

from agents.evaluation import evaluate_places
from agents.room import MOST_EXTENSIONS, QUIET_PLIES
from makruk_env import Board
from makruk_env.core.actions import ACTION_FROM, ACTION_TO, COUNT_START, NUM_PAIRS
from makruk_env.core.movegen import attacked_by

MATE = 30_000
_WORTH = {"khun": 0, "met": 170, "khon": 270, "ma": 310, "ruea": 500, "bia": 100}
_PROMOTION = 70
_STARTS, _STOPS = ACTION_FROM.tolist(), ACTION_TO.tolist()


def ended(board: Board, level: int) -> int:
    """Return the worth of a game that is over to the side to move."""
    assert board.outcome
    if board.outcome.winner is None:
        return 0
    return MATE - level if board.outcome.winner == board.turn else level - MATE


def _worth(board: Board, square: int) -> int:
    return sum(worth for name, worth in _WORTH.items() if getattr(board.fields, name) >> square & 1)


def noisy_actions(board: Board) -> list[int]:
    """Return the captures and promotions, but for those of a man worth more than what it wins, on a guarded square."""
    now, flip = board.fields, 63 * board.turn
    enemy = now.white if board.turn else now.black
    found, guarded = [], None
    for action in board.legal_actions():
        start, stop = _STARTS[action] ^ flip, _STOPS[action] ^ flip
        promotes = now.bia >> start & 1 and _STOPS[action] >= 40 and action < NUM_PAIRS
        if action >= COUNT_START or not (enemy >> stop & 1 or promotes):
            continue
        if guarded is None:
            guarded = int(attacked_by(board.position, 1 - board.turn, np.uint64(now.white | now.black)))
        gain = (_worth(board, stop) if enemy >> stop & 1 else 0) + (_PROMOTION if promotes else 0)
        if not (_worth(board, start) > gain and guarded >> stop & 1):
            found.append(action)
    return found


def quiet(board: Board, plies: int, level: int, alpha: int = -MATE, beta: int = MATE) -> int:
    """Return the worth beyond the depth: what the side to move has, or gets by captures and promotions.

    Here alone is a window, without which a middle game full of captures takes minutes. It begins full at every leaf.
    """
    if board.outcome:
        return ended(board, level)
    best = int(evaluate_places(board.position))
    for action in noisy_actions(board) if plies else ():
        if best >= beta:
            break
        board.push(action)
        best = max(best, -quiet(board, plies - 1, level + 1, -beta, -max(alpha, best)))
        board.pop()
    return best


def minimax(board: Board, depth: int, left: int = MOST_EXTENSIONS, level: int = 0, answers: bool = False) -> int:
    """Return the worth of a position to its side to move, looking ahead by so many plies.

    left: how many checks may still lengthen the line; answers: the last action passed the turn.
    """
    if board.outcome:
        return ended(board, level)
    if answers and board.is_check() and left:
        depth, left = depth + 1, left - 1
    if depth == 0:
        return quiet(board, QUIET_PLIES, level)
    best, side = -MATE - 1, board.turn
    for action in board.legal_actions():
        board.push(action)
        passed = board.turn != side
        score = minimax(board, depth - 1, left, level + 1, passed)
        best = max(best, -score if passed else score)
        board.pop()
    return best
