"""Ratings: recovered from made-up results, tied to the anchor, finite, and with intervals that hold."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import agents
from training.arena import MatchResult
from training.elo import PER_LOGIT, elo_of, score_of
from training.errors import RatingError
from training.ledger import Ledger, MatchLine, Side
from training.rating import ANCHORS, ENGINE, default_anchors, play_pool, rate

SIDES = [Side(agent=name, settings={}, digest=name) for name in "abcd"]


def match(first: int, second: int, pentanomial: list[int], rules: str = "ttakji") -> MatchLine:
    pairs = [[0, 0], [0, 0.5], [0.5, 0.5], [0.5, 1], [1, 1]]
    points = np.array([pairs[k] for k, n in enumerate(pentanomial) for _ in range(n)]).reshape(-1)
    return MatchLine.of((SIDES[first], SIDES[second]), rules, 0, MatchResult(points, Counter(), len(points), 0))


def drawn(rng: np.random.Generator, elos: list[float], pairs: int) -> list[MatchLine]:
    """Play everyone against everyone by the model, a third of the games drawn."""
    matches = []
    for i in range(len(elos)):
        for j in range(i):
            score = score_of(elos[i] - elos[j])
            draw = 2 * min(score, 1 - score) / 3
            games = rng.choice(3, p=[1 - score - draw / 2, draw, score - draw / 2], size=(pairs, 2)).sum(axis=1)
            matches.append(match(i, j, np.bincount(games, minlength=5).tolist()))
    return matches


def test_two_players_get_the_difference_of_their_score() -> None:
    ratings = rate(SIDES[:2], [match(1, 0, [10, 20, 40, 50, 30])])
    score = (0.25 * 20 + 0.5 * 40 + 0.75 * 50 + 30 + 1) / 152  # each of the two adds a pair, half won and half lost
    assert [player.elo for player in ratings.players] == pytest.approx([0, elo_of(score)])
    assert ratings.players[0].half == 0
    assert ratings.players[1].games == 300
    assert ratings.players[1].scores == (("a", 300, pytest.approx((5 + 20 + 37.5 + 30) / 150)),)


def test_many_games_give_the_ratings_that_made_them() -> None:
    elos = [0, 120, 300, -80]
    ratings = rate(SIDES, drawn(np.random.default_rng(1), elos, 40_000))
    assert [player.elo for player in ratings.players] == pytest.approx(elos, abs=8)


def test_the_order_of_sides_and_of_matches_changes_nothing() -> None:
    forth = rate(SIDES[:2], [match(0, 1, [3, 1, 2, 5, 9]), match(1, 0, [1, 0, 4, 2, 3])])
    back = rate(SIDES[:2], [match(1, 0, [1, 0, 4, 2, 3]), match(1, 0, [9, 5, 2, 1, 3])])
    assert forth.players[1].elo == pytest.approx(back.players[1].elo)
    assert forth.players[1].half == pytest.approx(back.players[1].half)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng, elos = np.random.default_rng(3), [0.0, 100.0, 200.0]
    held = []
    for _ in range(150):
        players = rate(SIDES[:3], drawn(rng, elos, 60)).players[1:]
        held += [abs(player.elo - elo) <= player.half for player, elo in zip(players, elos[1:], strict=True)]
    assert 0.91 <= np.mean(held) <= 0.99


def test_pairs_that_always_split_leave_less_doubt_than_the_games_alone_would() -> None:
    split = rate(SIDES[:2], [match(1, 0, [0, 0, 100, 0, 0])]).players[1].half
    swept = rate(SIDES[:2], [match(1, 0, [50, 0, 0, 0, 50])]).players[1].half
    assert swept > 5 * split
    assert swept == pytest.approx(1.96 * PER_LOGIT * 2 / np.sqrt(102), rel=0.01)


@pytest.mark.parametrize("pentanomial", [[0, 0, 0, 0, 100], [100, 0, 0, 0, 0]])
def test_whoever_wins_or_loses_everything_is_finite(pentanomial: list[int]) -> None:
    ratings = rate(SIDES[:3], [match(1, 0, pentanomial), match(2, 1, pentanomial)])
    assert np.isfinite([[player.elo, player.half] for player in ratings.players]).all()
    assert abs(ratings.players[2].elo) > abs(ratings.players[1].elo) + 300
    assert ratings.players[1].half > 100


def test_the_mean_of_players_has_their_common_interval() -> None:
    ratings = rate(SIDES, drawn(np.random.default_rng(5), [0, 50, 50, 50], 100))
    assert ratings.mean([1]) == pytest.approx((ratings.players[1].elo, ratings.players[1].half))
    elo, half = ratings.mean([1, 2, 3])
    assert elo == pytest.approx(np.mean([player.elo for player in ratings.players[1:]]))
    assert 0 < half < ratings.players[1].half
    assert ratings.mean([2, 2]) == pytest.approx(ratings.mean([2]))


def test_a_player_that_nothing_ties_to_the_anchor_is_told() -> None:
    with pytest.raises(RatingError, match=r"'a', got none for \['c', 'd'\]"):
        rate(SIDES, [match(0, 1, [1, 0, 0, 0, 1]), match(2, 3, [1, 0, 0, 0, 1])])
    with pytest.raises(RatingError, match="'b'"):  # under other rules
        rate(SIDES[:2], [match(0, 1, [1, 0, 0, 0, 1], rules="fairy")])


def test_a_pool_is_played_once_and_near_anchors_alone_meet(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    specs = ("random", "greedy", "mcts:evaluator=heuristic,simulations=2", "mcts:evaluator=uniform,simulations=1")
    pool = [agents.make(spec) for spec in specs]
    names = []

    def play() -> list[float]:
        newcomer = agents.make("alphabeta:depth=1")
        ratings = play_pool(
            Ledger(path), pool, [newcomer, pool[1], newcomer], 4, progress=lambda name, *_: names.append(name)
        )
        assert ratings.place(newcomer) == 4
        assert ratings.players[0].elo == 0
        return [player.elo for player in ratings.players]

    first, before = play(), path.read_bytes()
    assert len(list(Ledger(path).matches)) == 5 + 4
    assert f"{pool[3]} - {pool[0]}" not in names
    names.clear()
    assert play() == first
    assert not names
    assert path.read_bytes() == before


def test_a_pool_without_anchors_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RatingError, match="at least one"):
        play_pool(Ledger(tmp_path / "x"), [], [agents.make("random")], 2)


def test_the_pool_has_the_engine_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.rating.find_program", lambda name: None)
    assert default_anchors() == ANCHORS
    monkeypatch.setattr("training.rating.find_program", lambda name: f"/usr/games/{name}")
    assert default_anchors() == (*ANCHORS, ENGINE)
    assert [agents.make(spec).spec for spec in default_anchors()]
