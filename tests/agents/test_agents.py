"""The agents and their names."""

from __future__ import annotations

import numpy as np
import pytest

import agents
from agents import AgentError, CheckpointError
from agents.heuristics import evaluate, heuristic_value
from agents.search import Analysis
from makruk_env import Board, batch

ALL = ("random", "greedy", "alphabeta:depth=2", "alphabeta:nodes=500", "mcts:evaluator=heuristic,simulations=20")


@pytest.mark.parametrize("spec", ALL)
def test_every_agent_plays_a_legal_game_that_can_be_played_again(spec: str) -> None:
    agent = agents.make(spec)

    def play() -> tuple[int, ...]:
        board = Board()
        while board.outcome is None and board.ply < 60:
            board.push(agent.choose(board, seed=board.ply))
        return board.actions

    assert play() == play()


@pytest.mark.parametrize("spec", ALL)
def test_a_choice_does_not_depend_on_the_other_games(spec: str) -> None:
    agent = agents.make(spec)
    games = batch.new(6, seed=4)
    batch.random_play(games, 30)
    together = batch.new(6, seed=4)
    batch.random_play(together, 30)
    chosen = agent.select(together, np.arange(6))
    alone = [int(agent.select(games, np.array([i]))[0]) for i in (5, 4, 3, 2, 1, 0)]
    assert chosen.tolist() == alone[::-1]


@pytest.mark.parametrize("spec", ["alphabeta:depth=1", "alphabeta:depth=3", "greedy", "mcts:evaluator=uniform"])
@pytest.mark.parametrize("fen", ["k7/8/1K6/8/8/8/8/7R w - - 0 1", "r7/8/8/8/8/6k1/8/7K b - - 0 1"])
def test_a_mate_in_one_is_played_by_either_colour(spec: str, fen: str) -> None:
    board = Board(fen)
    board.push(agents.make(spec).choose(board))
    assert board.outcome
    assert board.outcome.winner == (0 if " w " in fen else 1)


def test_the_heuristic_turns_with_the_board() -> None:
    white = Board("4k3/8/2s5/3p4/8/8/8/3RK3 w - - 0 1")
    black = Board("3kr3/8/8/8/4P3/5S2/8/3K4 b - - 0 1")
    assert evaluate(white.position) == evaluate(black.position)
    assert -1 < heuristic_value(white.position) < 1


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("stockfish", "expected one of"),
        ("alphabeta:depth=deep", "int"),
        ("alphabeta:height=3", "height=3"),
        ("alphabeta:depth", "depth"),
        ("alphabeta:seconds=soon", "seconds to be float, got 'soon'"),
        ("mcts", "checkpoint"),
        ("mcts:evaluator=oracle", "oracle"),
        ("mcts:evaluator=uniform,simulations=0", "simulation"),
        ("mcts:evaluator=uniform,reuse=maybe", "bool"),
        ("mcts:checkpoint=runs/quick,precision=fp8", "fp8"),
        ("mcts:evaluator=uniform,seconds=1,simulations=50", "without simulations"),
        ("mcts:evaluator=uniform,seconds=-1", "seconds of 0 or more"),
        ("mcts:evaluator=uniform,seconds=nan", "seconds of 0 or more"),
        ("mcts:evaluator=uniform,seconds=inf", "seconds of 0 or more"),
        ("mcts:evaluator=uniform,temperature=-1", "temperature of 0 or more"),
        ("mcts:evaluator=uniform,c_init=nan", "c_init of 0 or more"),
        ("random:seed=3", "seed=3"),
    ],
)
def test_a_wrong_text_is_told(spec: str, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        agents.make(spec)


class Hand:
    """A clock that is moved by being looked at."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def test_a_search_by_time_stops_when_it_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six stretches of 0.02 s are the first to be more than 0.11; the same move as a search of so many simulations."""
    games = batch.new(3, seed=1)
    batch.random_play(games, 12)
    asked = []
    plain = Analysis.go_on
    monkeypatch.setattr(Analysis, "go_on", lambda self, count: (asked.append(count), plain(self, count)))
    monkeypatch.setattr("agents.mcts.time.perf_counter", Hand(0.02))
    monkeypatch.setattr("agents.mcts.threads", lambda: 1)
    chosen = agents.make("mcts:evaluator=heuristic,seconds=0.11").select(games, np.arange(3))
    assert asked == [256] * 18
    search = agents.make("mcts:evaluator=heuristic,simulations=1536")
    np.testing.assert_array_equal(chosen, search.select(games, np.arange(3)))


def test_a_search_by_time_has_looked_at_least_once() -> None:
    """In no time at all it plays what a stretch of simulations says, not whatever lay in its arrays."""
    agent = agents.make("mcts:evaluator=heuristic,seconds=1e-9")
    assert agent.choose(Board()) == agents.make("mcts:evaluator=heuristic,simulations=256").choose(Board())


def test_a_search_by_time_stops_when_the_tree_is_full_or_all_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.mcts._MOST_SIMULATIONS", 300)
    agent = agents.make("mcts:evaluator=uniform,seconds=1000")
    board = Board()
    assert agent.choose(board) in board.legal_actions()
    mate = Board("k7/8/1K6/8/8/8/8/7R w - - 0 1")
    mate.push(agent.choose(mate))
    assert mate.outcome is not None
    assert mate.outcome.winner == 0


def test_a_missing_checkpoint_is_told() -> None:
    with pytest.raises(CheckpointError, match="nowhere"):
        agents.make("mcts:checkpoint=nowhere").choose(Board())


def test_a_spec_is_what_makes_the_agent_again() -> None:
    for spec in ALL:
        assert agents.make(agents.make(spec).spec) == agents.make(spec)
    kept = agents.make("mcts:evaluator=uniform,reuse=true")
    assert agents.make(kept.spec) == kept
