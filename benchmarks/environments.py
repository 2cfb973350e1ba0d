"""The environments beside those that people have: PettingZoo's chess, OpenSpiel's chess, pgx's chess. B lanes."""

from __future__ import annotations

import copy
import io
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np

from benchmarks.measure import Figure, figure, rates
from makruk_env import makruk_v0
from makruk_env.core.threads import set_threads

LANES = (1, 64, 1_024, 4_096)
_PEER_SECONDS = 4.0


def _turns_per_second(env: Any) -> float:
    """Run PettingZoo's own benchmark, five seconds of random play, and return what it prints."""
    from pettingzoo.test import performance_benchmark

    told = io.StringIO()
    with redirect_stdout(told):
        performance_benchmark(env)
    found = re.search(r"([\d.]+) turns per second", told.getvalue())
    assert found is not None
    return float(found[1])


def aec(runs: int) -> list[Figure]:
    """PettingZoo's performance_benchmark on makruk and on its chess, with the usual checks and bare."""
    from pettingzoo.classic import chess_v6

    pairs = [
        ("AEC, with the checks, steps/s", makruk_v0.env, chess_v6.env, "20 (40 with a wrapper of our own)"),
        ("AEC, bare, steps/s", makruk_v0.raw_env, chess_v6.raw_env, "60"),
    ]
    found = []
    for name, ours, theirs, mark in pairs:
        values, peers = [], []
        for _ in range(runs):
            values.append(_turns_per_second(ours()))
            peers.append(_turns_per_second(theirs()))
        line = figure(name, "1/s", values, f"{mark} x peer")
        found.append(replace(line, peer="pettingzoo chess_v6", peer_value=statistics.median(peers)))
    return found


def copies(runs: int) -> list[Figure]:
    """copy.deepcopy of an environment forty plies into a game."""
    found = []
    for name, make, mark in (
        ("deepcopy of the bare environment", makruk_v0.raw_env, "20"),
        ("deepcopy of the checked one", makruk_v0.env, "100"),
    ):
        env = make()
        env.reset()
        rng = random.Random(5)
        for _ in range(40):
            env.step(rng.choice(env.unwrapped.board.legal_actions()))

        def work(env: Any = env) -> int:
            for _ in range(2_000):
                copy.deepcopy(env)
            return 2_000

        found.append(figure(name, "us", [1e6 / rate for rate in rates(work, runs)], f"below {mark}"))
    return found


def imports(runs: int) -> list[Figure]:
    """Import makruk_env in a fresh process, Python's own start taken off."""

    def seconds(code: str) -> float:
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - begun

    values = [seconds("import makruk_env") - seconds("pass") for _ in range(runs)]
    return [figure("import makruk_env", "s", values, "below 1.5")]


def _for_a_while(step: Callable[[], int]) -> float:
    """Return how much `step` does in a second, over some seconds, the first call left out."""
    step()
    begun, done = time.perf_counter(), 0
    while (passed := time.perf_counter() - begun) < _PEER_SECONDS:
        done += step()
    return done / passed


def _openspiel() -> float:
    """Random plies of OpenSpiel's chess, with observation and mask of each."""
    import pyspiel

    game = pyspiel.load_game("chess")
    rng = random.Random(0)
    state = game.new_initial_state()

    def step() -> int:
        nonlocal state
        for _ in range(100):
            if state.is_terminal():
                state = game.new_initial_state()
            np.asarray(state.observation_tensor(), np.float32)
            np.asarray(state.legal_actions_mask(), np.int8)
            state.apply_action(rng.choice(state.legal_actions()))
        return 100

    return _for_a_while(step)


def _pgx(lanes: int) -> float:
    """Random steps of pgx's chess at a batch size, compiled, observation and mask in the state."""
    import jax
    import pgx

    env = pgx.make("chess")
    init, advance = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))

    @jax.jit
    def draw(key: Any, mask: Any) -> Any:
        return jax.random.categorical(key, jax.numpy.where(mask, 0.0, -1e9))

    state = init(jax.random.split(jax.random.PRNGKey(0), lanes))
    key = jax.random.PRNGKey(1)

    def step() -> int:
        nonlocal state, key
        key, now = jax.random.split(key)
        state = advance(state, draw(now, state.legal_action_mask))
        state.observation.block_until_ready()
        return lanes

    return _for_a_while(step)


def vector(runs: int) -> list[Figure]:
    """Self-play in B lanes on two threads, with masks, observations and compiled sampling, beside two peers."""
    spiel = statistics.median([_openspiel() for _ in range(runs)])
    best = max((64, 256), key=_pgx)
    pgx = statistics.median([_pgx(best) for _ in range(runs)])
    set_threads(2)
    found = []
    for lanes in LANES:
        env = gymnasium.make_vec("makruk_env:MakrukSelfPlay-v0", num_envs=lanes, reuse_buffers=True).unwrapped
        env.reset(seed=0)
        steps = max(20, 200_000 // lanes // 4)

        def work(env: Any = env, steps: int = steps, lanes: int = lanes) -> int:
            for _ in range(steps):
                env.step(env.sample_actions())
            return steps * lanes

        work()
        line = figure(f"vector self-play, {lanes:,} lanes, two threads", "M steps/s", rates(work, runs), "60 x", 1e6)
        found.append(replace(line, peer="OpenSpiel chess", peer_value=spiel / 1e6))
        found.append(replace(line, peer=f"pgx chess, batch {best}", peer_value=pgx / 1e6, mark="300 x"))
    set_threads(1)
    return found


PARTS: dict[str, Callable[[int], list[Figure]]] = {
    "aec": aec,
    "copies": copies,
    "imports": imports,
    "vector": vector,
}
