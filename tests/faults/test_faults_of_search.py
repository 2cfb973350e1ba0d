"""Faults that search programs were shipped with, by their numbers in tests/mutants/faults.py: small tests of each.

They are small enough to run with the kernels as plain Python too, which the mutants do.
"""

from __future__ import annotations

import numpy as np
import pytest

from agents.search import Search, SearchSettings
from makruk_env import Board, batch
from makruk_env.core.actions import NUM_ACTIONS
from tests.agents.search.givens import Hashed, expected, heuristic, visits_of
from tests.agents.search.reference import search
from tests.agents.search.reference_root import gumbel

AHEAD = "4k3/8/8/3p4/8/2RR4/4P3/4K3 w - - 0 20"
"""White has two ruea more; nobody mates soon."""
C_SCALES = (0.01, 0.02, 0.04, 0.08)
COUNTED_OUT = "8/8/4k3/8/2R5/2K5/8/8 w - 32 31 50"
"""Black has spoken his last number."""


def searched(board: Board, simulations: int = 10, **settings: float) -> tuple[Search, float]:
    """Search one board by the heuristic and return the tree and the root's value."""
    tree = Search(1, simulations, SearchSettings(**settings))  # type: ignore[arg-type]
    return tree, float(tree.run(batch.of_boards([board]), "heuristic").values[0])


def test_01_the_side_ahead_is_told_so_whoever_it_is_and_whoever_moves() -> None:
    white = Board(AHEAD)
    black_to_move = Board(AHEAD.replace(" w ", " b "))
    assert searched(white)[1] > 0.3
    assert searched(white.turned())[1] == pytest.approx(searched(white)[1], abs=0.1)  # equal priors in another order
    assert searched(black_to_move)[1] < -0.3
    assert searched(black_to_move.turned())[1] < -0.3


def test_01_values_change_sides_on_the_way_up() -> None:
    tree, _ = searched(Board(AHEAD), 12)
    root = search(Board(AHEAD), heuristic, 12, SearchSettings())
    assert visits_of(tree, 0) == expected(root)


def test_04_a_logit_belongs_to_its_action_and_not_to_its_place() -> None:
    """One action of the sparse legal set is preferred: it gets the prior and the visits."""
    board = Board()
    for wanted in board.legal_actions()[::7]:

        class Pointing:
            def evaluate(self, planes: np.ndarray, wanted: int = wanted) -> tuple[np.ndarray, np.ndarray]:
                logits = np.zeros((len(planes), NUM_ACTIONS), np.float32)
                logits[:, wanted] = 5
                return logits, np.tile(np.float32([0, 1, 0]), (len(planes), 1))

        result = Search(1, 4).run(batch.of_boards([board]), Pointing())
        best = int(result.priors[0].argmax())
        assert result.actions[0, best] == wanted == result.chosen[0]


def test_07_an_end_is_known_when_its_node_is_made() -> None:
    """Stalemate and mate next to each other: no evaluator is asked of either, and two simulations find the mate."""

    class Refusing:
        def evaluate(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            assert len(planes) == 0, "a position that is proven was sent to be evaluated"
            return np.zeros((0, NUM_ACTIONS), np.float32), np.zeros((0, 3), np.float32)

    result = Search(1, 2).run(batch.of_boards([Board("k7/8/1K6/8/8/8/8/7R w - - 0 1")]), Refusing())
    assert result.values[0] == 1.0


def test_07_a_finished_game_gets_no_evaluation() -> None:
    """The count runs out with the next move, whatever it is: nothing but the root is evaluated."""
    asked = []

    class Counting(Hashed):
        def evaluate(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            asked.append(len(planes))
            return super().evaluate(planes)

    board = Board(COUNTED_OUT)
    for action in board.legal_actions():
        board.push(action)
        assert board.outcome
        board.pop()
    Search(1, 40).run(batch.of_boards([board]), Counting())
    assert asked == [1]


def test_14_what_a_search_says_does_not_depend_on_the_games_before() -> None:
    boards = [Board(), Board(AHEAD), Board(AHEAD.replace(" w ", " b "))]
    used = Search(1, 12)
    for order in (boards, boards[::-1]):
        for board in order:
            again = used.run(batch.of_boards([board]), "heuristic")
            fresh = Search(1, 12).run(batch.of_boards([board]), "heuristic")
            assert (again.visits == fresh.visits).all()
            assert (again.policy == fresh.policy).all()


def test_14_a_used_tree_has_all_of_its_room_again() -> None:
    used = Search(1, 10)
    for _ in range(6):
        used.run(batch.of_boards([Board()]), "heuristic")
    assert used.skipped == 0
    assert used.heads["num_nodes"][0] == 11


@pytest.mark.parametrize("settings", [SearchSettings(), *(SearchSettings(considered=8, c_scale=c) for c in C_SCALES)])
def test_19_puct_and_gumbel_are_those_of_the_papers(settings: SearchSettings) -> None:
    """Scales at which neither the keys nor the values alone decide who is left after a halving."""
    network, board, simulations = Hashed(), Board(AHEAD), 24
    tree = Search(1, simulations, settings)
    tree.run(batch.of_boards([board]), network)
    keys = dict(zip((action for action, _, _ in visits_of(tree, 0)), tree.keys[0].tolist(), strict=False))
    choose = gumbel(keys, settings, simulations, network.judge(board)[1]) if settings.considered else None
    root = search(board, network.judge, simulations, settings, choose, keys if choose else None)
    assert visits_of(tree, 0) == expected(root)


def test_14_proofs_do_not_outlive_their_game() -> None:
    used = Search(1, 12)
    used.run(batch.of_boards([Board("k7/8/1K6/8/8/8/8/7R w - - 0 1")]), "heuristic")
    again = used.run(batch.of_boards([Board()]), "heuristic")
    assert again.values[0] == Search(1, 12).run(batch.of_boards([Board()]), "heuristic").values[0]
    assert (used.edges[0, : used.heads["num_edges"][0]]["proof"] == 0).all()
