"""From finished games to training rows: positions, visit distributions, and results seen from the side to move.

N rows, one for each full ply of the games, T plies of one game; E edges, the legal actions of all rows in a row; H
auxiliary heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents.heuristics import heuristic_value
from agents.network.heads import AUXILIARY, NUM_OUTCOMES
from makruk_env.core.position import MAX_MOVES, NOBODY, POSITION
from makruk_env.rules import Rules
from training.auxiliary import auxiliary_of
from training.config import ReplayConfig
from training.errors import RecordError
from training.kernels import HOLDS, ILLEGAL_ACTION, replay_game
from training.records import GameRecord


@dataclass(frozen=True, slots=True)
class Rows:
    """Training rows, oldest first.

    positions: [N] POSITION; edge_offsets: [N + 1] int64, the edges of row i are edge_offsets[i] .. edge_offsets[i + 1].
    edge_actions: [E] int16, the legal actions, mover's view; edge_shares: [E] float32, their shares of the visits.
    outcome: [N, 3] float32, target probabilities of win, draw, loss, side to move; each row sums to one.
    value_weight: [N] float32, 1, or 0 where the result is not known.
    auxiliary, auxiliary_weight: [N, H] float32, see `training.auxiliary`.
    draw_weight: [N] float32, above 0, how often a row is drawn beside others; the mean over a game's rows is 1.
    """

    positions: np.ndarray
    edge_offsets: np.ndarray
    edge_actions: np.ndarray
    edge_shares: np.ndarray
    outcome: np.ndarray
    value_weight: np.ndarray
    auxiliary: np.ndarray
    auxiliary_weight: np.ndarray
    draw_weight: np.ndarray

    def __len__(self) -> int:
        return len(self.positions)


def replay(game: GameRecord) -> np.ndarray:
    """Return the positions of a game, [T + 1] POSITION, recomputed by the rules.

    Raises `RecordError` where the rules contradict the record: an action that is not legal, edges that are not the
    legal actions of their ply, another end of the game. `RulesError` for an unknown preset.
    """
    plies = len(game)
    positions = np.zeros(plies + 1, POSITION)
    positions[0] = game.start[0]
    fault, ply = replay_game(
        Rules.preset(game.rules).array,
        game.actions,
        game.edge_offsets,
        game.edge_actions,
        np.zeros(plies + 1, np.uint64),
        np.zeros(MAX_MOVES, np.int16),
        positions,
    )
    if fault != HOLDS:
        where = f"ply {ply} of a game of {plies}"
        if fault == ILLEGAL_ACTION:
            raise RecordError(f"{where}: expected a legal action, got {int(game.actions[ply])}")
        edges = game.edge_actions[game.edge_offsets[ply] : game.edge_offsets[ply + 1]].tolist()
        raise RecordError(f"{where}: expected its legal actions as edges, got {edges}")
    last = positions[-1]
    if (int(last.termination), int(last.winner)) != (game.termination, game.winner):
        raise RecordError(
            f"end of a game: expected termination {last.termination} and winner {last.winner} by its moves, "
            f"got {game.termination} and {game.winner}"
        )
    return positions


def outcome_of_value(value: np.ndarray) -> np.ndarray:
    """Return the outcome of the most draws that has each expected value, [T, 3] float32; value: [T] in [-1, 1].

    A value alone does not tell a draw from even chances; most games of makruk are drawn, so a draw is the safer guess.
    """
    return np.stack([np.maximum(value, 0), 1 - np.abs(value), np.maximum(-value, 0)], 1).astype(np.float32)


def lead(last: np.record, sides: np.ndarray) -> np.ndarray:
    """Return the lead in men at a game's end as each side to move sees it, [T] float32 in (-1, 1)."""
    value = heuristic_value(last)
    return np.asarray(np.where(sides == last.side, value, -value), np.float32)


def target_of(game: GameRecord, history: np.ndarray, settings: ReplayConfig, fade: float) -> np.ndarray:
    """Return the outcome that each position of a game is told to expect, [T, 3] float32, see `ReplayConfig`.

    history: [T + 1] POSITION; fade: in [0, 1], what is left of `draw_material`.
    """
    sides = history["side"][:-1]
    if game.winner != NOBODY:
        plies_left = np.arange(len(sides), 0, -1)
        return outcome_of_value(np.where(sides == game.winner, 1, -1) * settings.discount**plies_left)
    material = settings.cut_material if game.truncated else settings.draw_material * fade
    return outcome_of_value(material * lead(history[-1], sides))


def surprise_of(game: GameRecord) -> np.ndarray:
    """Return the Kullback-Leibler divergence of the search's policy from the network's, [N] float64, nats, 0 and up."""
    shares = game.edge_shares.astype(np.float64)
    priors = np.maximum(game.edge_priors, np.finfo(np.float32).tiny)  # one that has vanished counts as the smallest
    each = shares * np.log(np.where(shares > 0, shares, 1) / priors)
    return np.maximum(np.add.reduceat(each, game.edge_offsets[:-1][game.full]), 0)  # rounding may leave less than 0


def draw_weight(game: GameRecord, share: float) -> np.ndarray:
    """Return how often each row of a game is drawn beside the others, [N] float32, above 0 and 1 on average.

    share: in [0, 1), what is given to the rows in proportion to their surprise; KataGoMethods.md, "Policy Surprise
    Weighting".
    """
    count = int(game.full.sum())
    if not (share and count):
        return np.ones(count, np.float32)
    surprise = surprise_of(game)
    total = surprise.sum()
    even = np.full(count, 1 / count)
    return (count * ((1 - share) * even + share * (surprise / total if total else even))).astype(np.float32)


def rows_of(game: GameRecord, settings: ReplayConfig, fade: float = 1.0) -> Rows:
    """Return the rows of a game with their targets, mixed with the search's root value by `settings.q_share`.

    fade: in [0, 1], how much of the run is left: 1 means `settings.q_share` and the whole `settings.draw_material`, 0
    means `settings.q_share_final` and none. Raises `RecordError`, see `replay`.
    """
    history = replay(game)
    positions = history[:-1][game.full]
    outcome = target_of(game, history, settings, fade)[game.full]
    final = settings.q_share if settings.q_share_final is None else settings.q_share_final
    q_share = final + (settings.q_share - final) * fade
    if q_share:
        searched = outcome_of_value(game.root_value[game.full])
        outcome = (1 - q_share) * outcome + q_share * searched
    auxiliary, auxiliary_weight = auxiliary_of(game, history, settings)
    lengths = np.diff(game.edge_offsets)[game.full]
    return Rows(
        positions=positions,
        edge_offsets=np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]),
        edge_actions=game.edge_actions,  # other plies have no edges
        edge_shares=game.edge_shares,
        outcome=outcome.astype(np.float32),
        value_weight=np.full(len(positions), 0 if game.truncated and not settings.cut_material else 1, np.float32),
        auxiliary=auxiliary[game.full],
        auxiliary_weight=auxiliary_weight[game.full],
        draw_weight=draw_weight(game, settings.surprise_share),
    )


def join(parts: Sequence[Rows]) -> Rows:
    """Return the rows of several games as one, in their order."""
    lengths = [np.diff(part.edge_offsets) for part in parts]
    heads = np.empty((0, len(AUXILIARY)), np.float32)
    return Rows(
        positions=np.concatenate([np.empty(0, POSITION), *(part.positions for part in parts)]),
        edge_offsets=np.concatenate([[0], np.cumsum(np.concatenate([np.empty(0, np.int64), *lengths]))]),
        edge_actions=np.concatenate([np.empty(0, np.int16), *(part.edge_actions for part in parts)]),
        edge_shares=np.concatenate([np.empty(0, np.float32), *(part.edge_shares for part in parts)]),
        outcome=np.concatenate([np.empty((0, NUM_OUTCOMES), np.float32), *(part.outcome for part in parts)]),
        value_weight=np.concatenate([np.empty(0, np.float32), *(part.value_weight for part in parts)]),
        auxiliary=np.concatenate([heads, *(part.auxiliary for part in parts)]),
        auxiliary_weight=np.concatenate([heads, *(part.auxiliary_weight for part in parts)]),
        draw_weight=np.concatenate([np.empty(0, np.float32), *(part.draw_weight for part in parts)]),
    )
