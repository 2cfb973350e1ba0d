"""Put one fault after another into a copy of the sources and see that a test fails each time.

A mutant is an edit of one place in one file, and the tests that have to notice. It is killed where they fail, and
survives where they pass: then a fault of its kind could be shipped. The kernels run as plain Python, which needs no
compiling after an edit.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

COPIED = ("makruk_env", "agents", "training", "tests", "configs", "pyproject.toml")
SECONDS = 600
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)

Fate = Literal["killed", "survived", "broken"]


@dataclass(frozen=True)
class Mutant:
    """A fault: its number in the list of `faults.py`, what is wrong, where, and the tests that have to see it.

    old: occurs exactly once in `file`; new: takes its place. tests: pytest's names of them.
    """

    fault: int
    what: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant, by which test, in how many seconds; text: pytest's output."""

    mutant: Mutant
    fate: Fate
    by: str
    seconds: float
    text: str


def copy_sources(root: Path, to: Path) -> None:
    """Copy what the tests need of a tree."""
    for name in COPIED:
        if (root / name).is_dir():
            shutil.copytree(root / name, to / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        elif (root / name).exists():
            shutil.copy(root / name, to / name)


def apply(mutant: Mutant, root: Path) -> None:
    """Edit the file of a copied tree. Raises `ValueError` where the text to be replaced is not there exactly once."""
    path = root / mutant.file
    text = path.read_text(encoding="utf-8")
    if text.count(mutant.old) != 1:
        raise ValueError(f"mutant {mutant.fault}: expected {mutant.old!r} once in {mutant.file}, "
                         f"got it {text.count(mutant.old)} times")  # fmt: skip
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")


def run_tests(root: Path, tests: Sequence[str]) -> tuple[int, str]:
    """Run tests of a tree with the kernels as plain Python; return pytest's exit status and output."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist",
               "-W", "ignore:overflow encountered:RuntimeWarning", *tests]  # fmt: skip
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    return done.returncode, done.stdout + done.stderr


def judge(mutant: Mutant, root: Path) -> Outcome:
    """Say what becomes of a mutant of the tree at `root`, which stays as it is."""
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        try:
            copy_sources(root, Path(folder))
            apply(mutant, Path(folder))
            status, text = run_tests(Path(folder), mutant.tests)
        except ValueError as error:
            return Outcome(mutant, "broken", str(error), time.perf_counter() - begun, "")
        except subprocess.TimeoutExpired:
            return Outcome(mutant, "killed", f"no end in {SECONDS} s", time.perf_counter() - begun, "")
    failed = _FAILED.search(text)
    seconds = time.perf_counter() - begun
    if status == 0:
        return Outcome(mutant, "survived", "", seconds, text)
    if status == 1 and failed:
        return Outcome(mutant, "killed", failed[1], seconds, text)
    return Outcome(mutant, "broken", f"pytest ended with status {status}", seconds, text)


def run(
    mutants: Sequence[Mutant], root: Path, jobs: int = 2, tell: Callable[[Outcome], None] | None = None
) -> list[Outcome]:
    """Judge mutants, several at once, and return what became of each, in their order.

    Raises `RuntimeError` where the tests fail already without a mutant, as nothing would be shown then.
    """
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    with tempfile.TemporaryDirectory() as folder:
        copy_sources(root, Path(folder))
        status, text = run_tests(Path(folder), tests)
    if status != 0:
        raise RuntimeError(f"the tests fail without a mutant:\n{text[-3000:]}")

    def one(mutant: Mutant) -> Outcome:
        outcome = judge(mutant, root)
        if tell:
            tell(outcome)
        return outcome

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, mutants))
