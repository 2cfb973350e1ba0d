"""What the tests of the search begin with: judges of positions, positions, and what a tree's root holds."""

from __future__ import annotations

import math
import random
from hashlib import shake_128

import numpy as np

from agents.heuristics import heuristic_value
from agents.search import Search
from makruk_env import NUM_ACTIONS, Board, Rules
from makruk_env.core.game import list_actions
from makruk_env.core.position import MAX_MOVES
from makruk_env.notation.fen import write
from makruk_env.starts import random_ending
from tests.agents.search.reference import Node


def uniform(board: Board) -> tuple[dict[int, np.float32], float]:
    actions = core_order(board)
    return dict.fromkeys(actions, np.float32(1.0 / len(actions))), 0.0


def heuristic(board: Board) -> tuple[dict[int, np.float32], float]:
    return uniform(board)[0], heuristic_value(board.position)


def core_order(board: Board) -> list[int]:
    """The legal actions in the order in which the move generator writes them: equal priors keep it."""
    moves = np.zeros(MAX_MOVES, np.int16)
    n = list_actions(board.position, board.rules.record, board.keys.copy(), board.ply - len(board.keys) + 1, moves)
    return [int(action) for action in moves[:n]]


class Hashed:
    """A stand-in for a network: logits and outcomes that are a hash of the planes, the same on any machine."""

    def evaluate(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        drawn = [shake_128(row.tobytes()).digest(2 * (NUM_ACTIONS + 3)) for row in planes]
        words = np.frombuffer(b"".join(drawn), "<u2").reshape(len(planes), -1) / 65536
        outcomes = words[:, NUM_ACTIONS:] / words[:, NUM_ACTIONS:].sum(1, keepdims=True)
        return (words[:, :NUM_ACTIONS] * 6 - 3).astype(np.float32), outcomes.astype(np.float32)

    def judge(self, board: Board) -> tuple[dict[int, np.float32], float]:
        logits, outcomes = self.evaluate(board.observation()[None])
        actions = core_order(board)
        highest = max(float(logits[0, action]) for action in actions)
        weights = [math.exp(float(logits[0, action]) - highest) for action in actions]
        total = 0.0
        for weight in weights:
            total += weight
        priors = {a: np.float32(np.float32(w) / total) for a, w in zip(actions, weights, strict=True)}
        return priors, float(outcomes[0, 0]) - float(outcomes[0, 2])


def boards(rules: str) -> list[Board]:
    """Openings, middle games and endings with counts, some near their ends."""
    rng = random.Random(3)
    found = []
    for plies in (0, 10, 40, 90, 140, 200):
        board = Board(rules=rules)
        while board.outcome is None and len(board.actions) < plies:
            board.push(rng.choice(board.legal_actions()))
        if board.outcome is None:
            found.append(board)
    for fen in (
        "k7/8/1K6/8/8/8/8/7R w - - 0 1",
        "7r/8/8/8/8/1k6/8/K7 b - 32 23 90",
        "8/8/4k3/8/2R5/2K5/8/8 b - 32 26 50",
        "8/1k6/8/8/8/3RK3/8/r7 w - - 0 60",
        "8/1k6/8/2p5/8/3RK3/5P2/r7 b - - 0 60",
    ):
        found.append(Board(fen, rules))
    generator = np.random.default_rng(5)
    for _ in range(4):
        found.append(Board(write(random_ending(generator, rules), Rules.of(rules)), rules))
    return found


def visits_of(searched: Search, g: int) -> list[tuple[int, int, float]]:
    """(action, visits, total) of the root's edges in their order."""
    root = searched.nodes[g, 0]
    edges = searched.edges[g, root["first_edge"] : root["first_edge"] + root["num_edges"]]
    return [(int(e["action"]), int(e["visits"]), float(e["total"])) for e in edges]


def expected(root: Node) -> list[tuple[int, int, float]]:
    return [(edge.action, edge.visits, edge.total) for edge in root.edges]
