"""The manifest: no byte of a checkpoint changes unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.errors import CheckpointError
from agents.network.manifest import MANIFEST_FILE, check_file, read_manifest, write_manifest
from agents.network.resnet import ResidualConfig, ResNet
from agents.network.weights import MODEL_FILE, load_network, save_network


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_network(tmp_path / MODEL_FILE, ResNet(ResidualConfig(blocks=1, channels=8)), "ttakji", 1)
    write_manifest(tmp_path)
    return tmp_path


def test_whole_files_pass(folder: Path) -> None:
    assert set(read_manifest(folder).files) == {MODEL_FILE}
    check_file(folder / MODEL_FILE, read_manifest(folder))
    assert load_network(folder).step == 1


@pytest.mark.parametrize("share", [0.0, 0.3, 0.999])
def test_a_flipped_byte_of_a_weight_is_found(folder: Path, share: float) -> None:
    data = bytearray((folder / MODEL_FILE).read_bytes())
    data[int(share * len(data))] ^= 1
    (folder / MODEL_FILE).write_bytes(data)
    with pytest.raises(CheckpointError, match="damaged"):
        load_network(folder)


def test_a_file_that_it_does_not_know(folder: Path) -> None:
    (folder / MODEL_FILE).rename(folder / "other.safetensors")
    with pytest.raises(CheckpointError, match="damaged"):
        load_network(folder / "other.safetensors")
    with pytest.raises(CheckpointError, match="expected a file"):
        check_file(folder / MODEL_FILE, read_manifest(folder))


def test_a_damaged_manifest_is_refused_and_weights_may_lie_alone(folder: Path) -> None:
    text = (folder / MANIFEST_FILE).read_text()
    for wrong in ("", text[:-10], text.replace('"format": 1', '"format": 2')):
        (folder / MANIFEST_FILE).write_text(wrong)
        with pytest.raises(CheckpointError, match="manifest of format 1"):
            load_network(folder)
    (folder / MANIFEST_FILE).unlink()
    assert load_network(folder).step == 1
    with pytest.raises(CheckpointError, match="manifest of format 1"):
        read_manifest(folder)
