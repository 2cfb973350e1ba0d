"""Devices: which name gives which, what is refused, and what a compiling device may not change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from agents import AgentError, make
from agents.errors import DeviceError
from agents.network import NetworkEvaluator, device
from agents.network.device import Cuda, Device, find_device
from tests.needs import needs_gpu

from .test_resnet import network, planes, shake

CUDA = torch.cuda.is_available()


class Compiling(Device):
    """The CPU with a compiler that only counts; it says what a network was compiled for."""

    def __init__(self) -> None:
        self.graphs = 0

    def compiled(self, call: Callable[[torch.Tensor], Any]) -> Callable[[torch.Tensor], Any]:
        def count(graph: torch.fx.GraphModule, examples: object) -> Callable[..., Any]:
            self.graphs += 1
            return graph.forward

        return torch.compile(call, dynamic=True, backend=count)


def test_names() -> None:
    assert find_device("cpu").name == "cpu"
    assert find_device("cpu") is find_device("cpu")
    assert find_device("auto") is find_device("cuda" if CUDA else "cpu")


@pytest.mark.parametrize("name", ["tpu", "cuda:0", "", "CPU"])
def test_another_name_is_refused(name: str) -> None:
    with pytest.raises(DeviceError, match=rf"expected one of \('auto', 'cpu', 'cuda'\), got '{name}'"):
        find_device(name)  # type: ignore[arg-type]
    with pytest.raises(DeviceError, match="expected one of"):
        NetworkEvaluator(network(), name)  # type: ignore[arg-type]


@pytest.mark.parametrize(("built", "missing"), [(None, "built without CUDA"), ("12.8", "no GPU that torch can use")])
def test_cuda_without_a_gpu_says_so(monkeypatch: pytest.MonkeyPatch, built: str | None, missing: str) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.version, "cuda", built)
    with pytest.raises(DeviceError, match=f"expected a CUDA GPU for 'cuda', got .*{missing}"):
        find_device("cuda")
    assert find_device("auto").name == "cpu"


def test_auto_takes_the_gpu_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert find_device("auto") is find_device("cuda")
    assert find_device("auto").name == "cuda"
    assert find_device("cpu").name == "cpu"


@pytest.mark.parametrize(("units", "expected"), [(True, "bf16"), (False, "fp32")])
def test_the_usual_precision(monkeypatch: pytest.MonkeyPatch, units: bool, expected: str) -> None:
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: units)
    monkeypatch.setattr(device, "_cpu_units", lambda: frozenset(["avx2", "amx_bf16"] if units else ["avx2"]))
    assert Cuda().precision("auto") == Device().precision("auto") == expected
    assert Cuda().precision("fp32") == Device().precision("fp32") == "fp32"
    assert Cuda().precision("bf16") == Device().precision("bf16") == "bf16"


def test_an_agent_names_its_device() -> None:
    assert "device=cuda" in make("mcts:checkpoint=somewhere,device=cuda").spec
    with pytest.raises(AgentError, match=r"expected a device of \('cpu', 'cuda'\), got 'tpu'"):
        make("mcts:checkpoint=somewhere,device=tpu")


def test_new_weights_are_taken_without_compiling_again(monkeypatch: pytest.MonkeyPatch) -> None:
    device = Compiling()
    monkeypatch.setattr("agents.network.evaluator.find_device", lambda name: device)
    evaluator = NetworkEvaluator(network(1))
    evaluator.evaluate(planes(4).numpy())
    assert device.graphs == 1
    for seed, count in ((2, 4), (3, 7), (4, 5)):
        other = shake(network(seed))
        evaluator.update(other)
        logits, outcomes = evaluator.evaluate(planes(count).numpy())
        expected_logits, expected_outcomes = other.folded()(planes(count))
        np.testing.assert_allclose(logits, expected_logits.numpy(), rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(outcomes, expected_outcomes.softmax(1).numpy(), atol=1e-5)
    assert device.graphs == 1


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_updated_is_the_same_to_the_bit_as_made_anew(precision: Any) -> None:
    evaluator = NetworkEvaluator(network(1), precision=precision)
    evaluator.update(shake(network(2)))
    made = NetworkEvaluator(shake(network(2)), precision=precision)
    for got, expected in zip(evaluator.evaluate(planes(6).numpy()), made.evaluate(planes(6).numpy()), strict=True):
        np.testing.assert_array_equal(got, expected)


@pytest.mark.gpu
@needs_gpu
@pytest.mark.parametrize(("precision", "tolerance"), [("fp32", 1e-2), ("bf16", 0.1)])
def test_the_gpu_says_what_the_cpu_says(precision: Any, tolerance: float) -> None:
    """fp32 convolutions may be computed in TF32, which keeps three decimals."""
    net = network()
    gpu, cpu = NetworkEvaluator(net, "cuda", precision), NetworkEvaluator(net)
    for count in (1, 5, 64):
        x = planes(count).numpy()
        for got, expected in zip(gpu.evaluate(x), cpu.evaluate(x), strict=True):
            np.testing.assert_allclose(got, expected, atol=tolerance)
