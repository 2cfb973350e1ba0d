"""What people complained of in using other environments: windows, seeds, rewards, neighbours and copies.

Those of what an environment shows are in test_complaints.py; and elsewhere:

| complaint | test |
|---|---|
| last frame not drawn | envs/test_aec_render.py::test_human_draws_after_reset_and_after_each_step |
| last frame not drawn | envs/test_aec_render.py::test_pixels_follow_the_game_to_its_last_frame |
| last frame not drawn | envs/test_gymnasium_render.py::test_the_last_picture_shows_the_end |
| render before reset crashes | envs/test_aec_api.py::test_render_before_reset_and_without_a_mode |
| closing twice crashes | envs/test_aec_api.py::test_close_twice_and_close_unused |
| number of environments matters | envs/test_equal_faces.py::test_a_lane_does_not_depend_on_how_many_there_are |
| N in one are not N single ones | envs/test_equal_faces.py::test_n_lanes_are_n_single_environments |
| two instances meet | envs/test_aec_copies.py::test_two_environments_do_not_disturb_each_other |
| two instances share an autoreset mode | envs/test_vector.py::test_the_mode_belongs_to_the_instance |
"""

from __future__ import annotations

import copy
import pickle
import random
import re
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from makruk_env import COUNT_STOP, Board, Rules, Termination, makruk_v0
from makruk_env.envs.solo import Makruk, MakrukSelfPlay
from makruk_env.envs.vector import VectorMakruk, VectorSelfPlay
from tests.envs import test_complaints
from tests.envs.faces import Faces
from tests.envs.games import FACES, OPEN_BOARD, WHITE_MATES, Env, play, play_randomly, started, with_pictures
from tests.envs.test_complaints import LOPSIDED, random_game
from tests.envs.test_solo import first_legal, number

BLACK_MATES_NEXT = "r6m/8/8/8/8/6k1/2P5/7K w - - 0 1"
"""Whatever White moves, Black mates with a8a1."""
TESTS = Path(__file__).parents[1]


def mate_on_a1(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Play a8a1 as Black."""
    return np.full(len(masks), number("a8", "a1", black=True))


@with_pictures
@pytest.mark.parametrize("event", ["WINDOWCLOSE", "QUIT"])
def test_closing_the_window_does_not_end_the_program(event: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(makruk_v0.raw_env.metadata, "render_fps", 0)
    import pygame

    env = started(render_mode="human", render_size=100, fen=WHITE_MATES)
    pygame.event.post(pygame.event.Event(getattr(pygame, event), window=env.unwrapped._face._window._window))
    play(env, "h1g1", "a8b8")
    assert env.unwrapped._face._window.closed
    play(env, "g1g8")
    for _ in env.possible_agents:
        env.step(None)
    env.reset()
    env.close()
    env.close()


@with_pictures
@pytest.mark.parametrize("event", ["WINDOWCLOSE", "QUIT"])
def test_closing_the_window_of_gymnasium_does_not_end_the_program(event: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    import pygame

    env = MakrukSelfPlay(render_mode="human", render_size=100, start=WHITE_MATES)
    env.reset(seed=1)
    (face,) = env.lanes.faces
    pygame.event.post(pygame.event.Event(getattr(pygame, event), window=face._window._window))
    env.step(number("h1", "h2"))
    assert face._window.closed
    env.step(COUNT_STOP)
    env.reset()
    env.close()
    env.close()


@pytest.mark.parametrize("make", [Makruk, MakrukSelfPlay, VectorMakruk, VectorSelfPlay])
def test_rendering_before_the_first_reset_shows_the_array(make: Callable[..., Any]) -> None:
    shown = make(render_mode="ansi").render()
    assert (shown if isinstance(shown, str) else shown[0]).startswith(str(Board()))


@pytest.mark.parametrize("name", ["Makruk-v0", "MakrukSelfPlay-v0"])
def test_closing_twice_and_unused_in_gymnasium(name: str) -> None:
    for make in (gymnasium.make, gymnasium.make_vec):
        make(f"makruk_env:{name}").close()
        env = make(f"makruk_env:{name}")
        env.reset(seed=1)
        env.close()
        env.close()


@pytest.mark.parametrize("chance", [{"opponent": "random"}, {"start": "opening:1-9"}, {"colour": "random"}])
def test_the_seed_is_heeded_by_all_that_is_drawn(chance: dict[str, Any]) -> None:
    def story(seed: int) -> list[Any]:
        env = Makruk(**{"opponent": first_legal, **chance})
        told = []
        for episode in range(4):
            _, info = env.reset(seed=None if episode else seed)
            begun = env.fen()
            env.step(np.flatnonzero(env.action_masks())[0])
            told.append((begun, info["colour"], env.fen()))
        return told

    stories = [story(seed) for seed in range(6)]
    assert stories == [story(seed) for seed in range(6)]
    assert len({str(each) for each in stories}) > 3


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_a_game_that_the_opponent_ends_is_paid_to_the_agent(mode: str) -> None:
    """In the very step in which the agent made it possible; a single environment's is tested in test_solo.py."""
    env = VectorMakruk(3, opponent=mate_on_a1, start=BLACK_MATES_NEXT, autoreset_mode=mode)
    env.reset(seed=1)
    c2c3, h1g1 = number("c2", "c3"), number("h1", "g1")
    _, rewards, terminated, truncated, infos = env.step(np.array([c2c3, COUNT_STOP, h1g1]))
    assert (rewards.tolist(), terminated.tolist(), truncated.any()) == ([-1, -1, -1], [True] * 3, False)
    last = infos["final_info"] if mode == "SameStep" else infos
    assert last["termination"].tolist() == [Termination.CHECKMATE, Termination.ILLEGAL_ACTION, Termination.CHECKMATE]
    assert not infos["termination"].any() or mode != "SameStep"


def test_games_under_other_settings_side_by_side_are_as_they_are_alone() -> None:
    settings = [(None, "ttakji"), (OPEN_BOARD, "fairy"), (LOPSIDED, "ttakji:promotion=optional,max_plies=80")]
    alone = [[shown(faces) for faces in random_game(*each)] for each in settings]
    together: list[list[bytes]] = [[] for _ in settings]
    for turn in zip_longest(*(random_game(*each) for each in settings)):  # all have moved before one is looked at
        for told, faces in zip(together, turn, strict=True):
            if faces is not None:
                told.append(shown(faces))
                views = faces.views()
                for view in views[2:]:  # to which the board of the first face is a judge of its own
                    assert np.array_equal(view.planes, views[faces.board.turn].planes)
                    assert np.array_equal(view.mask, views[faces.board.turn].mask)
    assert together == alone


def shown(faces: Faces) -> bytes:
    """Return all that the faces show, comparable."""
    return pickle.dumps([faces.views(), faces.infos(), faces.flags()])


def parts(thing: Any, found: dict[int, Any] | None = None) -> dict[int, Any]:
    """Return whatever of an object can be written to, by identity, itself included."""
    found = {} if found is None else found
    if id(thing) in found or isinstance(thing, type | Rules):  # rules never change
        return found
    if isinstance(thing, dict | list | np.ndarray | np.random.Generator) or hasattr(thing, "__dict__"):
        found[id(thing)] = thing
    inside = thing.values() if isinstance(thing, dict) else thing if isinstance(thing, list | tuple) else ()
    for part in (*inside, *getattr(thing, "__dict__", {}).values()):
        parts(part, found)
    return found


@pytest.mark.parametrize("make", FACES)
def test_a_copy_takes_what_a_search_needs_and_shares_nothing_that_changes(make: Callable[..., Env]) -> None:
    """Counted, not timed: three arrays of the game, no space that nothing was drawn from."""
    env = started(make, render_mode="svg")
    play_randomly(env, random.Random(2), 100)
    ours, theirs = parts(env), parts(copy.deepcopy(env))
    copied = [part for at, part in theirs.items() if at not in ours]
    arrays = [part for part in copied if isinstance(part, np.ndarray)]
    assert len(arrays) == 3
    assert sum(array.nbytes for array in arrays) < 2 * 128 * env.unwrapped.board.position.nbytes
    assert not [part for part in copied if isinstance(part, spaces.Box | spaces.Dict | np.random.Generator)]
    shared = [part for at, part in theirs.items() if at in ours]
    unseen = parts([env.unwrapped.observation_spaces, env.unwrapped.state_space, env.unwrapped._face.view])
    assert [part for part in shared if id(part) not in unseen] == []


def test_a_copy_draws_for_itself_from_spaces_that_were_drawn_from() -> None:
    env = started()
    space = env.action_space("player_0")
    space.seed(1)
    twin = copy.deepcopy(env)
    assert [space.sample() for _ in range(5)] == [twin.action_space("player_0").sample() for _ in range(5)]


def rows(table: str | None) -> list[tuple[str, str]]:
    """Return the file and the name of each test of a table."""
    found = re.findall(r"^\| .+ \| (\S+)::(\S+) \|$", table or "", re.MULTILINE)
    assert len(found) >= 2
    return found


@pytest.mark.parametrize("table", [__doc__, test_complaints.__doc__])
def test_the_tables_name_tests_that_are_there(table: str) -> None:
    for path, name in rows(table):
        assert f"\ndef {name}(" in (TESTS / path).read_text(encoding="utf-8")
