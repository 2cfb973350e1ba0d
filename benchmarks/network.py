"""The network on the CPU: torch, as the evaluator asks it, beside ONNX Runtime. M positions a call."""

from __future__ import annotations

import io
import statistics
import time
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch

from agents.network.evaluator import NetworkEvaluator
from agents.network.resnet import ResidualConfig, ResNet
from benchmarks.measure import Figure, figure
from makruk_env import batch
from makruk_env.core.threads import run_together, set_threads

NETWORKS = {"3 x 32": ResidualConfig(blocks=3, channels=32), "6 x 64": ResidualConfig(blocks=6, channels=64)}
BATCHES = (1, 64, 128, 256)
THREADS = {"one thread": (1, 1), "two threads in each call": (1, 2), "two calls side by side": (2, 1)}
"""(calls at once, threads of each); the last is how self-play asks."""
TOLERANCE = 1e-4
_SECONDS = 0.15


def _network(config: ResidualConfig) -> ResNet:
    """Return a network all of whose weights matter, as after training; fresh blocks would add nothing."""
    torch.manual_seed(0)
    network = ResNet(config)
    for name, value in network.state_dict().items():
        if value.is_floating_point():
            noise = 0.05 * torch.randn(value.shape)
            value += noise.abs() if name.endswith("running_var") else noise
    return network.eval()


def export(network: ResNet) -> bytes:
    """Return a network for inference in float32 as an ONNX model: planes to logits and outcome logits, any M."""
    folded = network.folded()
    planes = torch.from_numpy(batch.observe(batch.new(2)))  # [2, C, 8, 8]; an M of one would be taken for fixed
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # torch's own exporter uses what torch has deprecated
        program = torch.onnx.export(
            folded,
            (planes,),
            dynamo=True,
            dynamic_shapes=({0: torch.export.Dim.DYNAMIC},),
            input_names=["planes"],
            output_names=["logits", "outcomes"],
        )
    assert program is not None
    return bytes(program.model_proto.SerializeToString())


def _session(model: bytes, threads: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _planes(count: int) -> np.ndarray:
    """Return the planes of positions from the middle of games, [M, C, 8, 8] float32."""
    games = batch.new(count)
    batch.random_play(games, 30)
    return batch.observe(games)


def _check(network: ResNet, model: bytes) -> float:
    """Return the largest difference of the two in float32; it must be within `TOLERANCE`."""
    planes = _planes(256)
    logits, shares = NetworkEvaluator(network).evaluate(planes)
    theirs, outcomes = _session(model, 1).run(None, {"planes": planes})
    theirs_shares = torch.softmax(torch.from_numpy(outcomes), 1).numpy()
    worst = max(float(np.abs(logits - theirs).max()), float(np.abs(shares - theirs_shares).max()))
    assert worst <= TOLERANCE, worst
    return worst


def _speed(call: Callable[[], Any], at_once: int, positions: int) -> float:
    """Return the positions a second of some calls at once, each in a loop of its own."""
    call()
    begun = time.perf_counter()

    def loop() -> int:
        done = 0
        while time.perf_counter() - begun < _SECONDS:
            call()
            done += positions
        return done

    done = sum(run_together([loop] * at_once))
    return float(done / (time.perf_counter() - begun))


def network(runs: int) -> list[Figure]:
    """Evaluations a second of torch in float32 and bfloat16 beside ONNX Runtime in float32, in turn."""
    found = []
    for size, config in NETWORKS.items():
        net = _network(config)
        model = export(net)
        found.append(figure(f"{size}: largest difference in fp32", "", [_check(net, model)], f"at most {TOLERANCE}"))
        ours = {precision: NetworkEvaluator(net, precision=precision) for precision in ("fp32", "bf16")}
        for how, (at_once, threads) in THREADS.items():
            set_threads(threads)
            torch.set_num_threads(threads)
            session = _session(model, threads)
            for count in BATCHES:
                planes = _planes(count)
                calls = {name: partial(evaluator.evaluate, planes) for name, evaluator in ours.items()}
                calls["onnx"] = partial(session.run, None, {"planes": planes})
                speeds: dict[str, list[float]] = {name: [] for name in calls}
                for _ in range(runs):
                    for name, call in calls.items():
                        speeds[name].append(_speed(call, at_once, count))
                peer = statistics.median(speeds["onnx"]) / 1e3
                for name in ours:
                    line = figure(f"{size} {name}, M {count}, {how}", "k/s", speeds[name], "", 1e3)
                    found.append(replace(line, peer="ONNX Runtime fp32", peer_value=peer))
    set_threads(1)
    return found
