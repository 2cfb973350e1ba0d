"""Many games in step against as many boards: the same masks, observations, rewards and ends, action for action."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from makruk_env import (
    NUM_ACTIONS,
    NUM_PLANES,
    Board,
    FenError,
    IllegalMoveError,
    Move,
    Rules,
    RulesError,
    Termination,
    batch,
)
from makruk_env.core import threads as core_threads

FENS = [
    "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
    "rnsmksnr/8/1ppppppp/p7/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 2",
    "4k3/1P4p1/2P5/3s4/4S3/5p2/6P1/R3K3 b - - 0 31",
    "3k4/2m5/8/8/3KS3/4R3/8/8 w - - 0 40",
    "3k4/2m5/8/8/3KS3/4R3/8/8 b - 128 101 40",
    "3k4/8/8/8/3KS3/4R3/8/8 b - 32 10 60",
    "k7/8/1K6/8/8/8/8/M6R w - - 0 1",
]
QUIET = "4k2r/6p1/8/8/8/8/1P6/R2K4 w - - 0 1"
"""Both sides may step to and fro with their ruea for as long as they like."""
SHUFFLE = ["a1a2", "h8h7", "a2a1", "h7h8"]


def starts(count: int) -> list[str]:
    return [FENS[i % len(FENS)] for i in range(count)]


def choices(rng: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    """Return a random legal action of each game, [B] int64; 0 where there is none."""
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Let the block's work be spread to so many threads."""
    before = core_threads.threads()
    core_threads.set_threads(count)
    try:
        yield
    finally:
        core_threads.set_threads(before)


@pytest.mark.parametrize("rules", ["ttakji", "fairy"])
@pytest.mark.parametrize("spread_to", [1, 2, 5])
@pytest.mark.parametrize("count", [1, 7, 256])
def test_a_step_of_many_games_is_a_step_of_as_many_boards(
    count: int, spread_to: int, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "_GRAIN", 1)  # so that a few games are spread too
    with threads(spread_to):
        step_beside_boards(count, rules)


def step_beside_boards(count: int, rules: str) -> None:
    """Play random moves in a batch and on as many boards, and compare all there is after each."""
    rng = np.random.default_rng(count)
    games = batch.new(count, rules, starts(count))
    boards = [Board(fen, rules) for fen in starts(count)]
    ends = set()
    for _ in range(60):
        masks, planes = batch.legal_mask(games), batch.observe(games)
        assert (masks == [board.action_mask() for board in boards]).all()
        assert (planes == [board.observation() for board in boards]).all()
        assert games.to_play.tolist() == [board.turn for board in boards]
        actions = choices(rng, masks)
        expected = np.zeros((count, 2), np.float32)
        for i, board in enumerate(boards):
            if board.outcome is None:
                board.push(int(actions[i]))
                if board.outcome is not None and board.outcome.winner is not None:
                    expected[i, board.outcome.winner] = 1
                    expected[i, 1 - board.outcome.winner] = -1
        rewards, ended = batch.step(games, actions)
        assert (rewards == expected).all()
        assert ended.tolist() == games.ended.tolist() == [board.outcome is not None for board in boards]
        assert games.positions.tolist() == [board.position.item() for board in boards]
        ends |= {board.outcome.termination for board in boards if board.outcome}
    assert [games.fen(i) for i in range(count)] == [board.fen() for board in boards]
    assert count < 64 or {Termination.CHECKMATE, Termination.PIECES_COUNT, Termination.BOARD_COUNT} <= ends


def test_shapes_and_types() -> None:
    games = batch.new(3)
    assert len(games) == 3
    masks, planes = batch.legal_mask(games), batch.observe(games)
    assert (masks.shape, masks.dtype) == ((3, NUM_ACTIONS), np.int8)
    assert (planes.shape, planes.dtype) == ((3, NUM_PLANES, 8, 8), np.float32)
    rewards, ended = batch.step(games, np.argmax(masks, axis=1))
    assert (rewards.shape, rewards.dtype) == ((3, 2), np.float32)
    assert (ended.shape, ended.dtype) == ((3,), bool)


def test_out_is_written_and_returned() -> None:
    games = batch.new(2)
    masks = np.full((2, NUM_ACTIONS), 7, np.int8)
    planes = np.full((2, NUM_PLANES, 8, 8), 7, np.float32)
    assert batch.legal_mask(games, masks) is masks
    assert batch.observe(games, planes) is planes
    assert (masks == batch.legal_mask(games)).all()
    assert (planes == batch.observe(games)).all()
    assert not np.shares_memory(batch.observe(games), batch.observe(games))


def played(count: int, plies: int, seed: int = 9) -> tuple[batch.Games, dict[Termination, int]]:
    games = batch.new(count, fens=FENS[3], seed=seed)
    return games, batch.random_play(games, plies)


def test_a_game_does_not_depend_on_the_number_of_games() -> None:
    many, _ = played(64, 300)
    for count in (1, 7):
        few, _ = played(count, 300)
        assert (few.positions == many.positions[:count]).all()
        assert (few.streams == many.streams[:count]).all()
    assert len({many.fen(i) for i in range(64)}) > 32


def test_a_game_does_not_depend_on_the_number_of_threads() -> None:
    with threads(3):
        many, ends = played(64, 300)
    with threads(1):
        one, ends_of_one = played(64, 300)
    assert (one.positions == many.positions).all()
    assert ends == ends_of_one


def test_another_seed_plays_other_games() -> None:
    games, _ = played(7, 50)
    others, _ = played(7, 50, seed=10)
    assert (games.positions != others.positions).any()


def test_random_play_does_not_depend_on_how_it_is_cut() -> None:
    whole, ends = played(7, 900)
    parts, ends_of_parts = played(7, 350)
    for kind, number in batch.random_play(parts, 550).items():
        ends_of_parts[kind] = ends_of_parts.get(kind, 0) + number
    assert (parts.positions == whole.positions).all()
    assert ends == ends_of_parts
    assert sum(ends.values()) > 7


def test_random_play_looks_without_touching_the_games() -> None:
    games, other = batch.new(7, seed=2), batch.new(7, seed=2)
    assert batch.random_play(games, 200) == batch.random_play(other, 200, look=True)
    assert (games.positions == other.positions).all()


@pytest.mark.parametrize("where", [[False, True, True, False], [1, 2], np.array([2, 1])])
def test_reset_starts_the_marked_games_anew_and_no_others(where: list[bool] | list[int] | np.ndarray) -> None:
    games = batch.new(4, fens=FENS[:4])
    fresh = batch.new(4, fens=FENS[:4])
    rng = np.random.default_rng(1)
    for _ in range(12):
        batch.step(games, choices(rng, batch.legal_mask(games)))
    before = games.positions.copy()
    batch.reset(games, where)
    assert (games.positions[1:3] == fresh.positions[1:3]).all()
    assert (batch.legal_mask(games)[1:3] == batch.legal_mask(fresh)[1:3]).all()
    assert (games.positions[[0, 3]] == before[[0, 3]]).all()
    assert (before[1:3] != fresh.positions[1:3]).all()


def test_a_reset_game_forgets_its_repetitions() -> None:
    games = batch.new(1, fens=QUIET)
    board = Board(QUIET)
    for text in SHUFFLE:
        batch.step(games, _push(board, text))
    assert games.positions["repetition"][0] == 1
    batch.reset(games, [True])
    board = Board(QUIET)
    for text in SHUFFLE[:3]:
        batch.step(games, _push(board, text))
        assert games.positions["repetition"][0] == 0


def _push(board: Board, text: str) -> list[int]:
    """Play a text on the board and return its action, as a batch of one takes it."""
    board.push_uci(text)
    return [board.actions[-1]]


def test_an_ended_game_stays_as_it_is_and_pays_no_more() -> None:
    games = batch.new(2, fens=["k7/8/1K6/8/8/8/8/M6R w - - 0 1", FENS[0]])
    boards = [Board("k7/8/1K6/8/8/8/8/M6R w - - 0 1"), Board()]
    rewards, ended = batch.step(games, _push(boards[0], "h1h8") + _push(boards[1], "e3e4"))
    assert rewards.tolist() == [[1, -1], [0, 0]]
    assert ended.tolist() == [True, False]
    assert not batch.legal_mask(games)[0].any()
    stood = games.positions[0].copy()
    rewards, ended = batch.step(games, [3, *_push(boards[1], "e6e5")])
    assert rewards.tolist() == [[0, 0], [0, 0]]
    assert ended.tolist() == [True, False]
    assert games.positions[0] == stood


@pytest.mark.parametrize("illegal", [0, -1, NUM_ACTIONS, 1473, 2**40])
def test_an_illegal_action_raises_before_anything_changes(illegal: int) -> None:
    games = batch.new(3)
    before = games.positions.copy(), batch.legal_mask(games)
    legal = int(np.flatnonzero(before[1][0])[0])
    with pytest.raises(IllegalMoveError, match=rf"game 1: .*{illegal} in 'rnsmksnr/"):
        batch.step(games, [legal, illegal, legal])
    assert (games.positions == before[0]).all()
    assert (batch.legal_mask(games) == before[1]).all()


@pytest.mark.parametrize("actions", [[1], [1, 2, 3], [[1, 2]], [1.0, 2.0], [True, True]])
def test_actions_of_a_wrong_shape_or_type_are_refused(actions: list[object]) -> None:
    with pytest.raises(ValueError, match="expected \\[2\\] integers"):
        batch.step(batch.new(2), actions)


def test_bad_arguments_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="count"):
        batch.new(0)
    with pytest.raises(ValueError, match="expected 1 or 3, got 2"):
        batch.new(3, fens=FENS[:2])
    with pytest.raises(FenError, match="one khun of White, got 0"):
        batch.new(2, fens=[FENS[0], "k7/8/8/8/8/8/8/8 w - - 0 1"])
    with pytest.raises(RulesError, match="'shogi'"):
        batch.new(1, rules="shogi")


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Few games for many steps: threads would mostly wait for each other."""
    threads = core_threads.threads()
    core_threads.set_threads(1)
    yield
    core_threads.set_threads(threads)


def long_game(rules: Rules, texts: list[str]) -> tuple[batch.Games, Board]:
    """Play the texts in a batch of three and on a board, comparing as it goes; the other two games end early."""
    board = Board(QUIET, rules)
    games = batch.new(3, rules, [QUIET, "k7/8/1K6/8/8/8/8/M6R w - - 0 1", QUIET])
    mate = Board("k7/8/1K6/8/8/8/8/M6R w - - 0 1", rules)
    mate.push_uci("h1h8")
    actions: dict[str, int] = {}
    for text in texts:
        if text not in actions:
            actions[text] = board.action(Move.from_uci(text))
        action = actions[text]
        board.push(action)
        _, ended = batch.step(games, [action, mate.actions[0], action])
        assert ended[0] == (board.outcome is not None)
        assert games.positions["quiet"][0] == board.position.quiet
        assert games.positions["repetition"][0] == board.position.repetition
        if ended[0]:
            break
    assert games.fen(0) == games.fen(2) == board.fen()
    assert (batch.legal_mask(games)[0] == board.action_mask()).all()
    return games, board


@pytest.mark.usefixtures("one_thread")
def test_history_grows_in_a_long_quiet_game() -> None:
    rules = Rules.preset("ttakji", repetition=0, max_plies=0)
    games, board = long_game(rules, SHUFFLE * 150)
    assert board.ply == 600
    assert board.outcome is None
    assert games.positions["quiet"][0] == 600
    assert games.history.shape[1] > 600


@pytest.mark.usefixtures("one_thread")
def test_a_repetition_is_found_across_the_growth_of_the_history() -> None:
    _, board = long_game(Rules.preset("ttakji", repetition=150, max_plies=0), SHUFFLE * 150)
    assert board.outcome is not None
    assert board.outcome.termination == Termination.REPETITION
    assert board.ply == 4 * 149


@pytest.mark.usefixtures("one_thread")
def test_what_no_repetition_can_reach_is_dropped_from_the_history() -> None:
    texts = [*SHUFFLE * 65, "b2b3", *["h8h7", "a1a2", "h7h8", "a2a1"] * 75]
    games, board = long_game(Rules.preset("ttakji", repetition=72, max_plies=0), texts)
    assert board.outcome is not None
    assert board.outcome.termination == Termination.REPETITION
    assert board.ply == 261 + 4 * 71
    assert games.history.shape[1] < board.ply
    assert games.origins[0] > 0


def test_two_batches_of_other_rules_do_not_disturb_each_other() -> None:
    bare = "3k4/8/8/8/3KS3/4R3/8/8 w - - 0 60"
    ranked, off = batch.new(1, "ttakji", bare), batch.new(1, Rules.preset("ttakji", pieces_count="off"), bare)
    for games in (ranked, off):
        batch.step(games, _push(Board(bare), "e3e2"))
    assert ranked.positions["count_number"][0] == 4
    assert off.positions["count_number"][0] == 0
