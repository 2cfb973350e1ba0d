"""What PettingZoo's and Gymnasium's documentation asks of an environment and what their own tests do not look at.

| asked for | test |
|---|---|
| agents, modes, not parallelizable | envs/test_aec_api.py::test_metadata |
| a space of its own for each agent, the same each time; int8 masks | envs/test_spaces.py::test_each_agent_has_spaces_of_its_own_the_same_ones_each_time |
| zeros for the agent that waits | envs/test_aec_observations.py::test_both_agents_see_the_position_from_their_own_side |
| any options; fen and moves | envs/test_aec_reset.py::test_reset_starts_where_options_say_and_the_next_one_as_before |
| step takes off what the agent has met | envs/test_aec_episodes.py::test_an_agent_that_acts_has_met_its_reward |
| a finished agent takes None | envs/test_aec_episodes.py::test_a_finished_agent_takes_no_action |
| ends terminate, a cap truncates, flags are bool | envs/test_aec_episodes.py::test_the_cap_truncates_and_the_rules_terminate |
| the loser meets -1 in its last step | envs/test_aec_episodes.py::test_winner_and_loser_meet_their_rewards |
| observed at any time | envs/test_aec_observations.py::test_the_raw_environment_can_be_observed_before_reset_and_both_after_the_end |
| the first observation shows all men | envs/test_aec_observations.py::test_each_agent_finds_its_men_on_its_own_first_ranks |
| an illegal action is zero-sum and terminates | envs/test_aec_illegal.py::test_an_illegal_action_loses |
| infos of numbers under the same keys | envs/test_aec_episodes.py::test_infos_are_numbers_under_the_same_keys_from_first_to_last |
| PettingZoo's registry | envs/test_aec_api.py::test_pettingzoo_makes_it_by_name |
| PettingZoo's render_test | envs/test_aec_render.py::test_pettingzoo_render |
| vector_entry_point, max_episode_steps | envs/test_vector.py::test_an_episode_may_be_cut_by_steps |
| NEXT_STEP | envs/test_vector.py::test_next_step_resets_a_step_later_and_ignores_that_action |
| SAME_STEP | envs/test_vector.py::test_same_step_tells_the_last_observation_and_info |
| DISABLED | envs/test_vector.py::test_disabled_waits_for_a_reset_of_the_ended_lanes |
| infos as arrays with their marks | envs/test_equal_faces.py::test_n_lanes_are_n_single_environments |
| sampling by a tuple of masks | envs/test_vector.py::test_gymnasium_makes_them_with_native_vectors |
| check_env, unmasked actions | envs/test_solo.py::test_gymnasium_check |
| no memory shared by two calls | envs/test_vector.py::test_what_was_returned_is_not_written_to_again |
| a small action space | core/test_actions.py::test_the_space_holds_every_pair_every_declined_promotion_and_two_declarations |
"""  # noqa: E501 (a row is a line)

from __future__ import annotations

import copy
import importlib
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test
from pettingzoo.utils import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from makruk_env import COUNT_STOP, makruk_v0
from makruk_env.envs.autoreset import AutoresetMode
from makruk_env.envs.registration import register
from makruk_env.envs.solo import Makruk, MakrukSelfPlay
from makruk_env.envs.vector import VectorMakruk, VectorSelfPlay
from tests.envs.games import FACES, WHITE_MATES, Env, play, play_randomly, started, told, with_pictures
from tests.envs.test_aec_api import FOREIGN
from tests.envs.test_complaints_of_use import TESTS, rows
from tests.envs.test_solo import number


def wrapped(**arguments: Any) -> Env:
    """Return the bare environment under PettingZoo's own three wrappers."""
    env = TerminateIllegalWrapper(makruk_v0.raw_env(**arguments), illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env))


def run(code: str) -> str:
    """Return what a program of its own prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_the_table_names_tests_that_are_there() -> None:
    for path, name in rows(__doc__):
        assert f"\ndef {name}(" in (TESTS / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("make", FACES)
def test_reset_and_step_return_nothing(make: Callable[..., Env]) -> None:
    env = make()
    assert env.reset(seed=1) is None
    assert env.step(env.unwrapped.board.legal_actions()[0]) is None


def test_windows_have_a_speed() -> None:
    assert makruk_v0.env().metadata["render_fps"] > 0


@pytest.mark.filterwarnings(*FOREIGN)
def test_pettingzoos_own_wrappers_find_what_they_ask_for() -> None:
    env = wrapped(fen=WHITE_MATES)
    for seed, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed)
    api_test(env, num_cycles=200)


@pytest.mark.parametrize("look", [True, False])
def test_pettingzoos_own_wrapper_ends_the_game_with_an_illegal_action(look: bool) -> None:
    """It asks the environment for the mask where the caller did not, and pays as it pays."""
    env = started(wrapped)
    play(env, "e3e4")
    if look:
        env.last()
    env.step(COUNT_STOP)
    assert env.rewards == {"player_0": 0, "player_1": -1}
    assert env.terminations == env.truncations == {"player_0": True, "player_1": True}
    for _ in env.possible_agents:
        env.step(None)
    assert env.agents == []
    if not pettingzoo.__version__.startswith("1.24"):  # whose wrapper remembers the agent beyond the next reset
        env.reset()
        assert env.last()[0]["action_mask"].sum() == 23


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_through_pettingzoos_own_wrappers_keeps_the_game(duplicate: Callable[[Env], Env]) -> None:
    env = started(wrapped)
    play_randomly(env, random.Random(4), 9)
    before = told(env)
    twin = duplicate(env)
    assert data_equivalence(told(twin), before)
    play_randomly(twin, random.Random(5), 3)
    assert data_equivalence(told(env), before)
    assert twin.unwrapped.board.ply == env.unwrapped.board.ply + 3


def test_a_module_loaded_again_and_names_registered_again_warn_of_nothing() -> None:
    importlib.reload(makruk_v0)
    register()


def test_gymnasium_makes_it_in_a_program_that_imports_nothing_else() -> None:
    code = (
        "import gymnasium; print([gymnasium.make(f'makruk_env:{n}-v0').spec.id for n in ('Makruk', 'MakrukSelfPlay')])"
    )
    assert run(code) == "['Makruk-v0', 'MakrukSelfPlay-v0']\n"


def test_nothing_for_pictures_is_imported_before_the_first_one() -> None:
    code = """
import sys
from makruk_env import makruk_v0
for mode in ("ansi", "human", "rgb_array", "svg"):
    env = makruk_v0.env(render_mode=mode)
    if mode != "human":  # which shows what a reset leads to
        env.reset()
        env.step(env.board.legal_actions()[0])
    env.close()
print(sorted({"PIL", "pygame", "resvg_py"} & set(sys.modules)))
"""
    assert run(code) == "[]\n"


@with_pictures
def test_pixels_need_no_screen() -> None:
    code = """
import os, sys
for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
    os.environ.pop(name, None)
from makruk_env import makruk_v0
env = makruk_v0.env(render_mode="rgb_array", render_size=60)
env.reset()
print(env.render().shape, "pygame" in sys.modules)
"""
    assert run(code) == "(60, 60, 3) False\n"


@pytest.mark.parametrize("make", [Makruk, MakrukSelfPlay, VectorMakruk, VectorSelfPlay])
@pytest.mark.parametrize("observation", ["dict", "planes", "flat"])
def test_action_masks_are_bools_of_the_present_observation(make: Callable[..., Any], observation: str) -> None:
    env = make(observation=observation)
    seen, infos = env.reset(seed=1)
    for _ in range(5):
        mask = seen["action_mask"] if observation == "dict" else infos["action_mask"]
        assert env.action_masks().dtype == bool
        assert np.array_equal(env.action_masks(), mask)
        assert mask.dtype == np.int8
        actions = np.atleast_2d(mask).argmax(axis=1)
        seen, *_, infos = env.step(actions if hasattr(env, "num_envs") else actions[0])


@pytest.mark.parametrize("make", [Makruk, MakrukSelfPlay])
def test_what_a_single_environment_returned_is_not_written_to_again(make: Callable[..., Any]) -> None:
    env = make()
    seen, infos = env.reset(seed=1)
    kept = copy.deepcopy((seen, infos))
    for _ in range(3):
        later = env.step(np.flatnonzero(env.action_masks())[0])[0]
        assert not any(np.shares_memory(later[name], seen[name]) for name in seen)
    assert data_equivalence((seen, infos), kept)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_gymnasiums_statistics_of_episodes_work_on_the_native_vectors(mode: str) -> None:
    env = VectorSelfPlay(2, start=WHITE_MATES, autoreset_mode=mode)
    assert env.metadata["autoreset_mode"] is AutoresetMode(mode)
    counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    counted.reset(seed=1)
    *_, infos = counted.step(np.array([number("h1", "h8"), number("h1", "h2")]))
    assert infos["episode"]["r"].tolist() == [1, 0]
    assert infos["episode"]["l"].tolist() == [1, 0]
    assert infos["_episode"].tolist() == [True, False]
