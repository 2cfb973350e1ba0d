"""The sparse network: the compiled evaluator is the module in torch, number for number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from agents import make
from agents.features import MAX_FEATURES, NUM_FEATURES, list_features
from agents.network import SparseConfig, SparseNet, load_evaluator, make_evaluator
from agents.network.evaluator import update_evaluator
from agents.network.heads import AUXILIARY, PLIES_LEFT
from agents.network.rows import row_products
from agents.network.weights import MODEL_FILE, load_network, save_network
from agents.search import Search
from agents.search.evaluators import CompiledEvaluator
from agents.search.sparse import SCALE, sum_rows
from makruk_env import NUM_ACTIONS, batch
from makruk_env.batch import Games

SMALL = SparseConfig(width=24, value_hidden=8)


def network(seed: int = 0, config: SparseConfig = SMALL, shaken: float = 0.2) -> SparseNet:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        made = SparseNet(config).eval()
        with torch.no_grad():
            for parameter in made.parameters():
                parameter += shaken * torch.randn_like(parameter)
    return made


def positions(count: int = 48, rules: str = "ttakji") -> Games:
    """Return running games in mid-play."""
    games = batch.new(count, rules, seed=4)
    for plies in (20, 30, 60):
        batch.random_play(games, plies)
    assert not games.ended.any()
    return games


def inputs_of(games: Games) -> torch.Tensor:
    """Return the features of games, [B, M] int32."""
    features = np.full((len(games), MAX_FEATURES), NUM_FEATURES, np.int32)
    for i in range(len(games)):
        count = list_features(games.positions[i], games.rules.array[0], features[i])
        features[i, count:] = NUM_FEATURES
    return torch.from_numpy(features)


def by_torch(net: SparseNet, games: Games, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the priors of actions, [B, K] with -1 in places left over, and the values, [B]."""
    with torch.no_grad():
        logits, outcomes, _ = net.for_learner(inputs_of(games), torch.from_numpy(actions))
    priors = torch.softmax(logits.masked_fill(torch.from_numpy(actions < 0), -torch.inf), 1).numpy()
    shares = torch.softmax(outcomes, 1).numpy()
    return priors, shares[:, 0] - shares[:, 2]


@pytest.mark.parametrize("rules", ["ttakji", "cambodian"])
@pytest.mark.parametrize("width", [24, 256])
def test_the_compiled_evaluator_is_the_module(rules: str, width: int) -> None:
    net, games = network(config=SparseConfig(width=width)), positions(rules=rules)
    search = Search(len(games), 1)
    roots = search.run(games, net.compiled())
    actions = roots.actions.astype(np.int64)
    actions[np.arange(actions.shape[1]) >= roots.counts[:, None]] = -1
    priors, values = by_torch(net, games, actions)
    np.testing.assert_allclose(np.where(actions < 0, 0, roots.priors), priors, atol=1e-5)
    judged = search.nodes["proof"][:, 0] == 0
    assert judged.sum() > 40
    np.testing.assert_allclose(search.nodes["value"][judged, 0], values[judged], atol=1e-5)
    assert np.ptp(values) > 0.1
    assert np.ptp(priors.max(1)) > 0.1


def test_the_weights_begin_where_a_line_of_the_cache_does() -> None:
    for weights in SparseNet(SparseConfig(width=64)).compiled().weights:
        assert weights.ctypes.data % 64 == 0
        assert weights.flags.c_contiguous


@pytest.mark.parametrize("count", range(5))
def test_rows_are_summed_whether_they_pair_or_not(count: int) -> None:
    table = np.arange(80, dtype=np.int16).reshape(10, 8)
    bias, rows, sums = np.full(8, -7, np.int16), np.array([3, 9, 0, 3, 5], np.int32), np.zeros(8, np.int16)
    sum_rows(bias, table, rows, count, sums)
    assert np.array_equal(sums, bias + table[rows[:count]].sum(0))


def test_what_the_kernels_cannot_hold_is_held_by_neither() -> None:
    """A weight beyond the range of the wide layer is cut in torch as well."""
    net, games = network(), positions(8)
    with torch.no_grad():
        net.wide[:] = 20.0
    assert net.compiled().weights.wide.max() == 2**15 - 1
    assert net._rows().max() == (2**15 - 1) / SCALE
    assert net.for_learner(inputs_of(games), torch.zeros(8, 1, dtype=torch.int64))[0].isfinite().all()


def test_rows_take_their_gradient_through_the_grid() -> None:
    net, games = network(), positions(8)
    logits, outcomes, _ = net.for_learner(inputs_of(games), torch.zeros(8, 1, dtype=torch.int64))
    (logits.sum() + outcomes[:, 0].sum()).backward()
    seen = torch.zeros(NUM_FEATURES + 1, dtype=torch.bool)
    seen[inputs_of(games).flatten().long()] = True
    seen[NUM_FEATURES] = False
    touched = net.wide.grad.abs().sum(1) > 0
    assert touched.any()
    assert not (touched & ~seen).any()
    assert (net.men.grad.abs().sum((1, 3)) > 0).any()


def test_products_of_rows_and_their_gradients_are_those_of_the_whole_table() -> None:
    generator = torch.Generator().manual_seed(3)
    hidden = torch.rand(6, 16, generator=generator, requires_grad=True)
    table = torch.randn(9, 16, generator=generator, requires_grad=True)
    actions = torch.tensor([[0, 3, -1], [8, 8, 1], [2, -1, -1], [1, 2, 3], [4, 5, 6], [-1, -1, -1]])
    weight = torch.randn(6, 3, generator=generator)
    results = []
    for products in (
        row_products(hidden, table, actions),
        (hidden @ table.T).gather(1, actions.clamp_min(0)).masked_fill(actions < 0, 0),
    ):
        hidden.grad = table.grad = None
        (products * weight).sum().backward()
        results.append((products.detach(), hidden.grad, table.grad))
    for got, expected in zip(*results, strict=True):
        torch.testing.assert_close(got, expected)
    assert results[0][0][actions < 0].eq(0).all()


def test_heads_stand_beside_the_others() -> None:
    plain, net = network(shaken=0), network(config=SMALL.model_copy(update={"auxiliary": True}), shaken=0)
    state = net.state_dict()
    assert all(torch.equal(state[name], value) for name, value in plain.state_dict().items())
    net.auxiliary_out.weight.data *= 1000
    actions = torch.zeros(8, 1, dtype=torch.int64)
    auxiliary = net.for_learner(inputs_of(positions(8)), actions)[2]
    assert auxiliary.shape == (8, len(AUXILIARY))
    highest = auxiliary.abs().amax(0)
    assert highest[PLIES_LEFT] > 1 >= highest[torch.arange(len(AUXILIARY)) != PLIES_LEFT].max()
    assert plain.for_learner(inputs_of(positions(8)), actions)[2].shape == (8, 0)


def test_it_comes_back_from_disk_as_it_was(tmp_path: Path) -> None:
    net = network()
    save_network(tmp_path / MODEL_FILE, net, "fairy", 7)
    saved = load_network(tmp_path)
    assert saved.network.config == SMALL
    assert isinstance(saved.network, SparseNet)
    evaluator, expected = load_evaluator(tmp_path), net.compiled()
    assert isinstance(evaluator, CompiledEvaluator)
    for got, wanted in zip(evaluator.weights, expected.weights, strict=True):
        np.testing.assert_array_equal(got, wanted)
    player = make(f"mcts:checkpoint={tmp_path},simulations=16")
    games = positions(3)
    chosen = player.select(games, np.arange(3))
    again = Search(3, 16).run(games, expected).chosen
    np.testing.assert_array_equal(chosen, again)


def test_a_folded_one_judges_alike_in_half_the_bytes(tmp_path: Path) -> None:
    net, games = network(shaken=0.05), positions(8)
    actions = np.zeros((8, 1), np.int64)
    expected = by_torch(net, games, actions)
    np.testing.assert_array_equal(by_torch(net.folded(), games, actions)[1], expected[1])
    save_network(tmp_path / "half", net.folded(), "fairy", 7, stored="fp16")
    save_network(tmp_path / "whole", net, "fairy", 7)
    assert (tmp_path / "half").stat().st_size < 0.45 * (tmp_path / "whole").stat().st_size
    saved = load_network(tmp_path / "half").network
    assert saved.config == SMALL.model_copy(update={"factored": False})
    np.testing.assert_allclose(by_torch(saved, games, actions)[1], expected[1], atol=2e-3)


def test_an_evaluator_takes_new_weights() -> None:
    evaluator, new = make_evaluator(network(0)), network(1)
    update_evaluator(evaluator, new)
    assert isinstance(evaluator, CompiledEvaluator)
    for got, wanted in zip(evaluator.weights, new.compiled().weights, strict=True):
        np.testing.assert_array_equal(got, wanted)


def test_a_fresh_one_hardly_prefers_anything() -> None:
    net, games = SparseNet(SparseConfig()).eval(), positions()
    roots = Search(len(games), 1).run(games, net.compiled())
    for i, count in enumerate(roots.counts):
        assert np.abs(roots.priors[i, :count] * count - 1).max() < 0.5
    assert np.abs(roots.values[roots.distances == 0]).max() < 0.2
    assert len(net.policy_bias) == NUM_ACTIONS
