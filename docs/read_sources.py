"""Settings read from the text of a source file, without an import: the network's lie beside PyTorch."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from read_docstrings import paragraphs

ROOT = Path(__file__).parents[1]
_BOUNDS = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}


@dataclass(frozen=True)
class Setting:
    """An attribute of a configuration: its type, default and bounds as the source has them, and its docstring."""

    name: str
    type: str
    default: str
    bounds: str
    meaning: str


def settings_of(source: str, name: str) -> tuple[str, list[Setting]]:
    """Return the docstring of a class and its documented attributes; nested configurations are left out."""
    tree = ast.parse((ROOT / source).read_text(encoding="utf-8"))
    (found,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    settings = []
    for node, after in zip(found.body, found.body[1:], strict=False):
        if not isinstance(node, ast.AnnAssign) or node.value is None or not _is_text(after):
            continue
        default, bounds = _default(node.value)
        if not default.endswith("Config()"):
            meaning = " ".join(paragraphs(after.value.value))  # type: ignore[attr-defined]  # _is_text has seen to it
            settings.append(Setting(ast.unparse(node.target), ast.unparse(node.annotation), default, bounds, meaning))
    return ast.get_docstring(found) or "", settings


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _default(value: ast.expr) -> tuple[str, str]:
    """Return the default and the bounds of `Field(default, ge=..., le=...)`, or of a plain value."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "Field":
        bounds = (f"{_BOUNDS[each.arg]} {ast.unparse(each.value)}" for each in value.keywords if each.arg in _BOUNDS)
        return ast.unparse(value.args[0]), ", ".join(bounds)
    return ast.unparse(value), ""
