"""Docstrings as Markdown: arguments, tables, code."""

from __future__ import annotations

import inspect

import pytest
from read_docstrings import arguments, entries, markdown, sentence_about, split

DOCSTRING = """Draw a thing.

    size: in pixels; left, top: where it stands, like start: 3. colour: a name; by default "red". Raises `DrawError` and
    `ValueError`.

    Everything else is told of `size` later. It is a number.
    """
NAMES = ("size", "left", "top", "colour", "start")


def test_arguments_begin_a_paragraph_or_follow_a_stop() -> None:
    assert arguments(DOCSTRING, NAMES) == {
        "size": "in pixels",
        "left": "where it stands, like start: 3",
        "top": "where it stands, like start: 3",
        "colour": 'a name; by default "red"',
    }


def test_a_paragraph_without_arguments_stays_whole() -> None:
    assert split("A size: 3.", ["size"]) == ("A size: 3.", [], "")
    assert split("size: 3.", []) == ("size: 3.", [], "")


def test_what_stands_before_the_arguments_and_what_is_raised() -> None:
    assert split("Put it back; size: in pixels. Raises `DrawError`.", ["size"]) == (
        "Put it back",
        [(["size"], "in pixels")],
        "Raises `DrawError`",
    )


def test_markdown_lists_arguments() -> None:
    assert markdown(inspect.cleandoc(DOCSTRING), NAMES).split("\n\n") == [
        "Draw a thing.",
        '* `size`: in pixels\n* `left`, `top`: where it stands, like start: 3\n* `colour`: a name; by default "red"',
        "Raises `DrawError` and `ValueError`.",
        "Everything else is told of `size` later. It is a number.",
    ]


@pytest.mark.parametrize(
    ("part", "shown"),
    [
        ("games = new(3)\nreset(games)", "```python\ngames = new(3)\nreset(games)\n```"),
        ("a    one\nb    two", "```text\na    one\nb    two\n```"),
        ("A line\nand another.", "A line\nand another."),
        ("First.\n\n    code = 1", "First.\n\n    code = 1"),
    ],
)
def test_markdown_of_code_and_drawings(part: str, shown: str) -> None:
    assert markdown(part, []) == shown


def test_the_first_sentence_about_a_name() -> None:
    assert sentence_about(DOCSTRING, "size") == "Everything else is told of `size` later"
    assert sentence_about(DOCSTRING, "colour") == ""
    assert sentence_about(None, "size") == ""


def test_entries_of_a_table() -> None:
    docstring = """What it is.

     0.. 2  the first          3..4  the second
    5, 6    one; another,
            told in two lines
    7       the last
    """
    assert entries(docstring) == [
        (0, 2, "the first"),
        (3, 4, "the second"),
        (5, 6, "one; another, told in two lines"),
        (7, 7, "the last"),
    ]
