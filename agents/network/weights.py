"""A network on disk: one safetensors file whose metadata says what it is.

    metadata  makruk: a `Header` as JSON; one key, as safetensors writes several in any order and equal networks should
              be equal bytes
    tensors   the state of the network, by its own names

A path may name the file, a checkpoint folder that holds it, or a run folder, which stands for its latest checkpoint.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import torch
from pydantic import BaseModel, ConfigDict, ValidationError
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from agents.errors import CheckpointError
from agents.network.build import Network, NetworkConfig, build
from agents.network.manifest import MANIFEST_FILE, check_file, read_manifest

HEADER: Final = "makruk"
MODEL_FILE: Final = "model.safetensors"
CHECKPOINTS: Final = "checkpoints"
"""The folder of a run that holds its checkpoints, each in a folder named by its step in six digits or more."""


class Header(BaseModel):
    """What a weights file says of itself."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    format: Literal[1]
    """The number of this layout; a file of another one is refused."""
    network: NetworkConfig
    """The network's size."""
    rules: str
    """The preset the network was trained under."""
    step: int
    """The training step."""
    stored: Literal["fp32", "fp16"] = "fp32"
    """How the numbers are kept; half of the bytes for a network that is only to play."""


@dataclass(frozen=True, slots=True)
class SavedNetwork:
    """A network as it lay on disk: in evaluation mode, on the CPU, float32."""

    network: Network
    rules: str
    step: int


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Return the tensors and the metadata of a safetensors file, which a manifest beside it must confirm.

    Raises `CheckpointError`.
    """
    if not path.is_file():
        raise CheckpointError(f"checkpoint: expected a file, got {str(path)!r}, which is none")
    if (path.parent / MANIFEST_FILE).is_file():  # weights may also lie alone
        check_file(path, read_manifest(path.parent))
    try:
        with safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118  # no dict
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"checkpoint: expected a whole safetensors file, got {str(path)!r}: {error}") from error


def save_network(path: Path, network: Network, rules: str, step: int, stored: Literal["fp32", "fp16"] = "fp32") -> None:
    """Write a network to a file of its own; the folder must exist."""
    header = Header(format=1, network=network.config, rules=rules, step=step, stored=stored)
    tensors = {name: value.cpu().contiguous() for name, value in network.state_dict().items()}
    if stored == "fp16":
        tensors = {name: value.half() if value.is_floating_point() else value for name, value in tensors.items()}
    save_file(tensors, path, {HEADER: header.model_dump_json()})


def checkpoints_of(run: Path) -> list[Path]:
    """Return a run's checkpoint folders, by rising step; none if it has no checkpoint."""
    folder = run / CHECKPOINTS
    if not folder.is_dir():
        return []
    return sorted((entry for entry in folder.iterdir() if entry.name.isdigit()), key=lambda entry: int(entry.name))


def find_network(path: str | Path) -> Path:
    """Return the weights file that a path stands for. Raises `CheckpointError`."""
    path = Path(path)
    if not path.is_dir():
        return path
    if (path / MODEL_FILE).is_file():
        return path / MODEL_FILE
    checkpoints = checkpoints_of(path)
    if not checkpoints:
        raise CheckpointError(
            f"checkpoint: expected {MODEL_FILE} or a folder {CHECKPOINTS} with at least one in it, got {str(path)!r}"
        )
    return checkpoints[-1] / MODEL_FILE


def load_network(path: str | Path, expected: NetworkConfig | None = None) -> SavedNetwork:
    """Read a network.

    expected: refuse a network of any other shape. Raises `CheckpointError` for a file that is missing, cut short, of
    another format or of another architecture.
    """
    path = find_network(path)
    tensors, metadata = read_tensors(path)
    where = f"checkpoint {str(path)!r}"
    try:
        header = Header.model_validate_json(metadata.get(HEADER, ""))
    except ValidationError as error:
        raise CheckpointError(f"{where}: expected a header of format 1, got metadata {metadata!r}: {error}") from error
    if expected is not None and header.network != expected:
        raise CheckpointError(f"{where}: expected a network {expected!r}, got {header.network!r}")
    with torch.random.fork_rng(devices=[]):  # first weights are drawn, and the caller's random numbers stay as they are
        network = build(header.network).eval()
    if header.stored == "fp16":
        tensors = {name: value.float() if value.dtype == torch.float16 else value for name, value in tensors.items()}
    check_tensors(where, network.state_dict(), tensors)
    network.load_state_dict(tensors)
    return SavedNetwork(network, header.rules, header.step)


def check_tensors(where: str, expected: Mapping[str, Tensor], got: Mapping[str, Tensor]) -> None:
    """Check that two sets of tensors have the same names, shapes and types. Raises `CheckpointError`."""
    if set(expected) != set(got):
        odd = sorted(set(expected) ^ set(got))
        raise CheckpointError(f"{where}: expected {len(expected)} tensors, got {len(got)}; not in both: {odd[:3]}")
    for name, value in expected.items():
        if (value.shape, value.dtype) != (got[name].shape, got[name].dtype):
            raise CheckpointError(
                f"{where}: {name}: expected {value.dtype} {tuple(value.shape)}, "
                f"got {got[name].dtype} {tuple(got[name].shape)}"
            )
