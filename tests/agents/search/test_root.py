"""The root of a search: Gumbel and sequential halving, forced playouts, the nearest mate, raw priors and visits."""

from __future__ import annotations

import numpy as np
import pytest

from agents.search import Search, SearchSettings
from agents.search.gumbel import next_wanted, start_halving
from agents.search.tree import HEAD
from makruk_env import Board, batch
from tests.agents.search.givens import Hashed, boards, expected, uniform, visits_of
from tests.agents.search.reference import best_edge, distance, search
from tests.agents.search.reference_root import (
    forced,
    gumbel,
    key_and_value,
    policy_of,
    pruned_shares,
    wanted_visits,
)

MATE_IN_TWO = "7k/8/8/8/8/8/8/RR2K3 w - - 0 1"
MATED_NEXT = "7k/R7/8/8/8/8/8/1R2K3 b - - 0 1"


@pytest.mark.parametrize("considered", [1, 2, 3, 5, 8, 16])
@pytest.mark.parametrize("simulations", [1, 2, 7, 16, 50, 200])
def test_halving_shares_the_simulations_out_as_the_paper_says(considered: int, simulations: int) -> None:
    head = np.zeros(1, HEAD)
    head["budget"] = simulations
    start_halving(head[0], considered)
    assert [next_wanted(head[0]) for _ in range(simulations)] == wanted_visits(considered, simulations)


def test_halving_of_sixteen_by_hand() -> None:
    assert wanted_visits(4, 16) == [0] * 4 + [1] * 4 + [2] * 2 + [3] * 2 + [4] * 2 + [5] * 2


@pytest.mark.parametrize("simulations", [2, 8, 16, 64])
@pytest.mark.parametrize("considered", [2, 16])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("rules", ["ttakji", "fairy"])
def test_a_gumbel_root_agrees_with_the_plain_one_visit_for_visit(
    simulations: int, considered: int, temperature: float, rules: str
) -> None:
    settings = SearchSettings(considered=considered, c_scale=0.1)
    network = Hashed()
    positions = boards(rules)
    searched = Search(len(positions), simulations, settings)
    result = searched.run(batch.of_boards(positions, 3), network, temperatures=temperature)
    for g, board in enumerate(positions):
        if searched.nodes[g, 0]["visits"] == 0:
            continue  # a mate in one, seen before anything was evaluated
        keys = {
            action: float(key) for (action, _, _), key in zip(visits_of(searched, g), searched.keys[g], strict=False)
        }
        priors, value = network.judge(board)
        root = search(board, network.judge, simulations, settings, gumbel(keys, settings, simulations, value), keys)
        assert visits_of(searched, g) == expected(root), board.fen()
        if temperature == 0.0:
            assert keys == {action: pytest.approx(np.log(prior), abs=1e-5) for action, prior in priors.items()}
        if root.proof is None:
            most = max(edge.visits for edge in root.edges if edge.proof != -1)
            finalists = [edge for edge in root.edges if edge.visits == most and edge.proof != -1]
            best = max(finalists, key=lambda edge: key_and_value(root, edge, keys, settings, value))
            assert result.chosen[g] == best.action


def test_gumbel_noise_draws_actions_like_the_policy() -> None:
    """With keys alone deciding, an action is played as often as its prior says (the Gumbel-max trick)."""
    network, board = Hashed(), Board()
    games = batch.of_boards([board] * 2000, 5)
    result = Search(2000, 1, SearchSettings(considered=1)).run(games, network, temperatures=1.0)
    priors, _ = network.judge(board)
    for action, prior in priors.items():
        share = float((result.chosen == action).mean())
        assert abs(share - prior) < 5 * np.sqrt(prior * (1 - prior) / 2000) + 1e-3


def test_without_temperature_a_gumbel_root_is_free_of_chance() -> None:
    settings = SearchSettings(considered=8)
    results = [Search(1, 16, settings).run(batch.of_boards([Board()], seed), Hashed()) for seed in (1, 2)]
    assert (results[0].policy == results[1].policy).all()
    noisy = [
        Search(1, 16, settings).run(batch.of_boards([Board()], seed), Hashed(), temperatures=1.0) for seed in (1, 2)
    ]
    assert (noisy[0].visits != noisy[1].visits).any()


@pytest.mark.parametrize("settings", [SearchSettings(), SearchSettings(c_scale=0.1), SearchSettings(c_scale=0.0)])
def test_the_policy_agrees_with_the_plain_one(settings: SearchSettings) -> None:
    network, positions = Hashed(), boards("ttakji")
    searched = Search(len(positions), 50, settings)
    result = searched.run(batch.of_boards(positions), network)
    for g, board in enumerate(positions):
        if searched.nodes[g, 0]["visits"] == 0:
            continue
        root = search(board, network.judge, 50, settings)
        policy = policy_of(root, settings, network.judge(board)[1])
        assert result.policy[g, : len(policy)] == pytest.approx(policy, abs=1e-5), board.fen()


@pytest.mark.parametrize("rules", ["ttakji", "fairy"])
def test_forced_playouts_agree_with_the_plain_search(rules: str) -> None:
    settings = SearchSettings(noise_share=0.25, forced_playouts=2.0, c_scale=0.0)
    network, positions = Hashed(), boards(rules)
    searched = Search(len(positions), 100, settings)
    result = searched.run(batch.of_boards(positions, 4), network)
    pruned = 0
    for g, board in enumerate(positions):
        if searched.nodes[g, 0]["visits"] == 0:
            continue
        edges = searched.edges[g, : searched.nodes[g, 0]["num_edges"]]
        noisy = {int(edge["action"]): np.float32(edge["prior"]) for edge in edges}
        value = network.judge(board)[1]

        def judge(at: Board, board: Board = board, noisy: dict[int, np.float32] = noisy, value: float = value):  # type: ignore[no-untyped-def]
            return (noisy, value) if at.fen() == board.fen() and at.keys.size == board.keys.size else network.judge(at)

        root = search(board, judge, 100, settings, forced(settings))
        assert visits_of(searched, g) == expected(root), board.fen()
        if root.proof is None and all(edge.proof is None for edge in root.edges):
            shares = pruned_shares(root, settings)
            assert result.policy[g, : len(shares)] == pytest.approx(shares, abs=1e-6)
            pruned += any(edge.visits > 0 == share for edge, share in zip(root.edges, shares, strict=True))
    assert pruned


def test_forced_playouts_leave_a_search_without_noise_alone() -> None:
    games = batch.of_boards(boards("ttakji"))
    settings = SearchSettings(noise_share=0.25, forced_playouts=2.0)
    calm = Search(len(games), 40, settings).run(games, "heuristic", noisy=False)
    plain = Search(len(games), 40).run(games, "heuristic")
    assert (calm.visits == plain.visits).all()


@pytest.mark.parametrize("settings", [SearchSettings(noise_share=0.25), SearchSettings(considered=4)])
def test_the_priors_told_are_the_evaluators_own(settings: SearchSettings) -> None:
    network, board = Hashed(), boards("ttakji")[1]
    result = Search(1, 20, settings).run(batch.of_boards([board], 9), network, temperatures=1.0)
    told = dict(zip(result.actions[0, : result.counts[0]].tolist(), result.priors[0].tolist(), strict=False))
    assert told == {action: pytest.approx(float(prior)) for action, prior in network.judge(board)[0].items()}
    assert result.visits[0].sum() == 20


def test_distances_agree_with_the_plain_search() -> None:
    positions = [Board(fen) for fen in (MATE_IN_TWO, MATED_NEXT, "k7/8/2K5/8/8/8/8/7R w - - 0 1")]
    searched = Search(len(positions), 400)
    result = searched.run(batch.of_boards(positions), "uniform")
    proven = 0
    for g, board in enumerate(positions):
        root = search(board, uniform, 400, SearchSettings())
        assert result.distances[g] == distance(root), board.fen()
        proven += root.proof in (1, -1)
    assert proven >= 2
    assert result.distances[:2].tolist() == [3, 2]


def test_the_nearest_mate_is_played_and_learnt() -> None:
    """Two ruea against a bare khun: the search proves the mate, learns it alone, and gives it in as many plies."""
    board = Board(MATE_IN_TWO)
    searched = Search(1, 4000)
    left = 3
    while board.outcome is None:
        result = searched.run(batch.of_boards([board]), "uniform")
        assert result.values[0] == (1.0 if left % 2 else -1.0)
        assert result.distances[0] == left
        board.push(int(result.chosen[0]))
        left -= 1
    assert left == 0


def test_each_game_has_its_own_budget_and_noise() -> None:
    games = batch.of_boards([Board(), Board(), Board()], 1)
    searched = Search(3, 40, SearchSettings(noise_share=0.25))
    result = searched.run(games, "uniform", simulations=np.array([5, 40, 17]), noisy=np.array([False, True, False]))
    assert result.visits.sum(1).tolist() == [5, 40, 17]
    spreads = [len({float(p) for p in searched.edges[g, : result.counts[g]]["prior"]}) for g in range(3)]
    assert spreads[0] == spreads[2] == 1
    assert spreads[1] > 1


def test_settings_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(ValueError, match="c_scale above 0"):
        SearchSettings(considered=16, c_scale=0.0)


def test_the_plain_searchs_puct_is_unchanged_by_a_choice() -> None:
    board, settings = boards("ttakji")[2], SearchSettings()
    one = search(board, Hashed().judge, 30, settings)
    two = search(board, Hashed().judge, 30, settings, lambda root, i: best_edge(root, settings, True))
    assert expected(one) == expected(two)
