"""The same game on every face of the environment, for tests that ask something of all of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from makruk_env import Board, Move, Rules, makruk_v0
from makruk_env.envs.solo import MakrukSelfPlay
from makruk_env.envs.vector import VectorSelfPlay

LANE = 1
"""The lane that is looked at, of the two that play the same game."""


class View(NamedTuple):
    """What a side sees: planes [C, 8, 8] float32 and mask [A] int8."""

    side: int
    planes: np.ndarray
    mask: np.ndarray


class Faces:
    """One game, action for action, in PettingZoo, in Gymnasium's self-play and in a lane of its vector form.

    fen: where it starts; rules: a preset's name or a `Rules`.
    """

    def __init__(self, fen: str | None = None, rules: str | Rules = "ttakji") -> None:
        self.aec = makruk_v0.env(rules=rules, fen=fen)
        self.solo = MakrukSelfPlay(rules=rules, start=fen)
        self.vector = VectorSelfPlay(LANE + 1, rules=rules, start=fen)
        self.aec.reset()
        self._seen, self._info = self.solo.reset(seed=1)
        self._all_seen, self._all_infos = self.vector.reset(seed=1)
        self._ends = [(False, False), (False, False)]

    @property
    def board(self) -> Board:
        """The game of the PettingZoo face."""
        board: Board = self.aec.board
        return board

    def step(self, action: int) -> None:
        """Take an action on every face."""
        self.aec.step(action)
        self._seen, _, terminated, truncated, self._info = self.solo.step(action)
        self._all_seen, _, ended, cut, self._all_infos = self.vector.step(np.full(LANE + 1, action))
        self._ends = [(terminated, truncated), (bool(ended[LANE]), bool(cut[LANE]))]

    def play(self, *texts: str) -> None:
        """Take actions given as UCI texts."""
        for text in texts:
            self.step(self.board.action(Move.from_uci(text)))

    def views(self) -> list[View]:
        """Return what both agents of PettingZoo and the side to move of the other two see."""
        seen = [(side, self.aec.observe(agent)) for side, agent in enumerate(self.aec.possible_agents)]
        seen.append((self._info["to_play"], self._seen))
        lane = {name: rows[LANE] for name, rows in self._all_seen.items()}
        seen.append((int(self._all_infos["to_play"][LANE]), lane))
        return [View(side, each["observation"], each["action_mask"]) for side, each in seen]

    def infos(self) -> list[dict[str, Any]]:
        """Return the infos of both agents, of self-play and of the lane, without the marks of lanes."""
        lane = {name: int(told[LANE]) for name, told in self._all_infos.items() if name[0] != "_"}
        return [*self.aec.infos.values(), self._info, lane]

    def flags(self) -> list[tuple[bool, bool]]:
        """Return (terminated, truncated) of both agents, of self-play and of the lane."""
        agents = [(self.aec.terminations[agent], self.aec.truncations[agent]) for agent in self.aec.possible_agents]
        return agents + self._ends


def men(fen: str) -> dict[tuple[int, int], str]:
    """Return the letter of each man of a FEN by (rank, file), both from 0 at a1."""
    placed = {}
    for row, text in enumerate(fen.split()[0].split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                placed[7 - row, file] = letter
                file += 1
    return placed
