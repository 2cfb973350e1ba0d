"""Checkpoints of a run: `checkpoints/000123/`, each a folder that appears whole or not at all.

    model.safetensors   the averaged network, as agents.network.weights lays it out: enough to play
    <part>.safetensors  one file for each part of the training state (learner, replay, ...), to go on training from
    manifest.json       the digest of each of these files, written last: see agents.network.manifest

Nothing is unpickled. A folder is written beside its final name and renamed, so a kill leaves earlier ones as they are.
The last `KEPT` keep their training state, so that a damaged one does not end the run.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor

from agents.errors import CheckpointError
from agents.network.build import Network
from agents.network.manifest import check_file, read_manifest, write_manifest
from agents.network.weights import CHECKPOINTS, MODEL_FILE, checkpoints_of, read_tensors, save_network
from training.errors import RecordError, StorageError

KEPT = 2
"""Checkpoints that keep their training state."""

_log = logging.getLogger(__name__)
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


def save(run: Path, step: int, network: Network, rules: str, parts: Mapping[str, Part]) -> Path:
    """Write the checkpoint of a step and return its folder; one of the same step, left by an earlier try, is replaced.

    network: the averaged network; rules: the preset's name; parts: the training state, arrays or tensors by name.
    Raises `StorageError` where the disk refuses; the earlier ones are then as they were, and nothing half is left.
    """
    folder = run / CHECKPOINTS / f"{step:06d}"
    temporary, replaced = _beside(folder)
    try:
        repair(run)
        temporary.mkdir(parents=True)
        save_network(temporary / MODEL_FILE, network, rules, step)
        for name, part in parts.items():
            save_file({key: _tensor(value) for key, value in part.items()}, _part(temporary, name))
        write_manifest(temporary)
        for file in (*temporary.iterdir(), temporary):
            _flush(file)
        if folder.exists():
            os.rename(folder, replaced)
        os.rename(temporary, folder)
        _flush(folder.parent)
    except (OSError, SafetensorError) as error:
        repair(run)
        raise StorageError(f"checkpoint: expected to write {str(folder)!r}, got {error}") from error
    shutil.rmtree(replaced, ignore_errors=True)
    return folder


def _beside(folder: Path) -> tuple[Path, Path]:
    """Return where a checkpoint is written, and where the one lies meanwhile that it replaces."""
    return folder.with_name(f".writing-{folder.name}"), folder.with_name(f".replaced-{folder.name}")


def repair(run: Path) -> None:
    """Clear away what a kill left half done: a checkpoint half written; one put aside for another comes back."""
    for left in (run / CHECKPOINTS).glob(".replaced-*"):
        folder = left.with_name(left.name.removeprefix(".replaced-"))
        if not folder.exists():
            os.rename(left, folder)
    for left in (run / CHECKPOINTS).glob(".*-*"):
        shutil.rmtree(left, ignore_errors=True)


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


def check(folder: Path) -> None:
    """Check every file of a checkpoint against its manifest. Raises `CheckpointError` for any damage."""
    manifest = read_manifest(folder)
    for name in manifest.files:
        check_file(folder / name, manifest)


def load_newest(run: Path, load: Callable[[Path], None]) -> Path:
    """Load a run's newest checkpoint that is whole and return its folder; damaged newer ones are set aside.

    load: takes a folder whose files are all as they were written; a `RecordError` of its says that the games of that
    time are lost, and the checkpoint before is tried. Raises `CheckpointError` where none of the last `KEPT` is whole,
    and where one lacks what this version keeps.
    """
    repair(run)
    latest(run)
    damaged: dict[Path, ValueError] = {}
    for folder in reversed(checkpoints_of(run)[-KEPT:]):
        try:
            check(folder)
        except CheckpointError as error:
            damaged[folder] = error
            continue
        try:
            load(folder)
        except RecordError as error:
            damaged[folder] = error
            continue
        except KeyError as error:
            raise CheckpointError(
                f"checkpoint: expected the state of a run of this version in {str(folder)!r}, got none of {error}"
            ) from error
        for other, reason in damaged.items():
            aside = other.with_name(f"damaged-{other.name}")  # no number: nobody's latest one
            shutil.rmtree(aside, ignore_errors=True)
            other.rename(aside)
            _log.warning("%s; it is %s now, going on from the checkpoint before, %s", reason, aside.name, folder.name)
        return folder
    reasons = "; ".join(map(str, damaged.values()))
    raise CheckpointError(f"checkpoint: expected a whole one in {str(run / CHECKPOINTS)!r}, got none: {reasons}")


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
