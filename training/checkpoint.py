"""Checkpoints of a run: `checkpoints/000123/`, each a folder that appears whole or not at all.

    model.safetensors   the averaged network, as agents.network.weights lays it out: enough to play
    <part>.safetensors  one file for each part of the training state (learner, replay, ...), to go on training from

Nothing is unpickled. A folder is written beside its final name and renamed, so a kill leaves earlier ones as they are.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor

from agents.errors import CheckpointError
from agents.network.resnet import ResNet
from agents.network.weights import CHECKPOINTS, MODEL_FILE, checkpoints_of, read_tensors, save_network

Part = Mapping[str, Tensor] | Mapping[str, np.ndarray]


def _flush(path: Path) -> None:
    """Have a file or a folder's entries on the disk before anything after it."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _tensor(value: Tensor | np.ndarray) -> Tensor:
    tensor = torch.from_numpy(np.asarray(value, order="C")) if isinstance(value, np.ndarray) else value.detach()
    return tensor.cpu().contiguous()


def save(run: Path, step: int, network: ResNet, rules: str, parts: Mapping[str, Part]) -> Path:
    """Write the checkpoint of a step and return its folder; one of the same step, left by an earlier try, is replaced.

    network: the averaged network; rules: the preset's name; parts: the training state, arrays or tensors by name.
    """
    folder = run / CHECKPOINTS / f"{step:06d}"
    temporary = folder.with_name(f".writing-{folder.name}")
    replaced = folder.with_name(f".replaced-{folder.name}")
    for left in (temporary, replaced):  # by a kill
        shutil.rmtree(left, ignore_errors=True)
    temporary.mkdir(parents=True)
    save_network(temporary / MODEL_FILE, network, rules, step)
    for name, part in parts.items():
        save_file({key: _tensor(value) for key, value in part.items()}, _part(temporary, name))
    for file in (*temporary.iterdir(), temporary):
        _flush(file)
    if folder.exists():
        os.rename(folder, replaced)
    os.rename(temporary, folder)
    _flush(folder.parent)
    shutil.rmtree(replaced, ignore_errors=True)
    return folder


def _part(folder: Path, name: str) -> Path:
    return folder / f"{name}.safetensors"


def latest(run: Path) -> Path:
    """Return the folder of a run's last checkpoint. Raises `CheckpointError` if there is none."""
    checkpoints = checkpoints_of(run)
    if not checkpoints:
        raise CheckpointError(f"checkpoint: expected at least one in {str(run / CHECKPOINTS)!r}, got none")
    return checkpoints[-1]


def load_part(folder: Path, name: str) -> dict[str, Tensor]:
    """Return one part of a checkpoint's training state. Raises `CheckpointError` if it is missing or damaged."""
    return read_tensors(_part(folder, name))[0]


def as_arrays(part: Mapping[str, Tensor]) -> dict[str, np.ndarray]:
    """Return a part as the arrays it was saved from."""
    return {name: value.numpy() for name, value in part.items()}


def prune(run: Path, keep: int) -> None:
    """Keep the training state of the last `keep` checkpoints only; every checkpoint keeps its network."""
    if keep < 1:
        raise ValueError(f"keep: expected at least 1, got {keep!r}")
    for folder in checkpoints_of(run)[:-keep]:
        for file in folder.glob("*.safetensors"):
            if file.name != MODEL_FILE:
                file.unlink()
