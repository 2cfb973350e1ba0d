"""The manifest of a checkpoint folder: the SHA-256 of each of its files, written last, so that any damage is found."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from agents.errors import CheckpointError

MANIFEST_FILE: Final = "manifest.json"


class Manifest(BaseModel):
    """What a checkpoint folder was written with."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    format: Literal[1] = 1
    """The number of this layout."""
    files: dict[str, str]
    """The SHA-256 of each file by its name, in hexadecimal digits."""


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file. Raises `OSError`."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_manifest(folder: Path) -> None:
    """Write the manifest of all files that a folder holds. Raises `OSError`."""
    files = {file.name: digest_of(file) for file in sorted(folder.iterdir())}
    (folder / MANIFEST_FILE).write_text(Manifest(files=files).model_dump_json(indent=1) + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Return a folder's manifest. Raises `CheckpointError` for a missing or damaged one."""
    path = folder / MANIFEST_FILE
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise CheckpointError(f"checkpoint: expected a manifest of format 1, got {str(path)!r}: {error}") from error


def check_file(path: Path, manifest: Manifest) -> None:
    """Check a file of a folder against its manifest. Raises `CheckpointError` if it is missing or any byte differs."""
    expected = manifest.files.get(path.name)
    try:
        got = digest_of(path)
    except OSError as error:
        raise CheckpointError(f"checkpoint: expected a file, got {str(path)!r}: {error.strerror}") from error
    if got != expected:
        raise CheckpointError(
            f"checkpoint: expected a whole file, as its manifest tells, got {str(path)!r}, damaged: "
            f"{path.stat().st_size} bytes with SHA-256 {got[:16]}..., not {str(expected)[:16]}..."
        )
