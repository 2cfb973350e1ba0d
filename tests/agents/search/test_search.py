"""The compiled search against the plain one, and what a search must never do."""

from __future__ import annotations

import numpy as np
import pytest

from agents.search import Search, SearchSettings
from agents.search.proof import DRAW
from agents.search.tree import NONE
from makruk_env import NUM_ACTIONS, Board, Move, batch
from tests.agents.search.givens import Hashed, boards, expected, heuristic, uniform, visits_of
from tests.agents.search.reference import Judge, search


@pytest.mark.parametrize("rules", ["ttakji", "fairy"])
@pytest.mark.parametrize("evaluator", ["uniform", "heuristic", "network"])
def test_agrees_with_the_plain_search_visit_for_visit(rules: str, evaluator: str) -> None:
    settings = SearchSettings()
    network = Hashed()
    judge: Judge = {"uniform": uniform, "heuristic": heuristic, "network": network.judge}[evaluator]
    games = batch.of_boards(boards(rules))
    searched = Search(len(games), 120, settings)
    searched.run(games, network if evaluator == "network" else evaluator)
    for g, board in enumerate(boards(rules)):
        root = search(board, judge, 120, settings)
        assert visits_of(searched, g) == expected(root), board.fen()
        assert searched.nodes[g, 0]["visits"] == root.visits
        assert {1: 1, 0: 2, -1: 3, None: 0}[root.proof] == searched.nodes[g, 0]["proof"], board.fen()


def test_repetition_is_seen_through_the_games_own_past() -> None:
    """A move that would stand for the third time is a draw in the tree, though the tree alone has seen it once."""
    board = Board("4k3/8/8/8/8/8/1r6/R3K3 w - - 0 1", "ttakji")
    for text in ("a1c1", "b2b3", "c1a1", "b3b2", "a1c1", "b2b3", "c1a1"):
        board.push_uci(text)
    network = Hashed()
    searched = Search(1, 60)
    result = searched.run(batch.of_boards([board]), network)
    root = search(board, network.judge, 60, SearchSettings())
    assert visits_of(searched, 0) == expected(root)
    again = action_of_text(board, "b3b2")
    assert next(edge.proof for edge in root.edges if edge.action == again) == 0
    assert searched.edges[0, result.actions[0].tolist().index(again)]["proof"] == DRAW


def test_repetition_is_seen_along_the_descent() -> None:
    """Each side has few moves, so that the tree comes back to its own positions, by ways that it changes often."""
    board = Board("7k/8/7P/8/8/p7/8/K7 w - - 0 1", "ttakji:pieces_count=off")
    searched = Search(1, 400)
    searched.run(batch.of_boards([board]), "heuristic")
    assert visits_of(searched, 0) == expected(search(board, heuristic, 400, SearchSettings()))
    assert (searched.positions[0, :300]["repetition"] > 0).any()


def action_of_text(board: Board, text: str) -> int:
    return board.action(Move.from_uci(text))


@pytest.mark.parametrize("fen", ["k7/8/1K6/8/8/8/8/7R w - - 0 1", "r7/8/8/8/8/6k1/8/7K b - - 0 1"])
def test_a_mate_in_one_is_proven_for_either_colour(fen: str) -> None:
    board = Board(fen)
    searched = Search(1, 40)
    result = searched.run(batch.of_boards([board]), "uniform")
    assert result.values[0] == 1.0
    board.push(int(result.chosen[0]))
    assert board.outcome
    assert board.outcome.winner is not None
    assert searched.heads["leaf"][0] == NONE


def test_the_evaluator_never_sees_a_finished_game() -> None:
    games = batch.of_boards(boards("ttakji"))

    class Watching(Hashed):
        def evaluate(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            waiting = np.flatnonzero(searched.heads["leaf"] != NONE)
            leaves = searched.positions[waiting, searched.heads["leaf"][waiting]]
            assert (leaves["termination"] == 0).all()
            assert len(leaves) == len(planes)
            return super().evaluate(planes)

    searched = Search(len(games), 80)
    searched.run(games, Watching())
    proven = searched.nodes["proof"][:, 0] != 0
    assert (searched.heads["simulations"][~proven] == 80).all()


def test_noise_is_drawn_anew_only_on_legal_actions_and_never_without_being_asked_for() -> None:
    games = batch.of_boards([Board()], seed=1)
    noisy = Search(1, 30, SearchSettings(noise_share=0.25))
    seen = []
    for _ in range(2):
        noisy.run(games, "uniform")
        root = noisy.nodes[0, 0]
        priors = noisy.edges[0, : root["num_edges"]]["prior"]
        assert priors.sum() == pytest.approx(1, abs=1e-5)
        seen.append(sorted(priors.tolist()))
        assert sorted(noisy.edges[0, : root["num_edges"]]["action"].tolist()) == Board().legal_actions()
    assert seen[0] != seen[1]
    calm = Search(1, 30)
    calm.run(games, "uniform")
    assert len(set(calm.edges[0, : calm.nodes[0, 0]["num_edges"]]["prior"].tolist())) == 1


def test_extreme_logits_stay_finite() -> None:
    class Extreme(Hashed):
        def evaluate(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            logits = np.full((len(planes), NUM_ACTIONS), 3e38, np.float32)
            logits[:, Board().legal_actions()] = -3e38
            return logits, np.tile(np.float32([1, 0, 0]), (len(planes), 1))

    searched = Search(1, 5)
    result = searched.run(batch.of_boards([Board()]), Extreme())
    assert np.isfinite(result.policy).all()
    assert result.policy[0].sum() == pytest.approx(1)
    assert set(result.actions[0, : result.counts[0]].tolist()) == set(Board().legal_actions())


def test_results_do_not_depend_on_the_company_a_game_is_in() -> None:
    all_boards = boards("ttakji")
    together = Search(len(all_boards), 60).run(batch.of_boards(all_boards), "heuristic")
    for i, board in enumerate(all_boards):
        alone = Search(1, 60).run(batch.of_boards([board]), "heuristic")
        assert alone.chosen[0] == together.chosen[i]
        assert (alone.policy[0] == together.policy[i]).all()


def test_a_full_tree_goes_on_counting_and_keeps_its_bounds() -> None:
    searched = Search(1, 400)
    searched.edges = searched.edges[:, :300].copy()
    result = searched.run(batch.of_boards([Board()]), "heuristic")
    assert searched.skipped > 0
    assert searched.heads["num_edges"][0] <= 300
    assert result.policy[0].sum() == pytest.approx(1)
    assert searched.nodes[0, 0]["visits"] == 401


def test_a_finished_game_and_too_little_room_are_refused() -> None:
    over = Board("k7/8/1K6/8/8/8/8/7R w - - 0 1")
    over.push_uci("h1h8")
    with pytest.raises(ValueError, match="finished"):
        Search(1, 10).run(batch.of_boards([over]), "uniform")
    with pytest.raises(ValueError, match="room"):
        Search(1, 10).run(batch.of_boards([Board()]), "uniform", simulations=11)
    with pytest.raises(ValueError, match="expected one of"):
        Search(1, 10).run(batch.of_boards([Board()]), "oracle")


def test_a_declaration_keeps_the_sign() -> None:
    """Black may start a count and is still to move: values go up by the side, not by the depth."""
    board = Board("4k3/8/3m4/8/4R3/8/8/4K3 b - - 0 1")
    assert any(move.declares for move in board.legal_moves)
    searched = Search(1, 30)
    searched.run(batch.of_boards([board]), "heuristic")
    root = search(board, heuristic, 30, SearchSettings())
    assert visits_of(searched, 0) == expected(root)
