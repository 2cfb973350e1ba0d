"""Many games in step, on arrays: the fast face. B games, A actions, C planes.

games = batch.new(1024, rules="ttakji", seed=0)
rewards, ended = batch.step(games, actions)
batch.reset(games, ended)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from makruk_env.board import Board
from makruk_env.core import batch as kernels
from makruk_env.core.actions import NUM_ACTIONS
from makruk_env.core.jit import announce
from makruk_env.core.observe import NUM_PLANES
from makruk_env.core.position import MAX_MOVES
from makruk_env.core.random import new_streams
from makruk_env.core.threads import spread
from makruk_env.errors import IllegalMoveError
from makruk_env.notation import fen as fen_text
from makruk_env.rules import Rules, Termination

_HISTORY_ROOM = 512
_GRAIN = 128
"""Fewer games than this for each thread are done sooner than a thread is woken."""


@dataclass
class Games:
    """B games side by side.

    positions: [B] POSITION, the games as they stand; starts: [B] POSITION, where each begins; history: [B, P] uint64
    keys since origins: [B] int32 plies; moves: [B, MAX_MOVES] int16, of which the first numbers: [B] int32 are legal;
    streams: [B, 2] uint64, each game's random stream.
    """

    rules: Rules
    starts: np.ndarray
    positions: np.ndarray
    history: np.ndarray
    origins: np.ndarray
    moves: np.ndarray
    numbers: np.ndarray
    streams: np.ndarray

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """Positions, history, origins, moves, numbers and streams: what kernels that play on take, in this order."""
        return self.positions, self.history, self.origins, self.moves, self.numbers, self.streams

    @property
    def ended(self) -> np.ndarray:
        """[B] bool: which games are over."""
        return np.asarray(self.positions["termination"] != 0)

    @property
    def to_play(self) -> np.ndarray:
        """[B] int8: the side to move, 0 White or 1 Black."""
        return np.asarray(self.positions["side"])

    def fen(self, i: int) -> str:
        """Return game i as a FEN."""
        return fen_text.write(self.positions[i], self.rules)


def new(count: int, rules: str | Rules = "ttakji", fens: str | Sequence[str] | None = None, seed: int = 0) -> Games:
    """Return `count` games at their starts.

    fens: one start for all, or one for each game; by default the usual array. seed: of the games' random streams, each
    of which depends on the seed and the game's number alone. Raises `FenError`, `RulesError`, and `ValueError` for a
    count or a number of FENs that does not fit.
    """
    if count < 1:
        raise ValueError(f"count: expected at least 1 game, got {count!r}")
    announce()
    rules = Rules.of(rules)
    if fens is None:
        fens = fen_text.start(rules)
    texts = [fens] if isinstance(fens, str) else list(fens)
    if len(texts) not in (1, count):
        raise ValueError(f"fens: expected 1 or {count}, got {len(texts)}")
    starts = np.concatenate([fen_text.read(text, rules) for text in texts])
    starts = np.broadcast_to(starts, count).copy()
    games = Games(
        rules=rules,
        starts=starts,
        positions=starts.copy(),
        history=np.zeros((count, _HISTORY_ROOM), np.uint64),
        origins=np.zeros(count, np.int32),
        moves=np.zeros((count, MAX_MOVES), np.int16),
        numbers=np.zeros(count, np.int32),
        streams=new_streams(seed, count),
    )
    reset(games, np.ones(count, bool))
    return games


def of_boards(boards: Sequence[Board], seed: int = 0) -> Games:
    """Return games that stand where the boards stand, repetition history included; a reset starts from there too.

    Raises `ValueError` for no board at all and for boards of different rules.
    """
    if not boards or any(board.rules != boards[0].rules for board in boards):
        raise ValueError(f"boards: expected at least one, all of the same rules, got {list(boards)!r}")
    games = new(len(boards), boards[0].rules, seed=seed)
    longest = max(len(board.keys) for board in boards)
    games.history = np.zeros((len(boards), longest + _HISTORY_ROOM), np.uint64)
    for i, board in enumerate(boards):
        games.positions[i] = games.starts[i] = board.position
        games.history[i, : len(board.keys)] = board.keys
        games.origins[i] = board.ply - len(board.keys) + 1
        legal = board.legal_actions()
        games.numbers[i] = len(legal)
        games.moves[i, : len(legal)] = legal
    return games


def reset(games: Games, where: ArrayLike) -> None:
    """Put games back to their starts; where: [B] bool, or the numbers of the games."""
    chosen = np.asarray(where)
    marked = np.zeros(len(games), bool)
    marked[chosen] = True
    spread(
        kernels.restart_some,
        len(games),
        _GRAIN,
        marked,
        games.positions,
        games.starts,
        games.rules.array,
        games.history,
        games.origins,
        games.moves,
        games.numbers,
    )


def make_room(games: Games, plies: int) -> None:
    """See to it that each history has room for `plies` more: drop what no repetition can reach, else grow."""
    positions = games.positions
    used = positions["ply"] - games.origins
    room = games.history.shape[1]
    if used.max() + plies < room:
        return
    for i in np.flatnonzero(used + plies >= room):
        quiet = int(positions["quiet"][i])
        games.history[i, : quiet + 1] = games.history[i, used[i] - quiet : used[i] + 1].copy()
        games.origins[i] = positions["ply"][i] - quiet
    needed = int(positions["quiet"].max()) + plies + 1
    if needed > room:
        grown = np.zeros((len(games), max(needed, 2 * room)), np.uint64)
        grown[:, :room] = games.history
        games.history = grown


def legal_mask(games: Games, out: np.ndarray | None = None) -> np.ndarray:
    """Return the legal masks, [B, A] int8, each from its mover's point of view; zeros for a game that is over."""
    masks = np.empty((len(games), NUM_ACTIONS), np.int8) if out is None else out
    spread(kernels.mask_all, len(games), _GRAIN, games.moves, games.numbers, masks)
    return masks


def observe(games: Games, out: np.ndarray | None = None) -> np.ndarray:
    """Return the observations, [B, C, 8, 8] float32, each from its mover's point of view (see `core.observe`)."""
    planes = np.empty((len(games), NUM_PLANES, 8, 8), np.float32) if out is None else out
    spread(kernels.observe_all, len(games), _GRAIN, games.positions, games.rules.array, planes)
    return planes


def step(games: Games, actions: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Take one legal action in every running game, in place; a game that is over stays as it is.

    actions: [B] integers, mover's point of view. Returns (rewards, ended): [B, 2] float32, +1 and -1 to White and Black
    where this step decided the game, and [B] bool. Raises `IllegalMoveError` before anything has changed, naming the
    first game whose action is not legal.
    """
    chosen = np.asarray(actions)
    if chosen.shape != (len(games),) or chosen.dtype.kind not in "iu":
        raise ValueError(f"actions: expected [{len(games)}] integers, got {chosen.dtype} of shape {chosen.shape}")
    chosen = np.ascontiguousarray(chosen, np.int64)
    illegal = kernels.first_illegal(chosen, games.positions, games.moves, games.numbers)
    if illegal >= 0:
        raise IllegalMoveError(
            f"game {illegal}: expected a legal action, got {int(chosen[illegal])} in {games.fen(illegal)!r}"
        )
    make_room(games, 1)
    rewards = np.empty((len(games), 2), np.float32)
    ended = np.empty(len(games), bool)
    spread(
        kernels.step_all,
        len(games),
        _GRAIN,
        chosen,
        games.positions,
        games.rules.array,
        games.history,
        games.origins,
        games.moves,
        games.numbers,
        rewards,
        ended,
    )
    return rewards, ended


def random_play(games: Games, plies: int, look: bool = False) -> dict[Termination, int]:
    """Play `plies` uniformly random legal actions in every game, starting ended games anew; return how games ended.

    look: also write the mask and the observation before every action, for benchmarks.
    """
    masks = np.empty((len(games), NUM_ACTIONS if look else 0), np.int8)
    planes = np.empty((len(games), NUM_PLANES if look else 0, 8, 8), np.float32)
    ends = np.zeros((len(games), len(Termination) + 1), np.int64)
    done = 0
    while done < plies:
        part = min(plies - done, _HISTORY_ROOM // 2)
        make_room(games, part)
        spread(
            kernels.play_randomly,
            len(games),
            1,
            part,
            games.streams,
            games.positions,
            games.starts,
            games.rules.array,
            games.history,
            games.origins,
            games.moves,
            games.numbers,
            look,
            masks,
            planes,
            ends,
        )
        done += part
    return {kind: int(ends[:, kind].sum()) for kind in Termination if ends[:, kind].any()}
