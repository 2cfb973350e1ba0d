"""One big tree: the plain search at one leaf a time, nothing under way afterwards, lines that can be played."""

from __future__ import annotations

import numpy as np
import pytest

from agents.search import Analysis, Search, SearchSettings
from makruk_env import Board, batch
from tests.agents.search.givens import Hashed, boards, visits_of

MATE_IN_TWO = "7k/8/8/8/8/8/8/RR2K3 w - - 0 1"
MATED_NEXT = "7k/R7/8/8/8/8/8/1R2K3 b - - 0 1"


class Watching(Hashed):
    """Notes how many leaves each call is asked about, and looks at the analysis while they are under way."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.analysis: Analysis | None = None
        self.fails = False

    def evaluate(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.batches.append(len(planes))
        if self.analysis and self.analysis.simulations:
            assert self.analysis.under_nodes[0] == len(planes)
        if self.fails:
            raise MemoryError
        return super().evaluate(planes)


def nothing_under_way(analysis: Analysis) -> bool:
    return not analysis.under_nodes.any() and not analysis.under_edges.any()


@pytest.mark.parametrize("parts", [[200], [1, 60, 2, 137]])
@pytest.mark.parametrize("evaluator", ["heuristic", "network"])
def test_one_leaf_at_a_time_equals_the_plain_search(parts: list[int], evaluator: str) -> None:
    judge = Hashed() if evaluator == "network" else evaluator
    for board in boards("ttakji"):
        plain = Search(1, 200)
        result = plain.run(batch.of_boards([board]), judge)
        analysis = Analysis.of(board, judge, nodes=200, leaves=1)
        for part in parts:
            told = analysis.run(part)
        assert visits_of(analysis.search, 0) == visits_of(plain, 0), board.fen()
        assert (told.policy == result.policy).all()
        assert told.chosen == result.chosen
        assert told.values == result.values
        assert nothing_under_way(analysis)


@pytest.mark.parametrize("leaves", [2, 8, 32])
def test_many_leaves_leave_a_whole_tree_with_nothing_under_way(leaves: int) -> None:
    for board in boards("ttakji"):
        watching = Watching()
        analysis = Analysis.of(board, watching, nodes=300, leaves=leaves)
        watching.analysis = analysis
        result = analysis.run(300)
        assert nothing_under_way(analysis)
        nodes, edges = analysis.search.nodes[0], analysis.search.edges[0]
        for node in nodes[: analysis.search.heads["num_nodes"][0]]:
            own = edges[node["first_edge"] : node["first_edge"] + node["num_edges"]]
            if node["proof"] == 0:
                assert node["visits"] == 1 + own["visits"].sum()
                assert (own["visits"][: node["opened"]] > 0).all()
            assert abs(node["total"]) <= node["visits"]
        if analysis.proof is None:
            assert result.visits.sum() == analysis.simulations == 300
            assert max(watching.batches) > 1


def test_what_is_under_way_counts_as_lost() -> None:
    """A round goes to different leaves; were a visit under way taken for a win, all would follow the first one."""
    watching = Watching()
    analysis = Analysis.of(Board(), watching, nodes=300, leaves=8)
    analysis.run(5)
    assert watching.batches == [1, 5]
    assert [visits for _, visits, _ in visits_of(analysis.search, 0)][:6] == [1] * 5 + [0]
    analysis.run(200)
    assert np.mean(watching.batches[2:]) > 7


def test_an_evaluator_that_failed_is_asked_again() -> None:
    calm, watching = Watching(), Watching()
    plain, analysis = (Analysis.of(Board(), each, nodes=100, leaves=8) for each in (calm, watching))
    plain.run(40)
    plain.run(20)
    analysis.run(40)
    watching.fails = True
    with pytest.raises(MemoryError):
        analysis.run(20)
    watching.fails = False
    analysis.run(20 - (analysis.simulations - 40))
    assert nothing_under_way(analysis)
    assert visits_of(analysis.search, 0) == visits_of(plain.search, 0)


@pytest.mark.parametrize("leaves", [1, 16])
@pytest.mark.parametrize("evaluator", ["heuristic", "network"])
def test_a_mate_is_proven_and_its_line_can_be_played(leaves: int, evaluator: str) -> None:
    for fen, plies in ((MATE_IN_TWO, 3), (MATED_NEXT, 2), ("k7/8/1K6/8/8/8/8/7R w - - 0 1", 1)):
        board = Board(fen)
        analysis = Analysis.of(board, Hashed() if evaluator == "network" else evaluator, leaves=leaves)
        result = analysis.run(15_000)
        assert analysis.proof == ("loss" if plies == 2 else "win")
        line = analysis.lines(1)[0]
        assert line.actions[0] == result.chosen[0]
        assert line.distance == len(line.actions) == plies
        assert (line.proof, line.value) == (analysis.proof, -1.0 if plies == 2 else 1.0)
        for action in line.actions:
            board.push(action)
        assert board.outcome
        assert board.outcome.winner == 0


def test_lines_come_in_the_order_in_which_they_would_be_played() -> None:
    network = Hashed()
    for board in boards("ttakji"):
        analysis = Analysis.of(board, network, nodes=200)
        result = analysis.run(200)
        lines = analysis.lines(1000)
        assert lines[0].actions[0] == result.chosen[0]
        assert analysis.lines() == lines[:3]
        for line in lines:
            at = result.actions[0].tolist().index(line.actions[0])
            assert (line.visits, line.prior) == (result.visits[0, at], pytest.approx(result.priors[0, at]))
            assert -1 <= line.value <= 1
            played = board.copy()
            for action in line.actions:
                played.push(action)
        if analysis.proof is None:
            best = [line for line in lines if line.proof != "loss"]
            assert [line.visits for line in best] == sorted((line.visits for line in best), reverse=True)
            assert best == lines[: len(best)]


def test_what_cannot_be_analysed_is_refused() -> None:
    over = Board("k7/8/1K6/8/8/8/8/7R w - - 0 1")
    over.push_uci("h1h8")
    with pytest.raises(ValueError, match="goes on"):
        Analysis.of(over, "uniform")
    with pytest.raises(ValueError, match="at least 1 leaf"):
        Analysis.of(Board(), "uniform", leaves=0)
    with pytest.raises(ValueError, match="PUCT"):
        Analysis.of(Board(), "uniform", SearchSettings(considered=4))
    with pytest.raises(ValueError, match="expected one of"):
        Analysis.of(Board(), "oracle")
    with pytest.raises(ValueError, match="1 to 10"):
        Analysis.of(Board(), "uniform", nodes=10).run(11)
