"""The docstrings of this project as Markdown: they are prose, with arguments told as `name: what it is; name: ...`."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Collection

_ENTRY = re.compile(r"(?:^\s*|\s{4,})(\d+)(?:(?: ?\.\. ?|, ) ?(\d+))?\s{2,}(?=\S)")
_ALIGNED = re.compile(r"\S {3,}\S")


def paragraphs(docstring: str | None) -> list[str]:
    """Return the paragraphs of a docstring, each on one line."""
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", inspect.cleandoc(docstring or ""))]


def split(paragraph: str, names: Collection[str]) -> tuple[str, list[tuple[list[str], str]], str]:
    """Return what a paragraph says before it tells of arguments, what it tells of them, and what it says is raised.

    An argument, or several joined by commas, begins the paragraph or follows a full stop or a semicolon.
    """
    name = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    found = list(re.finditer(rf"(?:^|(?<=[;.] ))((?:{name})(?:, (?:{name}))*): ", paragraph)) if names else []
    if not found:
        return paragraph, [], ""
    items = []
    for each, end in zip(found, [*(each.start() for each in found[1:]), len(paragraph)], strict=True):
        items.append((each[1].split(", "), paragraph[each.end() : end].rstrip(" ;.")))
    told, raises, errors = items[-1][1].partition(". Raises ")
    items[-1] = items[-1][0], told
    return paragraph[: found[0].start()].rstrip(" ;."), items, f"{raises[2:]}{errors}"


def arguments(docstring: str | None, names: Collection[str]) -> dict[str, str]:
    """Return what a docstring tells of arguments, by name."""
    items = (item for paragraph in paragraphs(docstring) for item in split(paragraph, names)[1])
    return {name: text for named, text in items for name in named}


def sentence_about(docstring: str | None, name: str) -> str:
    """Return the first sentence of a docstring that speaks of `name`, or nothing."""
    sentences = (sentence for part in paragraphs(docstring) for sentence in re.split(r"(?<=\.) ", part))
    return next((sentence.rstrip(".") for sentence in sentences if f"`{name}`" in sentence), "")


def entries(docstring: str | None) -> list[tuple[int, int, str]]:
    """Return the numbered entries of a docstring's table, `12, 13  what they are`, as first, last and text.

    Two entries may stand on one line, at least four spaces apart; a line without a number goes on with the last one.
    """
    read: list[tuple[int, int, str]] = []
    indent = 0
    for line in inspect.cleandoc(docstring or "").splitlines()[1:]:
        found = list(_ENTRY.finditer(line))
        at = len(line) - len(line.lstrip())
        if not found and read and line.strip() and at > indent:
            first, last, text = read[-1]
            read[-1] = first, last, f"{text} {line.strip()}"
        elif found:
            indent = at + 1
            for each, end in zip(found, [*(each.start() for each in found[1:]), len(line)], strict=True):
                read.append((int(each[1]), int(each[2] or each[1]), line[each.end() : end].strip()))
    return read


def markdown(docstring: str, names: Collection[str]) -> str:
    """Return a docstring with its arguments as a list, its code and its drawings as code.

    docstring: without the indentation of its source, as `inspect.cleandoc` leaves it; names: of the arguments.
    """
    return "\n\n".join(_markdown(part, names) for part in re.split(r"\n\s*?\n", docstring.strip()))


def _markdown(part: str, names: Collection[str]) -> str:
    if part.startswith("    "):
        return part
    if _ALIGNED.search(part):
        return f"```text\n{part}\n```"
    if "\n" in part and _is_python(part):
        return f"```python\n{part}\n```"
    before, items, raises = split(" ".join(part.split()), names)
    if not items:
        return part
    told = "\n".join(f"* {', '.join(f'`{name}`' for name in named)}: {text}" for named, text in items)
    return "\n\n".join(filter(None, [f"{before}." if before else "", told, f"{raises}." if raises else ""]))


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
