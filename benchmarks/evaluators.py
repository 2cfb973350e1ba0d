"""What a simulation costs with each evaluator, on one thread and on two, and where a sparse network's time goes."""

from __future__ import annotations

import time
from functools import partial

import numpy as np
import torch

from agents.features import MAX_FEATURES, list_features
from agents.network import NetworkEvaluator, ResidualConfig, ResNet, SparseConfig, SparseNet
from agents.search import Search
from agents.search.search import AnyEvaluator
from agents.search.sparse import SparseWeights, activate, aligned_zeros, outcome_value, sum_rows, write_logits
from agents.search.tree import EDGE
from benchmarks.measure import Figure, figure, rates
from makruk_env import batch
from makruk_env.batch import Games
from makruk_env.core.jit import kernel
from makruk_env.core.threads import run_together, set_threads

GAMES, SIMULATIONS = 64, 200
RESIDUAL = {"3 x 32": ResidualConfig(blocks=3, channels=32), "6 x 64": ResidualConfig(blocks=6, channels=64)}
WIDTHS = (128, 256, 512)
_RESIDUAL_SIMULATIONS = 16
_REPEATS = 2000


def _positions(seed: int) -> Games:
    games = batch.new(GAMES, seed=seed)
    batch.random_play(games, 40)
    batch.reset(games, games.ended)
    return games


def _speed(evaluator: AnyEvaluator, threads: int, simulations: int, runs: int) -> list[float]:
    """Return simulations a second: each thread has games, trees and a search of its own."""
    tables = [(_positions(seed), Search(GAMES, simulations)) for seed in range(threads)]

    def work() -> int:
        run_together([partial(search.run, games, evaluator, noisy=False) for games, search in tables])
        return sum(int(search.heads["simulations"].sum()) for _, search in tables)

    work()
    return rates(work, runs)


@kernel
def _features(games, rules, features, repeats):
    n = 0
    for i in range(repeats):
        n += list_features(games[i % len(games)], rules[0], features[i % len(games)])
    return n


@kernel
def _wide(weights, features, counts, sums, hidden, repeats):
    for i in range(repeats):
        g = i % len(counts)
        sum_rows(weights.wide_bias, weights.wide, features[g], counts[g], sums)
        activate(sums, hidden)


@kernel
def _trunk(weights, hidden, repeats):
    total = 0.0
    for _ in range(repeats):
        total += outcome_value(weights, hidden)
    return total


@kernel
def _policy(weights, hidden, edges, numbers, repeats):
    for i in range(repeats):
        g = i % len(numbers)
        write_logits(weights, hidden, edges[g], 0, numbers[g])


def _parts(weights: SparseWeights, runs: int) -> list[Figure]:
    """Return what each part of an evaluation takes."""
    games = _positions(0)
    rules = games.rules.array
    features = np.zeros((GAMES, MAX_FEATURES), np.int32)
    counts = np.array([list_features(games.positions[i], rules[0], features[i]) for i in range(GAMES)])
    width = len(weights.wide_bias)
    edges = np.zeros(games.moves.shape, EDGE)
    edges["action"] = games.moves
    sums, hidden = aligned_zeros((width,), np.int16), aligned_zeros((width,), np.float32)
    parts = {
        f"its {counts.mean():.0f} features": partial(_features, games.positions, rules, features.copy()),
        "the wide layer": partial(_wide, weights, features, counts, sums, hidden),
        "trunk and outcome": partial(_trunk, weights, hidden),
        f"the logits of {games.numbers.mean():.0f} actions": partial(_policy, weights, hidden, edges, games.numbers),
    }
    found = []
    for name, part in parts.items():
        part(1)
        times = []
        for _ in range(runs):
            begun = time.perf_counter()
            part(_REPEATS)
            times.append((time.perf_counter() - begun) / _REPEATS * 1e6)
        found.append(figure(f"  {name}, width {width}", "us", times, ""))
    return found


def evaluators(runs: int) -> list[Figure]:
    """Simulations a second of 64 games x 200 simulations a thread, 16 with a residual network."""
    torch.set_num_threads(1)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        sparse = {width: SparseNet(SparseConfig(width=width)).compiled() for width in WIDTHS}
        residual = {name: NetworkEvaluator(ResNet(size).eval(), precision="auto") for name, size in RESIDUAL.items()}
    found = []
    for threads in (1, 2):
        set_threads(threads)
        cases: list[tuple[str, AnyEvaluator, int, str]] = [("uniform", "uniform", SIMULATIONS, "")]
        cases += [(f"sparse, width {w}", sparse[w], SIMULATIONS, "200" if w == 256 else "") for w in WIDTHS]
        cases += [(f"residual {name}", residual[name], _RESIDUAL_SIMULATIONS, "") for name in RESIDUAL]
        for name, evaluator, simulations, mark in cases:
            speeds = _speed(evaluator, threads, simulations, runs)
            found.append(
                figure(f"search, {name}, {threads} thread{'s' * (threads > 1)}", "k simulations/s", speeds, mark, 1e3)
            )
    set_threads(1)
    return found + _parts(sparse[256].weights, runs)
