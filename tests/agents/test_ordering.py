"""The order of moves, and which of them are followed beyond the depth."""

from __future__ import annotations

import numpy as np
import pytest

from agents.ordering import MOST_HISTORY, NO_ACTION, bring_best, keep_noisy, note_cut, rank_moves
from makruk_env import NUM_ACTIONS, Board, Move
from makruk_env.starts import random_ending, random_opening
from tests.agents.minimax import noisy_actions

FEN = "4k3/8/2m1r3/3P4/2N5/4p3/8/R3K3 w - - 0 1"


def arrays(board: Board) -> tuple[np.ndarray, np.ndarray, int]:
    legal = board.legal_actions()
    moves = np.zeros(len(legal), np.int16)
    moves[:] = legal
    return moves, np.zeros(len(legal), np.int32), len(legal)


def test_table_captures_killers_history_and_the_rest_in_this_order() -> None:
    board = Board(FEN)
    moves, ranks, n = arrays(board)
    killers = np.array([board.action(Move.from_uci(text)) for text in ("e1d1", "a1b1")], np.int16)
    history = np.zeros((2, NUM_ACTIONS), np.int32)
    tried, other = (board.action(Move.from_uci(text)) for text in ("a1a2", "a1a3"))
    history[0, tried], history[1, other] = 7, 9  # the other side's history counts for nothing
    first = board.action(Move.from_uci("a1a8"))
    rank_moves(board.position, moves, ranks, n, first, killers, history)
    for at in range(n):
        bring_best(moves, ranks, at, n)
    assert sorted(moves.tolist()) == board.legal_actions()
    assert sorted(ranks.tolist(), reverse=True) == ranks.tolist()
    expected = [board.action(Move.from_uci(text)) for text in ("a1a8", "d5e6m", "d5c6m", "c4e3", "d5d6m")]
    assert moves[: len(expected)].tolist() == expected
    assert moves[5:8].tolist() == [*killers.tolist(), tried]
    assert (ranks[8:] == 0).all()


@pytest.mark.parametrize("rules", ["ttakji", "ttakji:promotion=optional", "sut"])
def test_what_is_followed_beyond_the_depth(rules: str) -> None:
    rng = np.random.default_rng(1)
    starts = [random_opening(rng, rules, 10, 50) for _ in range(25)] + [random_ending(rng, rules) for _ in range(25)]
    total = 0
    for start in starts:
        board = Board(rules=rules)._begin_at(start)
        moves, ranks, n = arrays(board)
        kept = int(keep_noisy(board.position, moves, ranks, n))
        assert sorted(moves[:kept].tolist()) == noisy_actions(board)
        assert sorted(moves.tolist()) == board.legal_actions()  # none is lost: a node may be searched again
        total += kept
    assert total > 40


def test_a_cut_makes_killers_and_history() -> None:
    killers, history = np.full(2, NO_ACTION, np.int16), np.zeros((2, NUM_ACTIONS), np.int32)
    for action in (5, 9, 9, 5):
        note_cut(killers, history, 1, action, 3)
    assert killers.tolist() == [5, 9]
    assert history[1, 5] == history[1, 9] > 0
    assert history.sum() == history[1, 5] + history[1, 9]
    for depth in (1, 32) * 500:
        before = history[1, 5]
        note_cut(killers, history, 1, 5, depth)
        assert before <= history[1, 5] < MOST_HISTORY
