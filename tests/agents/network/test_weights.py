"""Networks on disk: what comes back, and what is refused by name."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from agents.errors import CheckpointError
from agents.network.resnet import ResidualConfig
from agents.network.weights import HEADER, MODEL_FILE, load_network, save_network

from .test_resnet import SMALL, WITH_HEADS, network, shake


@pytest.fixture
def path(tmp_path: Path) -> Path:
    save_network(tmp_path / MODEL_FILE, shake(network()), "fairy", 123)
    return tmp_path / MODEL_FILE


def test_what_is_saved_comes_back_to_the_bit(path: Path) -> None:
    saved = load_network(path, SMALL)
    expected = shake(network()).state_dict()
    assert (saved.rules, saved.step, saved.network.config) == ("fairy", 123, SMALL)
    assert not saved.network.training
    got = saved.network.state_dict()
    assert got.keys() == expected.keys()
    assert all(torch.equal(got[name], expected[name]) for name in expected)


def test_auxiliary_heads_are_kept_too(tmp_path: Path) -> None:
    net = shake(network(config=WITH_HEADS))
    save_network(tmp_path / MODEL_FILE, net, "fairy", 1)
    got = load_network(tmp_path / MODEL_FILE, WITH_HEADS).network.state_dict()
    assert "auxiliary_out.weight" in got
    assert all(torch.equal(got[name], value) for name, value in net.state_dict().items())
    with pytest.raises(CheckpointError, match=r"expected a network .*auxiliary=False.*, got .*auxiliary=True"):
        load_network(tmp_path / MODEL_FILE, SMALL)


def test_a_header_that_names_no_heads_is_of_a_network_without(path: Path) -> None:
    header = {
        "format": 1,
        "network": {k: v for k, v in size().items() if k != "auxiliary"},
        "rules": "fairy",
        "step": 1,
    }
    save_file(load_file(path), path, {HEADER: json.dumps(header)})
    assert load_network(path, SMALL).network.auxiliary_out is None


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_file_cut_short(path: Path, share: float) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(CheckpointError, match="whole safetensors file"):
        load_network(path)


def test_a_file_of_something_else(path: Path) -> None:
    path.write_bytes(b"not weights at all" * 10)
    with pytest.raises(CheckpointError, match=MODEL_FILE):
        load_network(path)


def test_a_file_without_a_header(path: Path) -> None:
    save_file(load_file(path), path)
    with pytest.raises(CheckpointError, match=r"expected a header .*got metadata \{\}"):
        load_network(path)


def test_equal_networks_are_equal_bytes(path: Path) -> None:
    before = path.read_bytes()
    save_network(path, shake(network()), "fairy", 123)
    assert path.read_bytes() == before


def test_a_missing_file(path: Path) -> None:
    path.unlink()
    with pytest.raises(CheckpointError, match="which is none"):
        load_network(path)


def test_another_architecture_than_asked_for(path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"expected a network .*channels=48.*, got .*channels=16"):
        load_network(path, ResidualConfig())


def size(**changes: int) -> dict[str, int]:
    return SMALL.model_dump() | changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 99}, "expected a header of format 1, got .*99"),
        ({"format": None}, "expected a header of format 1"),
        ({"network": {"filters": 3}}, "expected a header .*filters"),
        ({"rules": None}, "expected a header"),
        ({"step": "soon"}, "expected a header .*soon"),
        ({"network": size(blocks=3)}, "not in both"),
        ({"network": size(channels=8)}, r"expected torch.float32 \(8"),
    ],
)
def test_a_header_that_does_not_hold(path: Path, changes: dict[str, object], message: str) -> None:
    header = {"format": 1, "network": size(), "rules": "fairy", "step": 1}
    save_file(load_file(path), path, {HEADER: json.dumps(header)})
    assert load_network(path).step == 1
    save_file(load_file(path), path, {HEADER: json.dumps(header | changes)})
    with pytest.raises(CheckpointError, match=message):
        load_network(path)
