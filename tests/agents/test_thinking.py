"""Thoughts on one position: stretches, trees side by side, and what several trees say together."""

from __future__ import annotations

import pytest

import agents
from agents.search.analysis import Line
from agents.thinking import Thoughts, merged
from makruk_env import Board

MIDDLE_GAME = "r1smk1nr/3n4/ppspp1pp/5p2/2P2P2/PPNPP1PP/4N3/R1SKMS1R w - - 0 10"


def test_one_tree_is_the_agent_itself() -> None:
    agent = agents.make("mcts:evaluator=heuristic,simulations=500")
    board = Board()
    thoughts = Thoughts(agent, board, nodes=500)
    while not thoughts.ended:
        thoughts.go_on()
    assert thoughts.simulations == 500
    assert thoughts.choice() == agent.choose(board)


def test_the_next_turn_goes_on_from_the_one_before() -> None:
    agent = agents.make("mcts:evaluator=heuristic,simulations=600,reuse=true")
    board, before = Board(MIDDLE_GAME), None
    for _ in range(3):
        before = Thoughts(agent, board, nodes=600, before=before)
        while not before.ended:
            before.go_on()
        line = before.lines()[0]
        assert before.choice() == agent.choose(board)
        for action in line.actions[:2]:
            board.push(action)
    assert before is not None
    assert 0 < before.carried < 600
    other = Thoughts(agent, Board(), nodes=600, before=before)
    assert other.carried == 0


@pytest.mark.parametrize("most", [1, 2, 7])
def test_no_more_simulations_than_asked_for(most: int) -> None:
    thoughts = Thoughts(agents.make("mcts:evaluator=uniform"), Board(), nodes=100, threads=3)
    thoughts.go_on(most)
    assert 1 <= thoughts.simulations <= most


def test_trees_side_by_side_differ_and_are_added_up() -> None:
    thoughts = Thoughts(agents.make("mcts:evaluator=heuristic"), Board(MIDDLE_GAME), nodes=3000, threads=2)
    while not thoughts.ended:
        thoughts.go_on()
    lines = thoughts.lines(100)
    assert thoughts.simulations == 3000
    assert sum(line.visits for line in lines) == 3000
    assert [line.visits for line in lines] == sorted((line.visits for line in lines), reverse=True)
    first, second = (analysis.lines(100) for analysis in thoughts._analyses)
    assert [line.visits for line in first] != [line.visits for line in second]
    assert thoughts.choice() == lines[0].actions[0]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_proof_ends_the_thinking(threads: int) -> None:
    board = Board("8/3k4/8/2K1S1R1/8/8/8/7R w - - 0 1")
    thoughts = Thoughts(agents.make("mcts:evaluator=uniform"), board, nodes=100_000, threads=threads)
    while not thoughts.ended:
        thoughts.go_on()
    assert thoughts.proven
    assert thoughts.lines()[0].proof == "win"
    assert thoughts.simulations < 100_000
    thoughts.go_on()
    assert thoughts.choice() in board.legal_actions()


def test_another_agent_has_its_choice_alone() -> None:
    board = Board()
    thoughts = Thoughts(agents.make("greedy"), board, seed=5)
    assert thoughts.ended
    thoughts.go_on()
    assert thoughts.choice() == agents.make("greedy").choose(board, 5)
    assert thoughts.simulations == 0


def test_a_temperature_draws_by_lot() -> None:
    agent = agents.make("mcts:evaluator=uniform,temperature=1")
    found = set()
    for seed in range(8):
        thoughts = Thoughts(agent, Board(), nodes=60, seed=seed)
        thoughts.go_on(60)
        found.add(thoughts.choice())
    assert len(found) > 1


def line(action: int, visits: int, value: float, proof: str | None = None, distance: int = 0) -> Line:
    return Line((action,), visits, 0.1, value, proof, distance)


def test_what_is_proven_in_one_tree_holds() -> None:
    one = [line(1, 90, 0.5), line(2, 10, -0.2), line(3, 4, -1.0, "loss", 4)]
    other = [line(1, 30, 0.1), line(2, 5, 1.0, "win", 3), line(3, 40, 0.3)]
    best, second, last = merged([one, other])
    assert (best.actions, best.proof, best.visits, best.value) == ((2,), "win", 15, 1.0)
    assert (second.actions, second.visits) == ((1,), 120)
    assert second.value == pytest.approx((90 * 0.5 + 30 * 0.1) / 120)
    assert (last.actions, last.proof, last.visits) == ((3,), "loss", 44)


def test_the_nearest_win_and_the_farthest_loss_come_first() -> None:
    wins = merged([[line(1, 9, 1, "win", 5), line(2, 1, 1, "win", 3)], []])
    losses = merged([[line(1, 9, -1, "loss", 2), line(2, 1, -1, "loss", 6)], []])
    assert [each.actions[0] for each in wins] == [2, 1]
    assert [each.actions[0] for each in losses] == [2, 1]
