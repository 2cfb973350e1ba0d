"""Targets: each row belongs to its position, and each value to the side that moves there."""

import math
from dataclasses import replace

import numpy as np
import pytest

from makruk_env.core.actions import COUNT_START
from training import targets
from training.config import ReplayConfig
from training.errors import RecordError
from training.records import GameRecord
from training.targets import Rows, join, outcome_of_value, replay, surprise_of

from .games import (
    BLACK_MATES,
    DECLARABLE,
    DECLARED_THEN_MATED,
    ROOK_ENDING,
    WHITE_MATES,
    boards_of,
    played,
    random_game,
)

WIN, DRAW, LOSS = [1, 0, 0], [0, 1, 0], [0, 0, 1]


def rows_of(game: GameRecord, fade: float = 1.0, **settings: float | None) -> Rows:
    return targets.rows_of(game, ReplayConfig(**settings), fade)


@pytest.mark.parametrize(("fen", "seed"), [(None, 0), (ROOK_ENDING, 1), (DECLARABLE, 2), (DECLARABLE, 3)])
def test_the_positions_are_those_of_the_game(fen: str | None, seed: int) -> None:
    game = random_game(fen, seed=seed)
    positions = replay(game)
    boards = boards_of(game, fen)
    assert len(positions) == len(game) + 1 == len(boards) + 1
    for position, board in zip(positions, boards, strict=False):
        assert position == board.position
    assert positions[-1].termination == game.termination


def test_a_row_holds_the_search_of_its_own_position() -> None:
    game = random_game(DECLARABLE, seed=2, searched_from=3)
    rows = rows_of(game)
    boards = boards_of(game, DECLARABLE)[3:]
    assert len(rows) == len(boards)
    for i, board in enumerate(boards):
        edges = slice(rows.edge_offsets[i], rows.edge_offsets[i + 1])
        assert rows.edge_actions[edges].tolist() == board.legal_actions()
        assert rows.edge_shares[edges].sum() == pytest.approx(1)
        assert rows.positions[i] == board.position


@pytest.mark.parametrize(("fen", "move", "winner"), [(WHITE_MATES, "a7a8", 0), (BLACK_MATES, "a2a1", 1)])
def test_whoever_mates_has_won(fen: str, move: str, winner: int) -> None:
    game = played(fen, [move])
    assert game.winner == winner
    assert rows_of(game).outcome.tolist() == [WIN]


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("7k/8/7K/8/8/8/R7/8 w - - 0 1", ["a2a7", "h8g8", "h6g6", "g8h8", "a7a8"]),
        ("8/r7/8/8/8/7k/8/7K b - - 0 1", ["a7a2", "h1g1", "h3g3", "g1h1", "a2a1"]),
    ],
)
def test_the_loser_of_a_game_has_lost(fen: str, moves: list[str]) -> None:
    assert rows_of(played(fen, moves)).outcome.tolist() == [WIN, LOSS, WIN, LOSS, WIN]


def test_a_declaration_keeps_the_turn() -> None:
    """Black declares, moves, and is mated: two rows of the loser one behind the other."""
    game = played(DECLARED_THEN_MATED, ["start", "a1b2", "a7a8"])
    assert game.actions[0] == COUNT_START
    assert rows_of(game).positions["side"].tolist() == [1, 1, 0]
    assert rows_of(game).outcome.tolist() == [LOSS, LOSS, WIN]


def test_a_draw_is_a_draw_for_both() -> None:
    game = random_game(ROOK_ENDING, seed=2)
    assert game.winner == -1
    rows = rows_of(game)
    assert set(rows.positions["side"].tolist()) == {0, 1}
    assert (rows.outcome == DRAW).all()
    assert (rows.value_weight == 1).all()


def test_a_game_cut_off_teaches_no_result() -> None:
    rows = rows_of(random_game(seed=4, plies=20, truncate=True))
    assert len(rows) == 20
    assert not rows.value_weight.any()
    assert np.diff(rows.edge_offsets).all()


def test_the_search_has_its_share_of_the_target() -> None:
    game = played(DECLARED_THEN_MATED, ["start", "a1b2", "a7a8"])
    game = replace(game, root_value=np.array([-0.5, 0.5, 1], np.float32))
    assert rows_of(game, q_share=1.0).outcome.tolist() == [[0, 0.5, 0.5], [0.5, 0.5, 0], [1, 0, 0]]
    mixed = rows_of(game, q_share=0.25).outcome
    np.testing.assert_allclose(mixed, [[0, 0.125, 0.875], [0.125, 0.125, 0.75], [1, 0, 0]])
    assert mixed.dtype == np.float32


def test_the_share_of_the_search_goes_from_its_start_to_its_end() -> None:
    game = played(DECLARED_THEN_MATED, ["start", "a1b2", "a7a8"])
    for fade, share in ((1.0, 0.25), (0.5, 0.5), (0.0, 0.75)):
        scheduled = rows_of(game, fade, q_share=0.25, q_share_final=0.75).outcome
        np.testing.assert_allclose(scheduled, rows_of(game, q_share=share).outcome, atol=1e-6)
    assert (rows_of(game, 0.0, q_share=0.25).outcome == rows_of(game, 1.0, q_share=0.25).outcome).all()
    assert (rows_of(game, 0.0, q_share=0.25, q_share_final=0.0).outcome == rows_of(game).outcome).all()


def test_the_surprise_is_the_divergence_of_the_search_from_the_network() -> None:
    game = random_game(DECLARABLE, seed=2, searched_from=3)
    surprise = surprise_of(game)
    assert len(surprise) == len(game) - 3
    for i, ply in enumerate(range(3, len(game))):
        edges = slice(game.edge_offsets[ply], game.edge_offsets[ply + 1])
        pairs = zip(game.edge_shares[edges].tolist(), game.edge_priors[edges].tolist(), strict=True)
        assert surprise[i] == pytest.approx(sum(p * math.log(p / q) for p, q in pairs if p), abs=1e-5)
    assert (surprise >= 0).all()
    assert surprise.max() > 0


def test_a_prior_that_has_vanished_surprises_by_a_number() -> None:
    game = played(WHITE_MATES, ["a7a8"])
    shares, priors = np.zeros((2, len(game.edge_actions)), np.float32)
    shares[0] = priors[1] = 1
    game = replace(game, edge_shares=shares, edge_priors=priors)
    assert surprise_of(game).tolist() == pytest.approx([-math.log(np.finfo(np.float32).tiny)])


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_surprise_moves_draws_within_a_game_and_adds_none(share: float) -> None:
    games = [random_game(DECLARABLE, seed=2), random_game(seed=1, searched_from=30)]
    for game in games:
        weight, surprise = rows_of(game, surprise_share=share).draw_weight, surprise_of(game)
        assert weight.dtype == np.float32
        assert weight.sum() == pytest.approx(game.full.sum(), rel=1e-5)
        np.testing.assert_allclose(weight, 1 - share + share * surprise / surprise.mean(), rtol=1e-5)


def test_a_game_without_surprise_is_drawn_evenly() -> None:
    game = random_game(DECLARABLE, seed=2)
    game = replace(game, edge_priors=game.edge_shares)
    assert (rows_of(game, surprise_share=0.5).draw_weight == 1).all()
    hasty = replace(
        game,
        full=np.zeros(len(game), bool),
        edge_offsets=np.zeros(len(game) + 1, np.int32),
        **{name: getattr(game, name)[:0] for name in ("edge_actions", "edge_shares", "edge_visits", "edge_priors")},
    )
    assert len(rows_of(hasty, surprise_share=0.5)) == 0


def test_the_outcome_of_a_value_has_that_value() -> None:
    value = np.linspace(-1, 1, 9)
    outcome = outcome_of_value(value)
    np.testing.assert_allclose(outcome[:, 0] - outcome[:, 2], value, atol=1e-7)
    np.testing.assert_allclose(outcome.sum(1), 1)


def test_a_far_win_is_worth_less_than_a_near_one() -> None:
    moves = ["a2a7", "h8g8", "h6g6", "g8h8", "a7a8"]
    outcome = rows_of(played("7k/8/7K/8/8/8/R7/8 w - - 0 1", moves), discount=0.9).outcome
    np.testing.assert_allclose(outcome[:, 0] - outcome[:, 2], [0.9**5, -(0.9**4), 0.9**3, -(0.9**2), 0.9], atol=1e-6)
    np.testing.assert_allclose(outcome.sum(1), 1, atol=1e-6)


def test_a_game_cut_short_can_be_told_by_the_men_and_a_drawn_one_less_and_less() -> None:
    cut = random_game(ROOK_ENDING, seed=4, plies=6, truncate=True)
    rows = rows_of(cut, cut_material=0.8)
    value = rows.outcome[:, 0] - rows.outcome[:, 2]
    assert (rows.value_weight == 1).all()
    ahead = {int(side): set(np.sign(value[rows.positions["side"] == side]).tolist()) for side in (0, 1)}
    assert ahead in ({0: {1}, 1: {-1}}, {0: {-1}, 1: {1}})
    drawn = random_game(ROOK_ENDING, seed=2)
    full, half, none = (rows_of(drawn, fade, draw_material=0.4).outcome for fade in (1.0, 0.5, 0.0))
    np.testing.assert_allclose(half[:, 0], full[:, 0] / 2, atol=1e-6)
    assert (none == DRAW).all()
    assert (rows_of(drawn, cut_material=0.8).outcome == DRAW).all()


def shifted(game: GameRecord) -> GameRecord:
    """Give each ply the search of the next one."""
    lengths = np.diff(game.edge_offsets)
    offsets = np.concatenate([[0], np.cumsum(np.roll(lengths, -1))]).astype(np.int32)
    first = lengths[0]
    return replace(game, edge_offsets=offsets, edge_actions=np.roll(game.edge_actions, -first))


GAME = random_game(seed=7)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (shifted(GAME), "legal actions as edges"),
        (replace(GAME, actions=GAME.actions[::-1].copy()), "ply 0 .* legal action, got"),
        (replace(GAME, winner=1), "expected termination"),
        (replace(GAME, termination=1), "expected termination"),
        (replace(GAME, edge_actions=np.roll(GAME.edge_actions, 1)), "legal actions as edges"),
    ],
)
def test_a_record_that_its_moves_contradict(game: GameRecord, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        rows_of(game)


def test_a_game_that_goes_on_after_its_end() -> None:
    game = played(WHITE_MATES, ["a7a8"])
    long = replace(
        game,
        actions=np.repeat(game.actions, 2),
        full=np.array([True, False]),
        root_value=np.zeros(2, np.float32),
        edge_offsets=np.append(game.edge_offsets, game.edge_offsets[-1]),
    )
    with pytest.raises(RecordError, match="ply 1"):
        replay(long)


def test_joined_rows_are_the_rows_of_each() -> None:
    parts = [rows_of(random_game(seed=s, searched_from=s), surprise_share=0.5) for s in (1, 2)]
    joined = join(parts)
    assert len(joined) == sum(map(len, parts))
    cut = len(parts[0])
    assert (joined.positions[cut:] == parts[1].positions).all()
    first, last = joined.edge_offsets[cut], joined.edge_offsets[-1]
    assert joined.edge_actions[first:last].tolist() == parts[1].edge_actions.tolist()
    for name in ("outcome", "value_weight", "auxiliary", "auxiliary_weight", "draw_weight"):
        np.testing.assert_array_equal(getattr(joined, name), np.concatenate([getattr(part, name) for part in parts]))
    assert len(join([])) == 0
    assert isinstance(join([]), Rows)
