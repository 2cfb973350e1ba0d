"""Matches: pairs, colours, scores, and games that differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

import numpy as np
import pytest

import agents
from agents.random import Random
from makruk_env import Board, pgn
from makruk_env.batch import Games
from makruk_env.notation.fen import write
from training.arena import MatchResult, play_match, write_match
from training.elo import elo_difference


def result(points: list[float]) -> MatchResult:
    return MatchResult(np.array(points), Counter(), len(points), 0)


def test_the_stronger_side_wins_from_both_colours_and_the_order_of_names_turns_the_score() -> None:
    strong, weak = agents.make("alphabeta:depth=2"), agents.make("random")
    forth = play_match(strong, weak, 20, seed=1)
    back = play_match(weak, strong, 20, seed=1)
    assert forth.score > 0.9
    assert back.score < 0.1
    assert forth.points[::2].mean() > 0.8
    assert forth.points[1::2].mean() > 0.8
    assert sum(forth.endings.values()) == forth.games == forth.wins + forth.draws + forth.losses


def test_games_of_deterministic_agents_differ_and_a_seed_repeats_them() -> None:
    player = agents.make("mcts:evaluator=heuristic,simulations=4")
    first, again = (play_match(player, player, 6, seed=5) for _ in range(2))
    assert (first.points == again.points).all()
    assert first.plies == again.plies
    assert first.distinct == 3  # the same agent on both sides: the games of a pair are one
    other = play_match(player, player, 6, seed=6)
    assert other.plies != first.plies


def test_an_agent_against_itself_scores_a_half_in_the_long_run() -> None:
    even = play_match(agents.make("greedy"), agents.make("greedy"), 100, seed=2)
    low, high = even.interval
    assert low <= 0.5 <= high


def test_the_interval_goes_by_pairs() -> None:
    assert result([1, 0] * 50).interval[0] > 0.45  # each opening split: no doubt at all
    mixed = result([1, 1] * 25 + [0, 0] * 25).interval
    assert mixed[0] == pytest.approx(0.5 - 1.96 * 0.5 / np.sqrt(52), abs=0.01)
    swept = result([1.0] * 100).interval
    assert 0.9 < swept[0] < 1
    assert swept[1] == 1


@pytest.mark.parametrize("games", [0, 1, 7, -2])
def test_an_odd_number_of_games_is_refused(games: int) -> None:
    with pytest.raises(ValueError, match="even number"):
        play_match(agents.make("random"), agents.make("random"), games)


def test_the_pentanomial_and_elo_are_those_of_the_pairs() -> None:
    played = result([1, 1, 0, 0, 1, 0.5, 0.5, 0.5])
    assert played.pentanomial.tolist() == [1, 0, 1, 1, 1]
    assert played.elo == elo_difference([1, 0, 1, 1, 1])


def test_an_agent_is_told_the_actions_of_its_games() -> None:
    @dataclass(frozen=True)
    class Watching(Random):
        def select_after(self, games: Games, which: np.ndarray, pasts: Sequence[Sequence[int]]) -> np.ndarray:
            for i, past in zip(which, pasts, strict=True):
                board = Board(write(games.starts[i], games.rules), games.rules)
                for action in past:
                    board.push(action)
                assert board.fen() == games.fen(i)
                seen.append(len(past))
            return self.select(games, which)

    seen: list[int] = []
    play_match(Watching(), agents.make("random"), 4, seed=1)
    assert max(seen) > 20


def test_games_come_back_as_boards_and_go_to_pgn() -> None:
    boards: list[Board] = []
    played = play_match(agents.make("greedy"), agents.make("random"), 4, rules="fairy", seed=2, boards=boards)
    winners = [board.outcome.winner for board in boards if board.outcome]
    assert len(winners) == 4
    points = [0.5 if winner is None else float(winner == i % 2) for i, winner in enumerate(winners)]
    assert points == played.points.tolist()
    file = StringIO()
    write_match(file, ("greedy", "random"), boards)
    games = list(pgn.read(StringIO(file.getvalue())))
    assert [game.error for game in games] == [None] * 4
    assert [game.headers["White"] for game in games] == ["greedy", "random"] * 2
    assert [game.board().fen() for game in games] == [board.fen() for board in boards]
    assert games[0].headers["FEN"] == games[1].headers["FEN"] != games[2].headers["FEN"]
