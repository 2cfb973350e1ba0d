"""The action space: its size and order, its tables in both directions, and its mirror."""

import random

import numpy as np
import pytest

from makruk_env import COUNT_START, COUNT_STOP, NUM_ACTIONS, Board, Move, MoveTextError, Rules, action_of, move_of
from makruk_env.core.actions import (
    ACTION_FROM,
    ACTION_TO,
    DECLINED_ACTION,
    MIRRORED_ACTION,
    NUM_DECLINED,
    NUM_PAIRS,
    PAIR_ACTION,
)
from makruk_env.core.tables import MET

SPARSE = ("4k3/1P4p1/2P5/3s4/4S3/5p2/6P1/R3K2r w - - 0 1", "3k4/2m5/8/8/3KS3/4R3/8/8 w - - 0 1")


def test_the_space_holds_every_pair_every_declined_promotion_and_two_declarations() -> None:
    assert (NUM_PAIRS, NUM_DECLINED, NUM_ACTIONS) == (1428, 44, 1428 + 44 + 2)
    assert (COUNT_START, COUNT_STOP) == (1472, 1473)
    assert len(ACTION_FROM) == len(ACTION_TO) == len(MIRRORED_ACTION) == NUM_ACTIONS


def test_pairs_are_those_that_some_man_can_go_between() -> None:
    """196 steps on diagonals, 896 along lines, 336 jumps of a ma: told by the distances of the squares alone."""
    kinds = {"line": 0, "diagonal": 0, "ma": 0}
    for start in range(64):
        for stop in range(64):
            files, ranks = abs(start % 8 - stop % 8), abs(start // 8 - stop // 8)
            line, diagonal, ma = (files == 0) != (ranks == 0), files == ranks == 1, {files, ranks} == {1, 2}
            assert (PAIR_ACTION[start, stop] >= 0) == (line or diagonal or ma), (start, stop)
            kinds["line"] += line
            kinds["diagonal"] += diagonal
            kinds["ma"] += ma
    assert kinds == {"line": 896, "diagonal": 196, "ma": 336}


@pytest.mark.parametrize("part", [slice(0, NUM_PAIRS), slice(NUM_PAIRS, NUM_PAIRS + NUM_DECLINED)])
def test_actions_are_sorted_by_from_then_to(part: slice) -> None:
    pairs = list(zip(ACTION_FROM[part].tolist(), ACTION_TO[part].tolist(), strict=True))
    assert pairs == sorted(set(pairs))


def test_declined_promotions_are_bia_moves_onto_the_sixth_and_seventh_rank() -> None:
    start, stop = ACTION_FROM[NUM_PAIRS:COUNT_START], ACTION_TO[NUM_PAIRS:COUNT_START]
    assert np.bincount(stop // 8, minlength=8).tolist() == [0, 0, 0, 0, 0, 22, 22, 0]
    assert (stop // 8 - start // 8 == 1).all()
    assert (np.abs(stop % 8 - start % 8) <= 1).all()


@pytest.mark.parametrize(
    ("table", "first", "last"),
    [(PAIR_ACTION, 0, NUM_PAIRS), (DECLINED_ACTION, NUM_PAIRS, NUM_PAIRS + NUM_DECLINED)],
)
def test_the_tables_are_inverse(table: np.ndarray, first: int, last: int) -> None:
    actions = np.arange(first, last)
    assert (table[ACTION_FROM[actions], ACTION_TO[actions]] == actions).all()
    assert (table >= 0).sum() == last - first


def test_the_mirror_is_an_involution_that_swaps_files() -> None:
    assert (MIRRORED_ACTION[MIRRORED_ACTION] == np.arange(NUM_ACTIONS)).all()
    assert (ACTION_FROM[MIRRORED_ACTION[:COUNT_START]] == ACTION_FROM[:COUNT_START] ^ 7).all()
    assert (ACTION_TO[MIRRORED_ACTION[:COUNT_START]] == ACTION_TO[:COUNT_START] ^ 7).all()
    assert MIRRORED_ACTION[COUNT_START:].tolist() == [COUNT_START, COUNT_STOP]


@pytest.mark.parametrize("turn", [0, 1])
def test_every_action_maps_to_a_move_and_back(turn: int) -> None:
    moves = [move_of(action, turn) for action in range(NUM_ACTIONS)]
    assert [action_of(move, turn) for move in moves] == list(range(NUM_ACTIONS))
    assert len(set(moves)) == NUM_ACTIONS


def test_an_action_is_the_movers_point_of_view() -> None:
    e3e4 = action_of(Move.from_uci("e3e4"), 0)
    assert move_of(e3e4, 1).uci() == "d6d5"
    assert action_of(Move.from_uci("d6d5"), 1) == e3e4


@pytest.mark.parametrize("promotion", ["forced", "optional"])
@pytest.mark.parametrize("fen", [None, *SPARSE])
def test_every_legal_action_of_random_games_maps_back(fen: str | None, promotion: str) -> None:
    rules = Rules.preset("ttakji", promotion=promotion)
    draw = random.Random(11)
    seen = {"declined": 0, "promoted": 0, "declared": 0, "black": 0}
    for _ in range(4):
        board = Board(fen, rules)
        while board.outcome is None and board.ply < 80:
            actions, moves = board.legal_actions(), board.legal_moves
            assert [action_of(move, board) for move in moves] == actions
            chosen = draw.choice(actions)
            text = moves[actions.index(chosen)].uci()
            assert board.action(Move.from_uci(text)) == chosen
            for action, move in zip(actions, moves, strict=True):
                seen["declined"] += move.declined
                seen["promoted"] += move.promotion == MET
                seen["declared"] += action >= COUNT_START
                seen["black"] += board.turn
            board.push(chosen)
    assert seen["black"]
    assert promotion == "optional" or not seen["declined"]
    if fen == SPARSE[0]:
        assert seen["promoted"]
        assert promotion == "forced" or seen["declined"]
    if fen == SPARSE[1]:
        assert seen["declared"]


@pytest.mark.parametrize("action", [-1, NUM_ACTIONS])
def test_a_number_outside_the_space_is_no_action(action: int) -> None:
    with pytest.raises(MoveTextError, match=str(action)):
        move_of(action, 0)


def test_squares_that_no_man_goes_between_have_no_action() -> None:
    with pytest.raises(MoveTextError, match="a1b4"):
        action_of(Move.from_uci("a1b4"), 0)
