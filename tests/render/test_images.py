"""The pictures of the pages are what their script draws."""

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
spec = importlib.util.spec_from_file_location("make_images", DOCS / "make_images.py")
assert spec is not None
assert spec.loader is not None
make_images = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_images)


def test_the_pictures_are_up_to_date() -> None:
    stored = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "images").iterdir()}
    assert stored == make_images.images()


def test_every_picture_is_shown() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in DOCS.glob("*.md"))
    assert all(f"(images/{name})" in pages for name in make_images.images())


@pytest.mark.parametrize(
    ("name", "dots", "rings", "crosses"),
    [("khun", 8, 0, 0), ("met", 4, 0, 0), ("khon", 5, 0, 0), ("ma", 8, 0, 0), ("ruea", 8, 0, 0), ("bia", 0, 1, 2)],
)
def test_where_the_men_go(name: str, dots: int, rings: int, crosses: int) -> None:
    text = make_images.images()[f"{name}.svg"]
    assert text.count('r="15"') == dots
    assert text.count('r="13"') == rings
    assert text.count("l28 28m0") == crosses
