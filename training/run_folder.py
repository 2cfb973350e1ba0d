"""A run's folder between processes: who may write to it, how its configuration changes, its log.

RUN/.lock   held by the process that trains; the system lets go of it when the process ends, however it ends
RUN/run.log what the run had to say: resumes, what was dropped or damaged, alarms
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout
from rich.console import Console
from rich.logging import RichHandler

from training.config import Config, load_config, save_config
from training.errors import ConfigError, RunError, StorageError

CONFIG_FILE = "config.yaml"
FIXED = ("seed", "rules", "network", "selfplay.games", "run.threads")
"""Settings that a run keeps to its end: its networks, its games and who plays them are made by them."""


def lock(run: Path) -> FileLock:
    """Take a run's folder for this process; `release` gives it back. Raises `RunError` if another one holds it."""
    held = FileLock(run / ".lock")
    try:
        held.acquire(timeout=0)
    except Timeout:
        raise RunError(f"run folder: expected one that nobody trains in, got {str(run)!r}, held by a process") from None
    except OSError as error:
        raise RunError(f"run folder: expected to write to {str(run)!r}, got {error}") from error
    return held


@contextmanager
def naming_errors(run: Path) -> Iterator[None]:
    """Raise `StorageError` for an `OSError` inside the block."""
    try:
        yield
    except OSError as error:
        raise StorageError(f"run folder: expected to write to {str(run)!r}, got {error}") from error


def _differences(before: dict[str, object], after: dict[str, object], prefix: str = "") -> Iterator[str]:
    """Yield the keys, `section.name`, whose values differ."""
    for name, value in after.items():
        old = before.get(name)  # None where it is another kind of network
        if isinstance(old, dict) and isinstance(value, dict):
            yield from _differences(old, value, f"{prefix}{name}.")
        elif old != value:
            yield f"{prefix}{name}"


def check_change(run: Path, config: Config) -> list[str]:
    """Return the settings in which a configuration differs from a run's own, as `section.name`.

    Raises `ConfigError` for one that a run cannot change.
    """
    changed = list(_differences(load_config(run / CONFIG_FILE).model_dump(), config.model_dump()))
    fixed = [key for key in changed if any(key == name or key.startswith(f"{name}.") for name in FIXED)]
    if fixed:
        raise ConfigError(f"configuration: expected the run's own {', '.join(fixed)}, which cannot change on the way")
    return changed


def change_config(run: Path, config: Config) -> None:
    """Give a run another configuration; the one before is kept as config-0001.yaml and so on. Raises `OSError`."""
    number = 1 + len(list(run.glob("config-*.yaml")))
    save_config(run / f"config-{number:04d}.yaml", load_config(run / CONFIG_FILE))
    save_config(run / CONFIG_FILE, config)


@contextmanager
def run_log(run: Path, console: Console) -> Iterator[None]:
    """Write what the packages log to RUN/run.log, with its time, and show it on the console."""
    logger = logging.getLogger("training")
    file = logging.FileHandler(run / "run.log", encoding="utf-8", delay=True)
    file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    shown = RichHandler(console=console, show_time=False, show_path=False)
    handlers = (file, shown)
    level = logger.level
    logger.setLevel(logging.INFO)
    for handler in handlers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for handler in handlers:
            logger.removeHandler(handler)
            handler.close()
        logger.setLevel(level)
