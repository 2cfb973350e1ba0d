"""A yardstick from outside: how often a network prefers the moves that people played, and how well it knows who won.

Games without a result and whatever cannot be read are left out; all are read by their variant's rules. Of a decided
game the winner's moves count: where no ratings are known, winning tells the stronger half of the players. All positions
count for the outcome.

A network that learnt with `replay.discount` below 1 takes a far win for little more than a draw, and so is far too sure
of draws; how much it knows is told by its log-loss after a calibration, fitted to half of the games and measured on the
others.

N positions, E edges, the legal actions of all positions in a row, B positions at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from agents.features import MAX_FEATURES
from agents.network import Network, SparseNet
from agents.network.heads import DRAW, LOSS, NUM_OUTCOMES, WIN
from agents.network.weights import checkpoints_of, find_network, load_network
from makruk_env import pgn
from makruk_env.core.observe import NUM_PLANES
from makruk_env.core.position import POSITION
from makruk_env.notation.uci import action_of
from makruk_env.rules import Rules
from training.errors import RecordError
from training.kernels import draw_features, draw_planes
from training.learner import legal_log_softmax

FIRST = 5
"""A move counts as among the first ones if at most so many have a prior as high."""
_AT_ONCE = 512


@dataclass(frozen=True)
class HumanMoves:
    """What people played.

    positions: [N] POSITION; actions: [E] int16, the legal actions, mover's view; offsets: [N + 1] int64, position i has
    the edges offsets[i] .. offsets[i + 1]; played: [N] int64, the place of the move among them; by_winner: [N] bool;
    outcome: [N] int64, 0 win, 1 draw, 2 loss of the side to move; game: [N] int64, 0 .. games - 1; games: how
    many there are.
    """

    rules: Rules
    positions: np.ndarray
    actions: np.ndarray
    offsets: np.ndarray
    played: np.ndarray
    by_winner: np.ndarray
    outcome: np.ndarray
    game: np.ndarray
    games: int

    def base_rates(self) -> np.ndarray:
        """Return how often each outcome is met, [3]: what one knows without looking."""
        return np.bincount(self.outcome, minlength=NUM_OUTCOMES) / len(self.outcome)

    @property
    def blind_loss(self) -> float:
        """The log-loss of the base rates, nats."""
        rates = self.base_rates()
        return float(-(rates * np.log(np.maximum(rates, 1e-12))).sum())


@dataclass(frozen=True)
class Agreement:
    """How a network agrees with people; step: of its checkpoint.

    first, among_first: share of the winners' moves that are its first choice, or one of its first five; value_loss: the
    mean log-loss of its outcome, nats; calibrated_loss: the same after a calibration, see `calibrated_loss`.
    """

    step: int
    first: float
    among_first: float
    value_loss: float
    calibrated_loss: float


def read_moves(path: Path, variant: str = "makruk", progress: Callable[[int], None] | None = None) -> HumanMoves:
    """Read the games of a PGN file whose `Variant` is the one asked for, or is not told.

    progress: called with the number of games read. Raises `RecordError` where there is nothing to learn from.
    """
    rules = Rules.of(pgn.VARIANTS[variant])
    positions, actions, played, by_winner, outcome, owner, lengths = [], [], [], [], [], [], []
    games = 0
    for number, game in enumerate(pgn.read(path, rules), 1):
        if progress:
            progress(number)
        told = game.headers.get("Variant", variant).lower()
        if told != variant or game.error or game.result == "*":
            continue
        winner = {"1-0": 0, "0-1": 1}.get(game.result, -1)
        board = game.start.copy()
        for move in game.moves:
            legal, action = board.legal_actions(), action_of(move, board)
            if move.declares is None:
                positions.append(board.position.copy())
                actions += legal
                lengths.append(len(legal))
                played.append(legal.index(action))
                by_winner.append(board.turn == winner)
                outcome.append(DRAW if winner < 0 else WIN if board.turn == winner else LOSS)
                owner.append(games)
            board.push(action)
        games += owner[-1:] == [games]  # not one without a move
    if not any(by_winner):
        raise RecordError(f"games: expected some of {variant} that were won, got none in {str(path)!r}")
    return HumanMoves(
        rules,
        np.array(positions, POSITION),
        np.array(actions, np.int16),
        np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]),
        np.array(played, np.int64),
        np.array(by_winner, np.bool_),
        np.array(outcome, np.int64),
        np.array(owner, np.int64),
        games,
    )


def _inputs(network: Network, moves: HumanMoves, which: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what a network takes of some positions: its inputs, and the legal actions, [B, K] with -1 left over."""
    plain = np.zeros(len(which), np.bool_)
    if isinstance(network, SparseNet):
        inputs = np.empty((len(which), MAX_FEATURES), np.int32)
        draw_features(which, plain, moves.rules.array, moves.positions, inputs)
    else:
        inputs = np.empty((len(which), NUM_PLANES, 8, 8), np.float32)
        draw_planes(which, plain, moves.rules.array, moves.positions, inputs)
    lengths = np.diff(moves.offsets)[which]
    places = np.arange(int(lengths.max()))
    edges = np.minimum(moves.offsets[which][:, None] + places, len(moves.actions) - 1)  # [B, K]
    actions = np.where(places < lengths[:, None], moves.actions[edges], -1).astype(np.int64)
    return torch.from_numpy(inputs), torch.from_numpy(actions)


def calibrated_loss(logits: torch.Tensor, moves: HumanMoves) -> float:
    """Return the mean log-loss, nats, of outcomes by logits that are scaled and shifted to fit people's games.

    logits: [N, 3]. Their logarithms of probability are multiplied by a matrix, and constants added, all fitted to the
    games of even number, with a small penalty on large ones (matrix scaling: Guo et al. 2017, "On Calibration of Modern
    Neural Networks", section 4.2). The loss is that of the games of odd number, or of the one game there is.
    """
    logits, known = torch.log_softmax(logits.double(), 1), torch.from_numpy(moves.outcome)
    fitted = torch.from_numpy(moves.game % 2 == 0)
    measured = ~fitted if moves.games > 1 else fitted
    scale = torch.eye(NUM_OUTCOMES, dtype=torch.float64, requires_grad=True)
    shift = torch.zeros(NUM_OUTCOMES, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([scale, shift], max_iter=100, line_search_fn="strong_wolfe")

    def loss(which: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.cross_entropy(logits[which] @ scale + shift, known[which])

    def step() -> torch.Tensor:
        optimizer.zero_grad()
        value = loss(fitted) + 1e-4 * (scale.square().sum() + shift.square().sum())
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(step)  # type: ignore[no-untyped-call]
    with torch.no_grad():
        return float(loss(measured))


def agreement(network: Network, step: int, moves: HumanMoves) -> Agreement:
    """Return how a network agrees with the moves; moves of the winners alone, outcomes of all positions."""
    ranks, judgements = [], []
    with torch.inference_mode():
        for first in range(0, len(moves.positions), _AT_ONCE):
            which = np.arange(first, min(first + _AT_ONCE, len(moves.positions)))
            inputs, actions = _inputs(network, moves, which)
            logits, outcomes, _ = network.for_learner(inputs, actions)  # [B, K], [B, 3]
            shares = legal_log_softmax(logits.float(), actions >= 0).masked_fill(actions < 0, -math.inf)  # [B, K]
            own = shares.gather(1, torch.from_numpy(moves.played[which])[:, None])  # [B, 1]
            ranks.append((shares >= own).sum(1).numpy())  # 1 for the first choice; equals count against it
            judgements.append(outcomes.float())
    rank = np.concatenate(ranks)[moves.by_winner]
    judged = torch.cat(judgements).clone()  # outside of inference mode, so that it takes part in a fit
    value_loss = float(torch.nn.functional.cross_entropy(judged, torch.from_numpy(moves.outcome)))
    best, among_first = float((rank <= 1).mean()), float((rank <= FIRST).mean())
    return Agreement(step, best, among_first, value_loss, calibrated_loss(judged, moves))


def agreements(run: Path, moves: HumanMoves, most: int, progress: Callable[[int, int], None]) -> list[Agreement]:
    """Return the agreement of a run's checkpoints, at most `most` of them, evenly along the run, first and last too.

    run: a run's folder, or one checkpoint's. Raises `CheckpointError`.
    """
    folders: Sequence[Path] = checkpoints_of(run) or [find_network(run)]
    chosen = sorted({round(k) for k in np.linspace(0, len(folders) - 1, min(most, len(folders)))})
    found = []
    for done, k in enumerate(chosen, 1):
        saved = load_network(folders[k])
        found.append(agreement(saved.network, saved.step, moves))
        progress(done, len(chosen))
    return found
