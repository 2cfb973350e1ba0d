"""The replay memory: what it holds, what it draws, and that it draws it again after a resume."""

from functools import cache

import numpy as np
import pytest

from agents.errors import CheckpointError
from agents.features import MAX_FEATURES, MIRRORED_FEATURE, NUM_FEATURES, list_features
from agents.network.heads import AUXILIARY
from agents.network.sparse import SparseConfig
from makruk_env import NUM_ACTIONS, NUM_PLANES
from makruk_env.core.actions import MIRRORED_ACTION
from makruk_env.core.position import POSITION
from makruk_env.rules import Rules
from training.config import ReplayConfig
from training.replay import Batch, Replay
from training.targets import Rows, join, rows_of

from .games import DECLARABLE, boards_of, random_game

GAME = random_game(DECLARABLE, seed=2)
BOARDS = boards_of(GAME, DECLARABLE)
ROWS = rows_of(GAME, ReplayConfig(q_share=0.5))
FIELDS = ("inputs", "actions", "policy", "outcome", "value_weight", "auxiliary", "auxiliary_weight")


def filled(seed: int = 0, rows: Rows = ROWS, **config: object) -> Replay:
    replay = Replay(ReplayConfig(**config), "ttakji", seed)
    replay.add(rows)
    return replay


def numbered(first: int, counts: list[int]) -> Rows:
    """Return rows that carry their number as a value weight, in the auxiliary heads and in all their edges.

    Every third is drawn four times as often as the others.
    """
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    numbers = np.arange(first, first + len(counts))
    return Rows(
        positions=np.zeros(len(counts), POSITION),
        edge_offsets=offsets,
        edge_actions=np.concatenate([np.arange(n) for n in counts]).astype(np.int16),
        edge_shares=np.repeat(numbers, counts).astype(np.float32),
        outcome=np.tile(np.array([0, 1, 0], np.float32), (len(counts), 1)),
        value_weight=numbers.astype(np.float32),
        auxiliary=np.repeat(numbers[:, None], len(AUXILIARY), 1).astype(np.float32),
        auxiliary_weight=np.repeat(-numbers[:, None], len(AUXILIARY), 1).astype(np.float32),
        draw_weight=np.where(numbers % 3, 0.5, 2).astype(np.float32),
    )


def same(a: Batch, b: Batch) -> bool:
    return all(getattr(a, name).tobytes() == getattr(b, name).tobytes() for name in FIELDS)


def dense(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """Return the policy and the legal mask over all actions, [B, A] each."""
    policy, legal = (
        np.zeros((len(batch.actions), NUM_ACTIONS), np.float32),
        np.zeros((len(batch.actions), NUM_ACTIONS), bool),
    )
    for i, actions in enumerate(batch.actions):
        count = int((actions >= 0).sum())
        assert (actions[count:] == -1).all()
        policy[i, actions[:count]], legal[i, actions[:count]] = batch.policy[i, :count], True
    return policy, legal


@cache
def plain(board_at: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return planes, policy and legal mask of a ply, from the Board alone."""
    edges = slice(GAME.edge_offsets[board_at], GAME.edge_offsets[board_at + 1])
    policy = np.zeros(NUM_ACTIONS, np.float32)
    policy[GAME.edge_actions[edges]] = GAME.edge_shares[edges]
    board = BOARDS[board_at]
    return board.observation(), policy, board.action_mask().astype(bool)


def test_rows_are_drawn_as_the_board_shows_them() -> None:
    batch = filled(mirror=False).sample(256)
    policy, legal = dense(batch)
    seen = set()
    for i in range(256):
        matches = [t for t in range(len(GAME)) if np.array_equal(batch.inputs[i], plain(t)[0])]
        assert matches
        # A position may stand twice; the made-up visits tell which ply it is.
        t = next(t for t in matches if np.array_equal(policy[i], plain(t)[1]))
        np.testing.assert_array_equal(legal[i], plain(t)[2])
        np.testing.assert_array_equal(batch.outcome[i], ROWS.outcome[t])
        np.testing.assert_array_equal(batch.auxiliary[i], ROWS.auxiliary[t])
        np.testing.assert_array_equal(batch.auxiliary_weight[i], ROWS.auxiliary_weight[t])
        seen.add(t)
    assert len(seen) > 0.7 * len(GAME)


def test_shapes_and_types() -> None:
    batch = filled().sample(7)
    shapes = {name: getattr(batch, name).shape for name in FIELDS}
    most = int((batch.actions >= 0).sum(1).max())
    assert shapes == {
        "inputs": (7, NUM_PLANES, 8, 8),
        "actions": (7, most),
        "policy": (7, most),
        "outcome": (7, 3),
        "value_weight": (7,),
        "auxiliary": (7, len(AUXILIARY)),
        "auxiliary_weight": (7, len(AUXILIARY)),
    }
    assert batch.actions.dtype == np.int64
    assert {getattr(batch, name).dtype for name in FIELDS if name != "actions"} == {np.dtype(np.float32)}
    np.testing.assert_allclose(batch.policy.sum(1), 1, atol=1e-6)
    assert not batch.policy[batch.actions < 0].any()


def test_a_mirrored_row_is_the_row_of_the_mirrored_game() -> None:
    """The same draws with and without mirroring: planes flipped in files, actions mapped, nothing else changed."""
    replay = filled()
    chosen = np.arange(len(GAME)) % len(GAME)
    as_is = replay._batch(chosen, np.zeros(len(chosen), bool))
    mirrored = replay._batch(chosen, np.ones(len(chosen), bool))
    np.testing.assert_array_equal(mirrored.inputs, as_is.inputs[..., ::-1])
    for turned, whole in zip(dense(mirrored), dense(as_is), strict=True):
        np.testing.assert_array_equal(turned[:, MIRRORED_ACTION], whole)
    for name in ("outcome", "value_weight", "auxiliary", "auxiliary_weight"):
        np.testing.assert_array_equal(getattr(mirrored, name), getattr(as_is, name))
    assert not np.array_equal(mirrored.inputs, as_is.inputs)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_sparse_network_gets_features(mirrored: bool) -> None:
    replay = Replay(ReplayConfig(), "ttakji", 0, SparseConfig())
    replay.add(ROWS)
    chosen = np.arange(len(GAME))
    batch = replay._batch(chosen, np.full(len(chosen), mirrored))
    planes = filled()._batch(chosen, np.full(len(chosen), mirrored))
    np.testing.assert_array_equal(batch.actions, planes.actions)
    np.testing.assert_array_equal(batch.policy, planes.policy)
    assert (batch.inputs.shape, batch.inputs.dtype) == ((len(GAME), MAX_FEATURES), np.int32)
    features = np.zeros(MAX_FEATURES, np.int32)
    for row, position in zip(batch.inputs, ROWS.positions, strict=True):
        count = list_features(position, Rules.preset("ttakji").array[0], features)
        assert (
            row[:count].tolist()
            == (MIRRORED_FEATURE if mirrored else np.arange(NUM_FEATURES))[features[:count]].tolist()
        )
        assert (row[count:] == NUM_FEATURES).all()


def test_half_of_the_rows_are_mirrored() -> None:
    """One row, whose position is not its own mirror image, drawn many times."""
    one = rows_of(random_game(seed=1, plies=1, truncate=True), ReplayConfig())
    plain_planes = filled(rows=one, mirror=False).sample(1).inputs[0]
    as_is = [np.array_equal(drawn, plain_planes) for drawn in filled(rows=one).sample(400).inputs]
    assert 150 < sum(as_is) < 250


def test_a_seed_says_what_is_drawn() -> None:
    assert same(filled(3).sample(64), filled(3).sample(64))
    assert not same(filled(3).sample(64), filled(4).sample(64))
    replay = filled(3)
    assert not same(replay.sample(64), replay.sample(64))


def test_nothing_to_draw_from() -> None:
    with pytest.raises(ValueError, match="got none yet"):
        Replay(ReplayConfig(), "ttakji", 0).sample(1)


def test_the_window_grows_with_the_rows_seen() -> None:
    replay = Replay(ReplayConfig(window_min=10, window_max=30, growth=0.5), "ttakji", 0)
    held = []
    for i in range(20):
        replay.add(numbered(5 * i, [3] * 5))
        held.append(len(replay))
    assert replay.total == 100
    assert held == [5, 10, 10, 10, 12, 15, 17, 20, 22, 25, 27, 30, *[30] * 8]


@pytest.mark.parametrize("surprise_share", [0.0, 0.5])
@pytest.mark.parametrize("edges_per_row", [48, 3, 1])
def test_the_ring_holds_the_newest_rows_whole(edges_per_row: int, surprise_share: float) -> None:
    """Against a plain list, with rows of many lengths, blocks larger than the window, and edges that run out."""
    sizes = {"window_min": 8, "window_max": 16, "growth": 0.5, "edges_per_row": edges_per_row}
    config = ReplayConfig(**sizes, mirror=False, surprise_share=surprise_share)
    replay, random = Replay(config, "ttakji", 0), np.random.default_rng(1)
    rows: list[tuple[int, int]] = []
    for size in [3, 1, 0, 7, 5, 40, 2, 9, 16, 17, 1, 1, 1, 30, 4]:
        counts = random.integers(1, 9, size).tolist()
        replay.add(numbered(len(rows), counts) if counts else join([]))
        rows += [(len(rows) + i, n) for i, n in enumerate(counts)]
        window = min(16, max(8, len(rows) // 2))
        held = rows[-window:]
        while sum(n for _, n in held) > 16 * edges_per_row:
            held = held[1:]
        assert len(replay) == len(held)
        batch = replay.sample(300)
        policy, legal = dense(batch)
        lengths = dict(held)
        for i in range(300):
            number = int(batch.value_weight[i])
            assert legal[i].sum() == lengths[number]
            assert legal[i, : lengths[number]].all()
            assert (policy[i, : lengths[number]] == number).all()
            assert (batch.auxiliary[i] == number).all()
            assert (batch.auxiliary_weight[i] == -number).all()
        assert set(batch.value_weight.astype(int).tolist()) == set(lengths)


def test_rows_are_drawn_by_their_weights_if_surprise_has_a_share() -> None:
    """Of a ring that has turned over: rows 40 .. 59, of which 42, 45, ... are drawn four times as often."""
    replays = [Replay(ReplayConfig(window_min=20, window_max=20, surprise_share=s), "ttakji", 0) for s in (0.5, 0.0)]
    shares = []
    for replay in replays:
        for first in range(0, 60, 15):
            replay.add(numbered(first, [2] * 15))
        drawn = replay.sample(4000).value_weight.astype(int)
        assert set(drawn.tolist()) == set(range(40, 60))
        counts = np.bincount(drawn, minlength=60)[40:]
        often = np.arange(40, 60) % 3 == 0
        shares.append(counts[often].mean() / counts[~often].mean())
        assert counts[often].max() < 1.4 * counts[often].min()
    assert shares[0] == pytest.approx(4, rel=0.1)
    assert shares[1] == pytest.approx(1, rel=0.1)


@pytest.mark.parametrize("surprise_share", [0.0, 0.5])
def test_a_resumed_memory_draws_the_same_and_goes_on_the_same(surprise_share: float) -> None:
    config = ReplayConfig(window_min=8, window_max=40, growth=0.7, edges_per_row=4, surprise_share=surprise_share)
    random = np.random.default_rng(5)
    replay = Replay(config, "ttakji", 0)
    number = 0
    for _ in range(20):
        counts = random.integers(1, 9, 7).tolist()
        replay.add(numbered(number, counts))
        number += 7
        replay.sample(5)
    state = {name: value.copy() for name, value in replay.state_dict().items()}
    resumed = Replay(config, "ttakji", 99)
    resumed.add(numbered(0, [2, 2]))  # whatever it held is gone
    resumed.load_state_dict(state)
    for _ in range(10):
        assert len(resumed) == len(replay)
        assert same(resumed.sample(32), replay.sample(32))
        more = numbered(number, random.integers(1, 9, 7).tolist())
        number += 7
        resumed.add(more)
        replay.add(more)
    assert resumed.total == replay.total


def test_a_state_that_does_not_fit() -> None:
    small = Replay(ReplayConfig(window_min=1, window_max=len(ROWS) - 1), "ttakji", 0)
    state = filled().state_dict()
    with pytest.raises(CheckpointError, match="expected at most"):
        small.load_state_dict(state)
    with pytest.raises(CheckpointError, match="bytes"):
        small.load_state_dict(state | {"positions": state["positions"][:, :-1]})
    del state["total"]
    with pytest.raises(CheckpointError, match="'total'"):
        small.load_state_dict(state)


def test_a_memory_without_rows_can_be_kept_too() -> None:
    resumed = Replay(ReplayConfig(), "ttakji", 1)
    resumed.load_state_dict(Replay(ReplayConfig(), "ttakji", 0).state_dict())
    assert len(resumed) == resumed.total == 0
