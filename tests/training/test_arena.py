"""Matches: pairs, colours, scores, and games that differ."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import agents
from training.arena import MatchResult, play_match


def result(points: list[float]) -> MatchResult:
    return MatchResult(np.array(points), Counter(), len(points), 0, ({}, {}))


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
    player = agents.make("mcts:evaluator=heuristic,simulations=8")
    first, again = (play_match(player, player, 12, seed=5) for _ in range(2))
    assert (first.points == again.points).all()
    assert first.plies == again.plies
    assert first.distinct == 6  # the same agent on both sides: the games of a pair are one
    other = play_match(player, player, 12, seed=6)
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


def test_the_ledger_holds_both_sides_resolved_settings() -> None:
    played = play_match(agents.make("mcts:evaluator=uniform,simulations=2"), agents.make("random"), 2, seed=1)
    first, second = played.settings
    assert first["simulations"] == 2
    assert first["c_init"] == 1.25
    assert second == {}
