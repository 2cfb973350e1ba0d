"""How a kernel is compiled, and where the machine code is kept.

Numba's disk cache knows a function by its own source file and does not see a change in a file it calls into, so the
cache folder is named by a digest of all compiled sources: an edited tree never meets stale machine code.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numba.core.config
from platformdirs import user_cache_path

config: Any = numba.core.config
"""Numba fills its settings in at run time, unseen by a type checker."""
_PACKAGE = Path(__file__).resolve().parent.parent
_FOLDERS = ("makruk_env", "makruk_env/core", "agents", "agents/network", "agents/search", "training")


@cache
def cache_folder() -> Path:
    """Return the folder of this tree's machine code; `MAKRUK_CACHE_DIR` moves it."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info} {config.BOUNDSCHECK}".encode())
    for folder in _FOLDERS:
        for source in sorted((_PACKAGE.parent / folder).glob("*.py")):
            text = source.read_bytes()
            if folder == "makruk_env/core" or source.name == "rules.py" or b"makruk_env.core.jit import" in text:
                digest.update(text)
    root = os.environ.get("MAKRUK_CACHE_DIR")
    return (Path(root) if root else user_cache_path("makruk_env")) / digest.hexdigest()[:16]


def is_cold() -> bool:
    """Tell whether nothing has been compiled yet for this tree, so that the first use will take a while."""
    return not config.DISABLE_JIT and not cache_folder().exists()


@cache
def announce() -> None:
    """Say on stderr, once, that the first use of a fresh installation compiles."""
    if is_cold():
        print("makruk_env: compiling the rules core, once for this version (about half a minute) ...", file=sys.stderr)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel: it works in place, allocates nothing, raises nothing, and releases the interpreter lock."""
    before, config.CACHE_DIR = config.CACHE_DIR, str(cache_folder())
    try:
        compiled = numba.njit(function, cache=True, nogil=True, error_model="numpy")
    finally:
        config.CACHE_DIR = before
    return compiled


def summing_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel that sums numbers in whatever order is fastest, eight or sixteen at a time."""
    before, config.CACHE_DIR = config.CACHE_DIR, str(cache_folder())
    try:
        compiled = numba.njit(function, cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract"})
    finally:
        config.CACHE_DIR = before
    return compiled


def uncached_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel anew in each process: loaded from the disk cache, a caller of a recursive kernel crashes."""
    return numba.njit(function, nogil=True, error_model="numpy")
