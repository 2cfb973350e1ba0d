"""What is done to a page when the site is built; needs MkDocs, which `make docs` installs."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("mkdocs", reason="MkDocs is not installed; make docs installs it")

from make_pages import on_page_markdown, on_post_build
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files

from makruk_env import Board
from makruk_env.render import svg

FEN = "k7/2K5/8/2M5/8/8/8/7R w - - 0 1"
DRAWN = f"```text\n{Board(FEN)}\n```\n\n```fen\n{FEN}\n```\n"


@pytest.fixture
def files() -> Files:
    """Return the files of a site without any."""
    return Files([])


def shown(markdown: str, files: Files) -> str:
    """Return what becomes of a page."""
    plugins = SimpleNamespace(_current_plugin=None)  # a generated file asks it who made it
    config = SimpleNamespace(site_dir="site", use_directory_urls=False, plugins=plugins)
    return on_page_markdown(markdown, page=None, config=config, files=files)


def test_a_drawn_board_becomes_a_picture(files: Files) -> None:
    picture, fen = shown(f"Before.\n\n{DRAWN}", files).split("\n\n")[1:]
    (file,) = files
    assert f"]({file.src_uri})" in picture
    assert file.content_string == svg.board(Board(FEN), size=320)
    assert fen == f"```text\n{FEN}\n```\n"


def test_a_board_below_a_picture_is_left_out(files: Files) -> None:
    assert shown(f"![a board](x.svg)\n\n{DRAWN}", files) == f"![a board](x.svg)\n\n```text\n{FEN}\n```\n"
    assert not list(files)


def test_a_fen_names_its_rules(files: Files) -> None:
    assert shown("```fen sut\nx w\n```\n", files) == '```text title="sut"\nx w\n```\n'


def test_a_place_is_filled(files: Files) -> None:
    text = shown("Before\n<!-- made: source configs/quick.yaml yaml -->\nafter", files)
    assert text == f"Before\n```yaml\n{Path('configs/quick.yaml').read_text()}```\nafter"
    with pytest.raises(KeyError):
        shown("<!-- made: nothing -->", files)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<script async src="https://example.org/x.js"></script>'),
        ("a.html", "<link rel=stylesheet href=//example.org/x.css>"),
        ("a.css", "@import url(https://example.org/x.css)"),
        ("a.css", ".a { background: url('http://example.org/x.png') }"),
    ],
)
def test_nothing_is_fetched_from_elsewhere(tmp_path: Path, name: str, text: str) -> None:
    config: Any = SimpleNamespace(site_dir=str(tmp_path))
    fine = '<link rel="canonical" href="https://example.org/"><a href="https://example.org">x</a><img src="x.svg">'
    (tmp_path / "fine.html").write_text(fine)
    on_post_build(config)
    (tmp_path / name).write_text(text)
    with pytest.raises(PluginError, match="elsewhere"):
        on_post_build(config)
