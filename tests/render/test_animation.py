"""A whole game as one picture."""

import io
import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest
from PIL import Image

from makruk_env import Board, RenderError
from makruk_env.render import animation, raster, scene, svg
from makruk_env.render.svg import View
from tests.render.pictures import PROMOTES, SVG, WHITE_MATES, colour, layer, pixel, played, read

GAME = played(PROMOTES, "e5e6m", "c7b6", "e3e1", "start", "b6c5", "d4e3", "b2d3", "e3d3", "d8c7")
"""A promotion, a declaration, a check and a capture."""


def as_gif(data: bytes) -> list[tuple[np.ndarray, int]]:
    """Return the frames of a GIF with their times in milliseconds."""
    with Image.open(io.BytesIO(data)) as image:
        found = []
        for at in range(image.n_frames):
            image.seek(at)
            found.append((np.array(image.convert("RGB")), image.info["duration"]))
        return found


def test_a_gif_has_a_frame_for_every_action_with_its_time_and_size() -> None:
    view = View(200, orientation=1)
    frames = as_gif(animation.gif(GAME, view, seconds=0.4, hold=2))
    assert [time for _, time in frames] == [400] * len(GAME.actions) + [2000]
    for (frame, _), shown in zip(frames, scene.replay(GAME), strict=True):
        still = raster.rgb(svg.draw(shown, view), 200)
        assert frame.shape == still.shape
        differing = np.abs(frame.astype(int) - still).max(axis=2)
        assert (differing > 0).mean() < 0.05  # shades along edges
        assert (differing > 20).mean() < 0.001


def test_the_colours_of_a_gif_are_those_of_the_drawing() -> None:
    view = View(200)
    frames = [frame for frame, _ in as_gif(animation.gif(GAME, view))]
    for frame in frames:
        assert tuple(frame[pixel(view, "a8", 0.5, 0.5)].tolist()) == colour(svg.LIGHT)
    checked = [tuple(frame[pixel(view, "d4", 0.06, 0.06)].tolist()) for frame in frames]
    assert checked.count(colour(svg.CHECK)) == 1


def test_a_gif_goes_on_forever() -> None:
    with Image.open(io.BytesIO(animation.gif(played(WHITE_MATES, "h1h8"), View(64)))) as image:
        assert (image.info["loop"], image.n_frames, image.size) == (0, 2, (64, 64))


def at_time(text: str, time: float) -> list[Counter[str]]:
    """Return what an animated SVG shows at a time, layer by layer, as a program does that knows SMIL."""
    seen = []
    for group in read(text).findall(f"{SVG}g"):
        shown: Counter[str] = Counter()
        for element in group:
            animated = element.find(f"{SVG}animate")
            if animated is None:
                shown[written(element)] += 1
                continue
            assert (animated.get("attributeName"), animated.get("calcMode")) == ("visibility", "discrete")
            times = [float(value) for value in animated.attrib["keyTimes"].split(";")]
            values = animated.attrib["values"].split(";")
            assert times == sorted(times)
            assert (times[0], values[0], len(times)) == (0, element.get("visibility"), len(values))
            part = time / float(animated.attrib["dur"].removesuffix("s"))
            if values[max(at for at, begin in enumerate(times) if begin <= part)] == "visible":
                shown[written(element[-1])] += 1
        seen.append(shown)
    return seen


def written(element: ET.Element) -> str:
    return ET.tostring(element).decode().strip()


def test_an_animated_svg_shows_scene_after_scene() -> None:
    text = animation.svg(GAME, View(300), seconds=0.5, hold=2)
    assert (read(text).get("width"), read(text).get("height")) == ("300", "300")
    shown = list(scene.replay(GAME))
    for at, one in enumerate(shown):
        still = [
            Counter(written(element) for element in group)
            for group in read(svg.draw(one, View(300))).findall(f"{SVG}g")
        ]
        for time in (0.5 * at + 0.01, 0.5 * at + 0.49):
            assert [level for level in at_time(text, time) if level] == still
    assert {element.attrib["dur"] for element in read(text).iter() if "dur" in element.attrib} == {"6.5s"}


def test_without_animation_it_shows_the_first_scene() -> None:
    still = svg.draw(next(scene.replay(GAME)))
    assert np.array_equal(raster.rgb(animation.svg(GAME), 400), raster.rgb(still, 400))


def test_men_slide_to_their_squares() -> None:
    text = animation.svg(played(WHITE_MATES, "h1h8"), seconds=1, hold=1)
    (slide,) = read(text).iter(f"{SVG}animateTransform")
    assert slide.attrib["values"] == "0 0;0 700;0 0;0 0"
    assert slide.attrib["keyTimes"] == "0;0.5;0.625;1"
    for slide in read(animation.svg(GAME)).iter(f"{SVG}animateTransform"):
        times = [float(value) for value in slide.attrib["keyTimes"].split(";")]
        assert times == sorted(times)
        assert (times[0], times[-1], len(times)) == (0, 1, len(slide.attrib["values"].split(";")))


def test_scenes_of_ones_own() -> None:
    shown = [scene.of(Board(), arrows=[(12, 20, 1.0)]), scene.of(played(None, "e3e4"), shades={28: 1.0})]
    assert len(as_gif(animation.gif(shown, View(64)))) == 2
    assert len(layer(animation.svg(shown, View(64)), "arrows")) == 1


@pytest.mark.parametrize(("arguments", "message"), [({"seconds": 0}, "seconds: .*0"), ({"hold": 1e9}, "hold: .*1000")])
def test_times_that_cannot_be_shown_are_refused(arguments: dict[str, float], message: str) -> None:
    for make in (animation.gif, animation.svg):
        with pytest.raises(RenderError, match=message):
            make(Board(), **arguments)


def test_no_scene_is_no_animation() -> None:
    for make in (animation.gif, animation.svg):
        with pytest.raises(RenderError, match="at least one scene"):
            make([])
