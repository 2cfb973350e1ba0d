"""The file of games."""

from __future__ import annotations

from pathlib import Path

import pytest

from makruk_web.errors import ServeError
from makruk_web.store import Store
from makruk_web.thoughts import Thought, Way

THOUGHT = Thought("easy", 2, 0.25, (Way("e3e4", "e4", "จ4", 1, 0.5, 0.25, None, 0, (("e4", "จ4"),)),))


def test_games_and_thoughts_come_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "games.sqlite")
    assert store.load("a") is None
    store.save("a", "text", True, 1.0, 9)
    store.save_thought("a", 3, THOUGHT)
    store.save_thought("a", 7, THOUGHT)
    assert store.load("a") == ("text", 1.0, {3: THOUGHT, 7: THOUGHT})
    store.save("a", "less", True, 2.0, 5)
    assert store.load("a") == ("less", 2.0, {3: THOUGHT})
    store.close()
    again = Store(tmp_path / "new" / "games.sqlite")
    assert again.load("a") == ("less", 2.0, {3: THOUGHT})
    again.remove(["a"])
    assert (again.load("a"), len(again)) == (None, 0)
    again.close()


def test_untouched_games_are_removed_when_they_are_old(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite")
    for name, touched, when in (("old", False, 1.0), ("new", False, 9.0), ("played", True, 1.0)):
        store.save(name, "", touched, when, 0)
    assert store.remove_untouched(5.0) == 1
    assert [store.load(name) is None for name in ("old", "new", "played")] == [True, False, False]
    store.close()


def test_a_file_in_use_and_a_file_that_is_none(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite")
    store.save("a", "", True, 1.0, 0)
    with pytest.raises(ServeError, match="no other server"):
        Store(tmp_path / "games.sqlite")
    store.close()
    (tmp_path / "text").write_text("this is no database, but a text that is long enough to be looked at" * 40)
    with pytest.raises(ServeError, match="expected a file of games"):
        Store(tmp_path / "text")
