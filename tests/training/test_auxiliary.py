"""Auxiliary targets: recomputed by hand, for both colours, with declarations, hasty plies and every end of a count."""

from dataclasses import replace

import numpy as np
import pytest

from agents.network.heads import AUXILIARY
from makruk_env import Board
from makruk_env.core.actions import COUNT_START
from training.auxiliary import coming_value, count_margin
from training.config import ReplayConfig
from training.records import GameRecord
from training.targets import replay, rows_of

from .games import DECLARABLE, DECLARED_THEN_MATED, ROOK_ENDING, boards_of, played, random_game

WHITE_DECLARES = "7M/8/8/8/8/k7/7r/K7 w - - 0 1"
"""DECLARED_THEN_MATED turned, the colours swapped."""
BOTH = [(DECLARED_THEN_MATED, ["start", "a1b2", "a7a8"]), (WHITE_DECLARES, ["start", "h8g7", "h2h1"])]


def column(game: GameRecord, name: str, **settings: float) -> tuple[list[float], list[float]]:
    """Return the targets of one head and their weights."""
    rows, at = rows_of(game, ReplayConfig(**settings)), AUXILIARY.index(name)
    return rows.auxiliary[:, at].tolist(), rows.auxiliary_weight[:, at].tolist()


@pytest.mark.parametrize(("fen", "moves"), BOTH)
def test_the_values_to_come_by_hand(fen: str, moves: list[str]) -> None:
    """The declaring side thinks -0.5 and then 0.5, the mating side 1: as the mating side sees it 0.5, -0.5, 1, won."""
    game = replace(played(fen, moves), root_value=np.array([-0.5, 0.5, 1], np.float32))
    assert game.actions[0] == COUNT_START
    assert column(game, "near_value", near_horizon=2) == ([-0.375, -0.25, 1], [1, 1, 1])
    # With k = 1 / 4: 1, then -1/8 + 3/4, then 1/8 + 3/4 of that.
    assert column(game, "far_value", far_horizon=4) == ([-0.59375, -0.625, 1], [1, 1, 1])
    assert column(game, "near_value", near_horizon=1) == ([-0.5, 0.5, 1], [1, 1, 1])


def naive(game: GameRecord, boards: list[Board], ply: int, horizon: float) -> float:
    """Weigh every value to come by its distance, as the side to move at `ply` sees it."""
    keep, turn = 1 - 1 / horizon, boards[ply].turn
    values, weights = [], []
    for t in range(ply, len(game)):
        if game.full[t]:
            values.append(game.root_value[t] if boards[t].turn == turn else -game.root_value[t])
            weights.append(keep ** (t - ply) / horizon)
    if not game.truncated:
        values.append(0 if game.winner < 0 else 1 if game.winner == turn else -1)
        weights.append(keep ** (len(game) - ply))
    return float(np.average(values, weights=weights))


GAMES = [
    (DECLARABLE, random_game(DECLARABLE, seed=2)),
    (ROOK_ENDING, random_game(ROOK_ENDING, seed=1)),
    (None, random_game(seed=4, plies=20, truncate=True)),
]


@pytest.mark.parametrize(("fen", "game"), GAMES)
@pytest.mark.parametrize("horizon", [6.0, 16.0])
def test_the_values_to_come_of_random_games_with_hasty_plies(fen: str | None, game: GameRecord, horizon: float) -> None:
    full = np.random.default_rng(0).random(len(game)) < 0.4
    full[-1] = True
    game = replace(game, full=full, root_value=np.where(full, game.root_value, 0).astype(np.float32))
    boards = boards_of(game, fen)
    got = coming_value(game, np.array([board.turn for board in boards]), horizon)
    expected = [naive(game, boards, ply, horizon) for ply in range(len(game))]
    np.testing.assert_allclose(got, expected, atol=1e-6)
    assert got.dtype == np.float32


def test_a_declaration_is_among_the_random_games() -> None:
    assert (GAMES[0][1].actions >= COUNT_START).any()


def test_the_sure_draw_is_worth_nothing_to_both() -> None:
    game = random_game(ROOK_ENDING, seed=2)
    assert game.winner == -1
    game = replace(game, root_value=np.zeros(len(game), np.float32))
    for name in ("near_value", "far_value"):
        assert not any(column(game, name)[0])


def test_hasty_plies_at_the_end_of_a_cut_game_have_no_value_to_come() -> None:
    game = replace(random_game(seed=4, plies=6, truncate=True), full=np.array([1, 1, 0, 0, 0, 0], bool))
    got = coming_value(game, np.arange(6) % 2, 1.0)
    np.testing.assert_array_equal(got, [*game.root_value[:2], 0, 0, 0, 0])


def test_plies_left() -> None:
    game = played(*BOTH[0])
    assert column(game, "plies_left", plies_scale=2) == ([1.5, 1, 0.5], [1, 1, 1])
    late = random_game(ROOK_ENDING, seed=1, searched_from=4)
    targets, weights = column(late, "plies_left", plies_scale=1)
    assert targets == list(range(len(late) - 4, 0, -1))
    assert all(weights)


def test_a_game_cut_off_tells_neither_its_length_nor_its_count() -> None:
    game = random_game(ROOK_ENDING, seed=4, plies=6, truncate=True)
    assert boards_of(game, ROOK_ENDING)[1].count
    for name in ("plies_left", "count_margin"):
        assert column(game, name) == ([0] * 6, [0] * 6)
    assert column(game, "near_value")[1] == [1] * 6


@pytest.mark.parametrize(("fen", "moves"), BOTH)
def test_the_margin_of_a_count_that_was_beaten(fen: str, moves: list[str]) -> None:
    """A board count of 64, one of it spoken; nothing runs before the declaration."""
    assert column(played(fen, moves), "count_margin") == ([0, 63 / 64, 63 / 64], [0, 1, 1])


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("7k/8/7K/8/8/8/R7/8 w - - 0 1", ["a2a7", "h8g8", "h6g6", "g8h8", "a7a8"]),
        ("8/r7/8/8/8/7k/8/7K b - - 0 1", ["a7a2", "h1g1", "h3g3", "g1h1", "a2a1"]),
    ],
)
def test_the_margin_of_a_pieces_count(fen: str, moves: list[str]) -> None:
    """Three men and one ruea: counted from 3, 4 and 5 of 16 are spoken; the sign does not follow the side to move."""
    game = played(fen, moves)
    running = [int(board.count is not None) for board in boards_of(game, fen)]
    assert column(game, "count_margin") == ([11 / 16 * one for one in running], running)
    assert running[1:] == [1, 1, 1, 1]


def test_a_count_that_ran_out_saved_the_counter() -> None:
    game = random_game(ROOK_ENDING, seed=2)
    running = np.array([board.count is not None for board in boards_of(game, ROOK_ENDING)])
    assert running.tolist() == [False] + [True] * (len(game) - 1)
    margin, weight = count_margin(game, replay(game))
    np.testing.assert_array_equal(weight, running)
    np.testing.assert_array_equal(margin, -1.0 * running)
    assert margin.dtype == weight.dtype == np.float32


STOPPED = ["start", "a1b2", "h6g6", "stop", "h8g8"]


def test_a_count_that_was_stopped_says_nothing() -> None:
    game = played(DECLARED_THEN_MATED, [*STOPPED, "a7a8"])
    assert game.winner == 0
    assert column(game, "count_margin") == ([0] * 6, [0] * 6)
    again = played(DECLARED_THEN_MATED, [*STOPPED, "a7b7", "start", "g8h8", "b7b8"])
    assert again.winner == 0
    assert column(again, "count_margin") == ([0] * 7 + [63 / 64] * 2, [0] * 7 + [1] * 2)


def test_a_count_that_was_replaced_says_nothing() -> None:
    """White takes the met: a pieces count of 16 follows on the board count, and 4 is spoken before the mate."""
    game = played(DECLARED_THEN_MATED, ["start", "a1b2", "a7b7", "h8g8", "b7b2", "g8h8", "b2b8"])
    assert game.winner == 0
    assert column(game, "count_margin") == ([0] * 5 + [12 / 16] * 2, [0] * 5 + [1] * 2)


def test_the_count_of_a_mate_that_takes_the_last_man_is_the_one_it_beat() -> None:
    game = played("7k/Rm6/7K/8/8/8/8/8 b - - 0 1", ["start", "b7a8", "a7a8"])
    history = replay(game)
    assert history[-1].count_kind != history[-2].count_kind
    assert column(game, "count_margin") == ([0, 63 / 64, 63 / 64], [0, 1, 1])
