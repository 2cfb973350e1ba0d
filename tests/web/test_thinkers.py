"""Agents in stretches: they choose as they do when they are asked at once."""

from __future__ import annotations

import pytest

import agents
from makruk_env import Board
from makruk_env.core.threads import inside
from makruk_web.opponents import Opponents, has_tree
from makruk_web.thinkers import cost_of, make_thinker

MIDDLE = "r1smk1nr/3ns3/ppp5/3p1P2/3P1p2/PPP3PP/3NS3/R1SKM1NR w - - 0 7"


@pytest.mark.parametrize(
    "text",
    [
        "random",
        "greedy",
        "alphabeta:depth=4",
        "alphabeta:nodes=20000",
        "alphabeta",
        "mcts:evaluator=heuristic,simulations=300",
        "mcts:evaluator=heuristic,simulations=300,reuse=True",
    ],
)
def test_the_choice_is_that_of_the_agent(text: str) -> None:
    agent, board = agents.make(text), Board(MIDDLE)
    with inside():
        thinker = make_thinker(agent, board, seed=7)
        while thinker.go_on():
            pass
        assert thinker.choice() == agent.choose(board, seed=7)
    assert bool(thinker.lines()) == has_tree(agent)
    assert thinker.simulations == (300 if has_tree(agent) else 0)
    assert (thinker.value() is None) == (text in ("random", "greedy"))


def test_an_agents_evaluator_is_made_once() -> None:
    agent = agents.make("mcts:evaluator=heuristic,simulations=5,reuse=True")
    make_thinker(agent, Board(), 0)
    assert "_evaluator" in vars(agent)


def test_a_budget_of_its_own_for_a_look() -> None:
    agent = agents.make("mcts:evaluator=uniform,simulations=2,temperature=1.0")
    thinker = make_thinker(agent, Board(), 0, simulations=40)
    while thinker.go_on():
        pass
    assert thinker.simulations == 40
    assert cost_of(agent, 40) > cost_of(agent)


def test_one_simulation_is_enough_for_a_choice() -> None:
    board = Board()
    thinker = make_thinker(agents.make("mcts:evaluator=uniform,simulations=1"), board, 0)
    while thinker.go_on():
        pass
    assert thinker.choice() in board.legal_actions()


def test_a_search_by_time_ends() -> None:
    for text in ("alphabeta:seconds=0.05", "mcts:evaluator=uniform,seconds=0.05"):
        board = Board()
        thinker, stretches = make_thinker(agents.make(text), board, 0), 1
        while thinker.go_on():
            stretches += 1
        assert 1 < stretches < 100
        assert thinker.choice() in board.legal_actions()


def test_what_the_command_line_lists_may_be_played() -> None:
    opponents = Opponents(["uci:command=some-engine", "mcts:checkpoint=somewhere"])
    assert {"uci:command=some-engine", "mcts:checkpoint=somewhere"} <= set(opponents.offered)
    assert opponents.make("uci:command=some-engine") is opponents.make("uci:command=some-engine")
    with pytest.raises(agents.AgentError, match="runs no other program"):
        opponents.make("uci:command=another-engine")
    with pytest.raises(agents.AgentError):
        Opponents(["nobody"])


def test_an_agent_may_go_by_a_name_that_tells_no_path() -> None:
    opponents = Opponents(named={"run:quick": "mcts:checkpoint=/home/somebody/runs/quick"})
    assert "run:quick" in opponents.offered
    assert str(opponents.make("run:quick")) == "mcts:checkpoint=/home/somebody/runs/quick"
    with pytest.raises(agents.AgentError, match="checkpoint"):
        opponents.make("mcts:checkpoint=/home/somebody/runs/quick")


def test_who_looks_into_positions() -> None:
    opponents = Opponents()
    assert opponents.analyst("mcts:evaluator=uniform")[0] == "mcts:evaluator=uniform"
    for text in ("greedy", ""):
        assert has_tree(opponents.analyst(text)[1])
