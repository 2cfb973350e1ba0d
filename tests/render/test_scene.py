"""What is read off a game before it is drawn."""

import random

import numpy as np
import pytest

from makruk_env import COUNT_START, NUM_ACTIONS, Board, Colour, Move, Outcome, Termination, action_of
from makruk_env.render import scene
from tests.render.pictures import OPEN_BOARD, PROMOTES, played


def test_a_turned_over_bia_is_followed_to_its_capture() -> None:
    moves = ["e5e6m", "c7b6", "e6d7", "b6c5", "d4d5"]
    squares = []
    board = Board(PROMOTES)
    for move in moves:
        board.push_uci(move)
        squares.append(scene.promoted_squares(board))
    assert squares == [{44}, {44}, {51}, {51}, {51}]
    board.push_uci("d8d7")
    assert scene.promoted_squares(board) == set()


@pytest.mark.parametrize("seed", range(3))
def test_promoted_squares_hold_mets_as_many_as_there_are_too_many(seed: int) -> None:
    draw = random.Random(seed)
    board = Board()
    while board.outcome is None:
        board.push(draw.choice(board.legal_actions()))
        shown = scene.of(board)
        for colour in Colour:
            mets = [square for square, man in shown.men.items() if man == (colour, "met")]
            assert len(mets) <= 1
        turned_over = {square for square, man in shown.men.items() if man.name == "bia-ngai"}
        assert turned_over == scene.promoted_squares(board)


def test_a_game_is_replayed_from_its_start() -> None:
    board = played(OPEN_BOARD, "e3e2", "start", "d8e8")
    before = board.fen()
    shown = list(scene.replay(board))
    assert [one.last for one in shown] == [None, (20, 12), (20, 12), (59, 60)]
    assert [one.count is None for one in shown] == [True, True, False, False]
    assert shown[-1] == scene.of(board)
    assert board.fen() == before


def test_an_end_that_the_board_does_not_know() -> None:
    lost = scene.of(Board(), outcome=Outcome(1, Termination.ILLEGAL_ACTION))
    assert (lost.status, lost.over) == ("Black wins: illegal action", True)
    cut = scene.of(Board(), cut_short=40)
    assert (cut.status, cut.over) == ("Cut short after 40 moves", True)
    assert not scene.of(Board()).over


@pytest.mark.parametrize("turn", list(Colour))
def test_the_heaviest_moves_of_a_policy(turn: Colour) -> None:
    weights = np.zeros(NUM_ACTIONS, np.float32)
    moves = [Move(12, 20), Move(1, 18), Move(3, 11)]
    for move, weight in zip(moves, (2, 8, 4), strict=True):
        weights[action_of(move, turn)] = weight
    weights[COUNT_START] = 50
    assert scene.policy_arrows(weights, turn) == [(1, 18, 1.0), (3, 11, 0.5), (12, 20, 0.25)]
    assert scene.policy_arrows(weights, turn, most=1) == [(1, 18, 1.0)]
    assert scene.policy_arrows(np.zeros(NUM_ACTIONS), turn) == []
