"""A whole game as one moving picture: an animated GIF, or an SVG that animates itself.

S scenes, H = W = the view's size.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from makruk_env.errors import MissingLibraryError, RenderError
from makruk_env.render import raster, scene
from makruk_env.render.artwork import number
from makruk_env.render.scene import Scene
from makruk_env.render.svg import Layer, View, document, layers, man

if TYPE_CHECKING:
    from makruk_env.board import Board

_COLOURS = 256
_SLIDE = 0.25
"""Seconds that a man takes from square to square, at most half of a move's time."""

Runs = list[tuple[int, int]]
"""The scenes that show an element: first and one past the last, of each unbroken stretch."""


def _scenes(game: Board | Iterable[Scene], seconds: float, hold: float) -> tuple[list[Scene], list[float]]:
    """Return what is shown and for how long."""
    shown = list(game) if isinstance(game, Iterable) else list(scene.replay(game))
    if not shown:
        raise RenderError("animation: expected at least one scene, got none")
    for name, value in (("seconds", seconds), ("hold", hold)):
        if not 0.02 <= value <= 600:  # a GIF counts hundredths, and viewers slow down what is shorter than two
            raise RenderError(f"{name}: expected 0.02 to 600, got {value!r}")
    return shown, [seconds] * (len(shown) - 1) + [hold]


def gif(game: Board | Iterable[Scene], view: View | None = None, *, seconds: float = 1.0, hold: float = 3.0) -> bytes:
    """Return a game as an animated GIF that goes on forever.

    game: a Board, shown from its first position to its last with every action, or scenes; seconds: how long each
    scene stands; hold: how long the last one does. Raises `RenderError` and `MissingLibraryError`.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingLibraryError(f"an animated GIF needs pillow ({error}): {raster.INSTALL_HINT}") from error
    view = view or View()
    shown, times = _scenes(game, seconds, hold)
    frames = (raster.rgb(document(layers(one, view), view.size), view.size) for one in shown)
    palette, indices = _in_few_colours(frames)
    images = [Image.fromarray(frame) for frame in indices]
    for image in images:
        image.putpalette(palette.tobytes())
    file = io.BytesIO()
    durations = [round(1000 * time) for time in times]
    images[0].save(file, "GIF", save_all=True, append_images=images[1:], duration=durations, loop=0, optimize=False)
    return file.getvalue()


def _in_few_colours(frames: Iterable[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return a palette, [256, 3] uint8, and the frames, [H, W, 3] uint8 each, as numbers in it, [H, W] uint8.

    One palette for all, of the colours that fill most of some frame, which so stay what they are: what does not change
    does not flicker. The rest, shades along edges, goes to the nearest.
    """
    tables, areas, places = [], [], []
    for frame in frames:
        codes = frame.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
        table, at, area = np.unique(codes, return_inverse=True, return_counts=True)
        tables.append(table)
        areas.append(area)
        places.append(at.reshape(codes.shape).astype(np.uint16))  # a long game in 64 bits a pixel would fill the memory
    colours, at = np.unique(np.concatenate(tables), return_inverse=True)
    largest = np.zeros(len(colours), np.int64)
    np.maximum.at(largest, at, np.concatenate(areas))
    kept = np.argsort(-largest, kind="stable")[:_COLOURS]
    channels = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(np.int32)
    palette = np.zeros((_COLOURS, 3), np.uint8)
    palette[: len(kept)] = channels[kept]
    nearest = np.stack([((channels - colour) ** 2).sum(axis=1) for colour in channels[kept]]).argmin(axis=0)
    ends = np.cumsum([len(table) for table in tables])[:-1]
    numbers = np.split(nearest.astype(np.uint8)[at], ends)
    return palette, [number[place] for number, place in zip(numbers, places, strict=True)]


def svg(game: Board | Iterable[Scene], view: View | None = None, *, seconds: float = 1.0, hold: float = 3.0) -> str:
    """Return a game as an SVG that animates itself (SMIL) and goes on forever; programs that cannot show scene one.

    The arguments are those of `gif`. A man slides to its square. Raises `RenderError`.
    """
    view = view or View()
    shown, times = _scenes(game, seconds, hold)
    drawn = [layers(one, view) for one in shown]
    begins = [0.0, *accumulate(times)]
    slide = min(_SLIDE, seconds / 2, hold / 2)
    merged = []
    for level in zip(*drawn, strict=True):
        elements = []
        for element, runs in _runs(level).items():
            if runs == [(0, len(shown))]:
                elements.append(element)
                continue
            slides = _slides(element, runs, shown, view)
            elements.append(_animated(element, runs, slides, begins, slide))
        merged.append(Layer(level[0].attributes, elements))
    return document(merged, view.size)


def _runs(level: tuple[Layer, ...]) -> dict[str, Runs]:
    """Return which scenes show each element of a layer, elements in the order of their first appearance."""
    runs: dict[str, Runs] = {}
    for at, layer in enumerate(level):
        for element in layer.elements:
            known = runs.setdefault(element, [])
            if known and known[-1][1] == at:
                known[-1] = known[-1][0], at + 1
            else:
                known.append((at, at + 1))
    return runs


def _slides(element: str, runs: Runs, shown: list[Scene], view: View) -> dict[int, str]:
    """Return, for each scene in which this element is the man that has just moved, how far away it came from."""
    slides = {}
    for begin, _ in runs:
        last = shown[begin].last
        if begin == 0 or last is None or last[1] not in shown[begin].men:
            continue
        if element == man(view, last[1], shown[begin].men[last[1]]):
            (x0, y0), (x1, y1) = view.corner(last[0]), view.corner(last[1])
            slides[begin] = f"{x0 - x1} {y0 - y1}"
    return slides


def _animated(element: str, runs: Runs, slides: dict[int, str], begins: list[float], slide: float) -> str:
    """Return an element that is seen in its scenes only, and slides there where it is said from how far."""
    total = begins[-1]
    seen = {0.0: "visible" if runs[0][0] == 0 else "hidden"}
    moved = {0.0: "0 0"}
    for begin, end in runs:
        seen[begins[begin] / total] = "visible"
        seen[begins[end] / total] = "hidden"
        if begin in slides:
            moved[begins[begin] / total] = slides[begin]
            moved[(begins[begin] + slide) / total] = "0 0"
        moved[begins[end] / total] = "0 0"
    shows = _animation('<animate attributeName="visibility" calcMode="discrete"', seen, total)
    if slides:
        moved[1.0] = "0 0"
        shows += _animation('<animateTransform attributeName="transform" type="translate"', moved, total)
    return f'<g visibility="{seen[0.0]}">{shows}{element}</g>'


def _animation(begin: str, values: dict[float, str], total: float) -> str:
    times = ";".join(f"{time:.6g}" for time in values)
    return (
        f'{begin} values="{";".join(values.values())}" keyTimes="{times}" dur="{number(total)}s"'
        ' repeatCount="indefinite"/>'
    )
