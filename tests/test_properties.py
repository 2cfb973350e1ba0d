"""Properties that hold in every position, under every preset and random combinations of options."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from makruk_env import Board, Move, Rules, pgn
from makruk_env.core.actions import ACTION_FROM, ACTION_TO, MIRRORED_ACTION, NUM_DECLINED, NUM_PAIRS
from makruk_env.core.position import fresh_key
from makruk_env.rules import PRESETS
from tests.judges.naive import random_rules
from tests.judges.starts import MOODS, pick, start

often = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


@st.composite
def games(draw: st.DrawFn) -> Board:
    """Draw a game under some rules, up to 60 actions long, steered by a mood."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    preset = draw(st.sampled_from([*PRESETS, None]))
    rules = Rules.preset(preset) if preset else random_rules(rng)
    board = Board(start(rng, rules).fen, rules)
    mood = draw(st.sampled_from(MOODS))
    for _ in range(draw(st.integers(0, 60))):
        if board.outcome is not None:
            break
        board.push(pick(rng, board, mood))
    return board


def back_to_the_start(board: Board) -> Iterator[Board]:
    """Yield the board at every position of its game, the last one first."""
    yield board
    while board.actions:
        board.pop()
        yield board


@often
@given(games())
def test_a_fen_brings_back_all_but_the_past(board: Board) -> None:
    for now in back_to_the_start(board):
        again = Board(now.fen(), now.rules)
        assert again.fen() == now.fen()
        assert again.count == now.count
        assert again.position.rights == now.position.rights
        if now.outcome is None and again.outcome is None and now.rules.perpetual_check != "forbidden":
            assert again.legal_actions() == now.legal_actions()


@often
@given(games())
def test_uci_texts_name_their_moves(board: Board) -> None:
    for now in back_to_the_start(board):
        moves = now.legal_moves
        assert len({move.uci() for move in moves}) == len(moves)
        for move, action in zip(moves, now.legal_actions(), strict=True):
            assert now.action(move) == now.action(Move.from_uci(move.uci())) == action


@often
@given(games())
def test_san_texts_name_their_moves_in_both_scripts(board: Board) -> None:
    for now in back_to_the_start(board):
        moves = now.legal_moves
        for thai in (False, True):
            texts = [now.san(move, thai=thai) for move in moves]
            assert len(set(texts)) == len(moves)
            assert [now.parse_san(text) for text in texts] == moves


@often
@given(games())
def test_a_game_written_as_pgn_is_read_again(board: Board) -> None:
    file = io.StringIO()
    pgn.write(file, pgn.Game.of(board))
    (game,) = pgn.read(io.StringIO(file.getvalue()))
    assert game.error is None
    assert game.board().position.item() == board.position.item()
    assert game.board().actions == board.actions
    assert game.start.rules == board.rules


@often
@given(games())
def test_the_key_kept_up_is_the_key_made_anew(board: Board) -> None:
    for now in back_to_the_start(board):
        assert now.key == int(fresh_key(now.position))
        assert int(now.keys[-1]) == now.key


@often
@given(games())
def test_mirrored_and_turned_positions_have_mirrored_and_turned_legal_sets(board: Board) -> None:
    for now in back_to_the_start(board):
        alone = Board(now.fen(), now.rules)
        mirror, turned = alone.mirror(), alone.turned()
        if alone.rules.max_plies == 0 or alone.outcome is None:
            assert sorted(MIRRORED_ACTION[mirror.legal_actions()].tolist()) == alone.legal_actions()
        assert mirror.mirror().position.item() == alone.position.item()
        assert turned.turned().position.item() == alone.position.item()
        if alone.rules.max_plies == 0:  # White's and Black's plies of one move number differ by one
            assert turned.legal_actions() == alone.legal_actions()
            assert (turned.observation() == alone.observation()).all()
        assert (mirror.observation()[:, :, ::-1] == alone.observation()).all()


@often
@given(games(), st.integers(0, 2**32))
def test_a_move_taken_back_restores_every_field(board: Board, seed: int) -> None:
    rng = random.Random(seed)
    for now in back_to_the_start(board):
        before, legal = now.position.item(), now.legal_actions()
        for action in rng.sample(legal, min(3, len(legal))):
            now.push(action)
            assert now.pop() == action
            assert now.position.item() == before
            assert now.legal_actions() == legal


@often
@given(games())
def test_a_mask_marks_the_legal_actions(board: Board) -> None:
    for now in back_to_the_start(board):
        assert np.flatnonzero(now.action_mask()).tolist() == now.legal_actions()


@pytest.mark.parametrize("side", ["w", "b"])
@pytest.mark.parametrize("action", range(NUM_PAIRS, NUM_PAIRS + NUM_DECLINED))
def test_every_declined_promotion_can_be_made_and_read(action: int, side: str) -> None:
    """A bia alone makes the move, an enemy bia stands where it captures; the khuns look on from afar."""
    flip = 0 if side == "w" else 63
    origin, target = int(ACTION_FROM[action]) ^ flip, int(ACTION_TO[action]) ^ flip
    board = ["1"] * 64
    own, other = ("P", "p") if side == "w" else ("p", "P")
    board[origin] = own
    if origin % 8 != target % 8:
        board[target] = other
    corners = [s ^ flip for s in ((0, 7) if int(ACTION_FROM[action]) % 8 < 4 else (7, 0))]
    board[corners[0]], board[corners[1]] = ("K", "k") if side == "w" else ("k", "K")
    men = "/".join("".join(board[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1))
    game = Board(f"{men} {side} - - 0 1", "ttakji:promotion=optional")
    move = next(m for m in game.legal_moves if m.from_square == origin and m.to_square == target and m.declined)
    assert game.action(move) == action
    assert game.push_uci(move.uci()) == move
    assert str(game).replace(" ", "").replace("\n", "").count(own) == 1
