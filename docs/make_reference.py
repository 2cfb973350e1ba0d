"""What mkdocstrings does to a docstring before it shows it: an extension of griffe, which reads the sources."""

from __future__ import annotations

from typing import Any

import griffe
from read_docstrings import markdown


class HouseDocstrings(griffe.Extension):
    """Turns each docstring into the Markdown that `read_docstrings` makes of it."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Called for every module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = markdown(obj.docstring.value, argument_names(obj))


def argument_names(obj: griffe.Object) -> set[str]:
    """Return the names that a docstring may tell of: a function's arguments, a class's and its attributes."""
    if isinstance(obj, griffe.Function):
        return {parameter.name for parameter in obj.parameters}
    if isinstance(obj, griffe.Class):
        return {parameter.name for parameter in obj.parameters} | set(obj.members)
    return set()
