"""The agent that looks one ply ahead."""

from __future__ import annotations

import numpy as np
import pytest

import agents
from agents.heuristics import evaluate
from makruk_env import Board, Move, batch
from tests.agents.minimax import ended


def counted(board: Board, action: int) -> int:
    """Return what a board counts after an action, for the side that takes it."""
    side = board.turn
    board.push(action)
    score = ended(board, 0) if board.outcome else int(evaluate(board.position))
    score = score if board.turn == side else -score
    board.pop()
    return score


@pytest.mark.parametrize("rules", ["ttakji", "wikipedia", "cambodian", "sut", "ttakji:promotion=optional"])
def test_plays_what_counts_best(rules: str) -> None:
    games = batch.new(12, rules, seed=2)
    for _ in range(8):
        batch.random_play(games, 11)
        which = np.flatnonzero(~games.ended)
        chosen = agents.make("greedy").select(games, which)
        for i, action in zip(which, chosen, strict=True):
            board = Board(games.fen(i), rules)  # without its past: no position has stood twice so early
            scores = {each: counted(board, each) for each in board.legal_actions()}
            assert scores[int(action)] == max(scores.values())


def test_takes_a_guarded_bia_with_a_ruea() -> None:
    board = Board("4k3/8/2s5/3p4/8/8/8/3RK3 w - - 0 1")
    assert agents.make("greedy").choose(board) == board.action(Move.from_uci("d1d5"))


def test_among_equals_the_draw_decides() -> None:
    board = Board()
    assert len({agents.make("greedy").choose(board, seed) for seed in range(20)}) > 5
