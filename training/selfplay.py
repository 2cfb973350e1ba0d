"""Self-play: many games in step, one batched evaluation for all of them in every round of the search.

The games are shared out among tables, one for each thread, and every table makes the same number of moves before the
learner's turn. So two cores are kept busy without a barrier inside a search (one table's search runs while the network
judges the other's leaves), and what is played does not depend on which thread was faster.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from agents.errors import CheckpointError
from agents.search import Search, SearchSettings
from agents.search.evaluators import CompiledEvaluator, compiled_evaluator
from agents.search.search import AnyEvaluator
from makruk_env import batch
from makruk_env.core.position import NOBODY, POSITION
from makruk_env.rules import Rules
from makruk_env.starts import random_ending, random_opening
from training.config import SelfplayConfig
from training.game_log import GameLog, logs_from_state, logs_to_state
from training.inner_play import play_inside
from training.records import GameRecord
from training.state import positions_from_bytes, positions_to_bytes, random_to_bytes, set_random


class Table:
    """`count` games that go on for ever: whichever ends is recorded and makes room for a new one.

    seed: of the starts and of everything drawn in the games.
    """

    def __init__(self, config: SelfplayConfig, rules: str, count: int, seed: int) -> None:
        self.config = config
        self.rules = Rules.of(rules)
        self.games = batch.new(count, self.rules, seed=seed)
        settings = SearchSettings(
            c_init=config.c_init,
            c_base=config.c_base,
            fpu_reduction=config.fpu_reduction,
            noise_share=config.noise_share,
            noise_total=config.noise_alpha_total,
            c_visit=config.c_visit,
            c_scale=config.c_scale,
            considered=config.considered if config.root == "gumbel" else 0,
            forced_playouts=config.forced_playouts,
        )
        self.search = Search(count, config.simulations, settings)
        self.rng = np.random.default_rng((seed, 1))
        self._logs = [GameLog(np.zeros(1, POSITION), 0) for _ in range(count)]
        self._start(np.arange(count))

    def _start(self, which: np.ndarray) -> None:
        """Begin new games in these places."""
        for i in which:
            if self.rng.random() < self.config.endings_share:
                start, warm = random_ending(self.rng, self.rules), self.config.ending_temperature_plies
            else:
                start = random_opening(self.rng, self.rules, 0, self.config.opening_plies_max)
                warm = self.config.temperature_plies
            self.games.starts[i] = start
            self._logs[i] = GameLog(self.games.starts[i : i + 1].copy(), warm)
        batch.reset(self.games, which)

    def simulations(self, share: float) -> int:
        """Return how many simulations a full search has when `share` of the run, 0 to 1, is over."""
        last = self.config.simulations
        first = last if self.config.first_simulations is None else self.config.first_simulations
        return first + round((last - first) * min(share, 1.0))

    def play(self, evaluator: AnyEvaluator, moves: int, share: float = 1.0) -> list[GameRecord]:
        """Make `moves` moves in every game, when `share` of the run is over; return the records of the ended games."""
        compiled = compiled_evaluator(evaluator)
        if compiled:
            return self._play_inside(compiled, moves, share)
        return [record for _ in range(moves) for record in self.move(evaluator, share)]

    def _plan(self, moves: int, share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return for each game's next moves: simulations, temperatures, whether searched in full, all [T, B]; and how
        many plies each game has made, [B]."""
        plies = np.array([len(log.actions) for log in self._logs])
        warm = np.array([log.temperature_plies for log in self._logs])
        early = plies + np.arange(moves)[:, None] < warm
        full = self.rng.random((moves, len(plies))) < self.config.full_share
        simulations = self.simulations(share)
        budgets = np.where(full, simulations, min(simulations, self.config.fast_simulations))
        return budgets, np.where(early, self.config.temperature, 0.0), full, plies

    def _play_inside(self, evaluator: CompiledEvaluator, moves: int, share: float) -> list[GameRecord]:
        """Make up to `moves` moves in every game, fewer where one ends: the place is taken by a new game afterwards."""
        budgets, temperatures, full, plies = self._plan(moves, share)
        left = self.config.max_episode_plies - plies
        roots, played = play_inside(self.search, self.games, evaluator, left, budgets, temperatures, full)
        for i, log in enumerate(self._logs):
            for t in range(int(played[i])):
                log.add(roots, t * len(played) + i, bool(full[t, i]))
        over = np.flatnonzero(self.games.ended | (played >= left))
        records = [self._record(int(i)) for i in over]
        if len(over):
            self._start(over)
        return records

    def move(self, evaluator: AnyEvaluator, share: float = 1.0) -> list[GameRecord]:
        """Search and make one move in every game; return the records of the games that ended by it."""
        budgets, temperatures, full, plies = self._plan(1, share)
        roots = self.search.run(
            self.games, evaluator, simulations=budgets[0], temperatures=temperatures[0], noisy=full[0]
        )
        for i, log in enumerate(self._logs):
            log.add(roots, i, bool(full[0, i]))
        _, ended = batch.step(self.games, roots.chosen)
        over = np.flatnonzero(ended | (plies + 1 >= self.config.max_episode_plies))
        records = [self._record(int(i)) for i in over]
        if len(over):
            self._start(over)
        return records

    def _record(self, i: int) -> GameRecord:
        position = self.games.positions[i]
        termination = int(position.termination)
        return self._logs[i].finish(self.rules.name, int(position.winner) if termination else NOBODY, termination)

    def state_dict(self) -> dict[str, np.ndarray]:
        """Return all that decides how these games go on: where they stand, how they got there, every random state."""
        games = self.games
        return {
            "starts": positions_to_bytes(games.starts),
            "positions": positions_to_bytes(games.positions),
            "history": games.history.view(np.int64),
            "origins": games.origins,
            "moves": games.moves,
            "numbers": games.numbers,
            "streams": games.streams.view(np.int64),
            "random": random_to_bytes(self.rng),
            **logs_to_state(self._logs),
        }

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """Become what `state_dict` was taken from, with the same number of games.

        Raises `CheckpointError`, and changes nothing, for a state that lacks something or is of other games.
        """
        names = set(self.state_dict())
        if set(state) != names:
            raise CheckpointError(f"games: expected {sorted(names)}, got {sorted(state)}")
        shape = (len(self.games), POSITION.itemsize)
        if state["positions"].shape != shape:
            raise CheckpointError(f"games: expected positions of shape {shape}, got {state['positions'].shape}")
        games = self.games
        games.starts = positions_from_bytes(state["starts"]).copy()
        games.positions = positions_from_bytes(state["positions"]).copy()
        games.history = state["history"].view(np.uint64).copy()
        games.origins = state["origins"].copy()
        games.moves = state["moves"].copy()
        games.numbers = state["numbers"].copy()
        games.streams = state["streams"].view(np.uint64).copy()
        set_random(self.rng, state["random"])
        self._logs = logs_from_state(state)
