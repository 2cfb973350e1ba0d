"""What MkDocs does to these pages beyond Markdown, as its hook: tables from the code, boards as pictures.

It also sees to it that no page fetches anything from elsewhere when it is read.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from make_tables import MADE
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

from makruk_env import Board
from makruk_env.render import svg

PLACE = re.compile(r"^<!-- made: (\w+)(.*?) -->$", re.MULTILINE)
"""A line that stands for what a function of `make_tables` returns: its name, then its arguments."""
DRAWN = re.compile(r"^(!\[.*\)\n\n)?```text\n8 (?:.*\n){9}```\n\n(```fen ?(\w*)\n(.+)\n```)$", re.MULTILINE)
"""A board in letters with its FEN below it, and with a picture above it or not."""
FEN = re.compile(r"^```fen ?(\w*)$", re.MULTILINE)
_LOADED = re.compile(
    r"""<(?:script|img|iframe|source|link(?! rel="canonical"))\b[^>]*?(?:src|href)=["']?(?:https?:)?//"""
)
_IMPORTED = re.compile(r"""(?:@import|url\()\s*["']?(?:https?:)?//""")
BOARD_SIZE = 320


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Fill in the tables, and show each board that is drawn in letters as a picture."""

    def made(place: re.Match[str]) -> str:
        return MADE[place[1]](*place[2].split())

    def drawn(board: re.Match[str]) -> str:
        picture, block, rules, fen = board.groups()
        if not picture:
            name = f"images/boards/{re.sub(r'[^A-Za-z0-9]', '-', fen + rules)}.svg"
            picture = f"![the board of the FEN below]({name}){{ width={BOARD_SIZE} }}\n\n"
            if files.get_file_from_path(name) is None:
                text = svg.board(Board(fen, rules or "ttakji"), size=BOARD_SIZE)
                files.append(File.generated(config, name, content=text))
        return picture + block

    markdown = PLACE.sub(made, DRAWN.sub(drawn, markdown))
    return FEN.sub(lambda fence: f'```text title="{fence[1]}"' if fence[1] else "```text", markdown)


def on_post_build(config: Any) -> None:
    """Stop where a page or a style sheet names something that a browser would fetch from elsewhere."""
    for path in sorted(Path(config.site_dir).rglob("*")):
        if path.suffix in (".html", ".css"):
            names_elsewhere = _LOADED if path.suffix == ".html" else _IMPORTED
            if found := names_elsewhere.search(path.read_text(encoding="utf-8")):
                raise PluginError(f"{path}: expected nothing from elsewhere, got {found[0]!r}")
