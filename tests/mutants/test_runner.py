"""The mutation runner on a toy tree: what is killed, what survives, and what cannot be made."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.faults import FAULTS, MUTANTS
from tests.mutants.runner import Mutant, run

TEST = "tests/test_toy.py::test_sum"


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    for folder in ("agents", "tests"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text("")
    (tmp_path / "agents" / "toy.py").write_text("def add(a, b):\n    return a + b\n\n\nNAME = 'toy'\n")
    (tmp_path / "tests" / "test_toy.py").write_text(
        "from agents.toy import add\n\n\ndef test_sum():\n    assert add(2, 3) == 5\n"
    )
    return tmp_path


def mutant(old: str, new: str) -> Mutant:
    return Mutant(1, "a toy's fault", "agents/toy.py", old, new, (TEST,))


def test_fates(toy: Path) -> None:
    mutants = [
        mutant("a + b", "a - b"),
        mutant("'toy'", "'other'"),
        mutant("a * b", "a"),
        mutant("def add", "def subtract"),
    ]
    told = []
    outcomes = run(mutants, toy, jobs=2, tell=told.append)
    assert [outcome.fate for outcome in outcomes] == ["killed", "survived", "broken", "broken"]
    assert outcomes[0].by == TEST
    assert "expected 'a * b' once" in outcomes[2].by
    assert len(told) == 4
    assert "a + b" in (toy / "agents" / "toy.py").read_text()


def test_nothing_is_shown_by_tests_that_fail_anyway(toy: Path) -> None:
    (toy / "agents" / "toy.py").write_text("def add(a, b):\n    return 0\n")
    with pytest.raises(RuntimeError, match="without a mutant"):
        run([mutant("return 0", "return 1")], toy)


def test_every_mutant_can_be_made_of_the_code_as_it_stands() -> None:
    root = Path(__file__).parents[2]
    for each in MUTANTS:
        assert (root / each.file).read_text(encoding="utf-8").count(each.old) == 1, f"{each.fault}: {each.what}"
        for test in each.tests:
            file, _, name = test.partition("::")
            assert f"def {name.partition('[')[0]}(" in (root / file).read_text(encoding="utf-8"), test


def test_every_fault_has_a_mutant() -> None:
    assert {each.fault for each in MUTANTS} == set(FAULTS)
