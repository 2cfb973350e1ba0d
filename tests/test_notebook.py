"""The tour: the notebook runs from top to bottom, and its pictures and figures are there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

TOUR = Path(__file__).parents[1] / "examples" / "tour.ipynb"


@pytest.fixture(scope="module")
def tour() -> Any:
    """The notebook after a run of its own."""
    notebook = nbformat.read(TOUR, as_version=4)
    NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": TOUR.parent}}
    ).execute()
    return notebook


def shown(notebook: Any, kind: str) -> list[str]:
    """Return what the cells show of a kind."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [output["data"][kind] for output in outputs if kind in output.get("data", {})]


def printed(notebook: Any) -> str:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output["text"] for output in outputs if output.output_type == "stream")


@pytest.mark.slow
def test_it_shows_boards_and_curves(tour: Any) -> None:
    assert len(shown(tour, "image/svg+xml")) == 4
    assert len(shown(tour, "image/png")) == 2
    text = printed(tour)
    assert "random plies a second" in text
    assert "CountKind.PIECES" in text
    assert "Warning" not in text


@pytest.mark.slow
def test_it_learns_to_mate(tour: Any) -> None:
    score = next(line for line in printed(tour).splitlines() if "'CHECKMATE'" in line)
    assert float(score.partition("%")[0]) >= 50


def test_it_is_kept_as_it_ran() -> None:
    """Whoever looks at it without running it sees the pictures."""
    notebook = nbformat.read(TOUR, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in code)
    assert len(shown(notebook, "image/svg+xml")) == 4
    assert TOUR.stat().st_size < 500_000
