"""A plain search: the same algorithm as agents.search, with objects and no tricks, to compare with visit for visit."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from agents.search import SearchSettings
from makruk_env import Board, Termination

Judge = Callable[[Board], tuple[dict[int, np.float32], float]]
"""Returns the priors of the legal actions and the value for the side to move."""


class Edge:
    """An action of a node; total and proof (1, 0, -1 or None) are the mover's."""

    def __init__(self, action: int, prior: np.float32) -> None:
        self.action = action
        self.prior = prior
        self.visits = 0
        self.total = 0.0
        self.proof: int | None = None
        self.child: Node | None = None


def mates(board: Board, action: int) -> bool:
    """Whether an action ends the game with a mate that wins."""
    mover = board.turn
    board.push(action)
    over = board.outcome
    board.pop()
    return over is not None and over.termination is Termination.CHECKMATE and over.winner == mover


class Node:
    """A position; everything is the side to move's."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.edges: list[Edge] = []
        self.visits = 0
        self.total = 0.0
        self.proof: int | None = None
        if board.outcome:
            winner = board.outcome.winner
            self.proof = 0 if winner is None else (1 if winner == board.turn else -1)
        elif any(mates(board, action) for action in board.legal_actions()):
            self.proof = 1


def best_edge(node: Node, settings: SearchSettings, is_root: bool) -> Edge:
    """PUCT over all edges, untried ones at first-play urgency; a proven loss is never followed."""
    n = node.visits - 1
    c = math.log((n + settings.c_base + 1.0) / settings.c_base) + settings.c_init
    tried = 0.0
    for edge in node.edges:
        tried += float(edge.prior) if edge.child else 0.0
    urgency = node.total / node.visits
    if not is_root:
        urgency -= settings.fpu_reduction * math.sqrt(tried)

    def score(edge: Edge) -> float:
        estimate = edge.total / edge.visits if edge.child else urgency
        q = estimate if edge.proof is None else float(edge.proof)
        return q + c * math.sqrt(n) * float(edge.prior) / (1 + edge.visits)

    return max((edge for edge in node.edges if edge.proof != -1), key=score)


def proof_of(node: Node) -> int | None:
    """A won edge proves a win; otherwise all edges must be proven."""
    proofs = [edge.proof for edge in node.edges]
    if 1 in proofs:
        return 1
    return None if None in proofs else max(proof for proof in proofs if proof is not None)


def expand(node: Node, judge: Judge, settings: SearchSettings | None = None) -> float:
    """Give a node its edges, likeliest first, and return its value; `settings`: it is not the root, see `twofold`."""
    priors, value = judge(node.board)
    node.edges = [Edge(action, prior) for action, prior in priors.items()]
    node.edges.sort(key=lambda edge: -edge.prior)
    if settings and node.board.position.repetition:
        value *= 1.0 - settings.twofold
    return float(np.float32(value))


def distance(node: Node) -> int:
    """How many plies a proven win or loss is away; 0 where nothing is proven, in a draw and at the end itself."""
    if node.board.outcome or node.proof in (None, 0):
        return 0
    if not any(edge.visits for edge in node.edges):
        return 1  # a mate in one, seen when the node was made
    ways = [1 + (distance(edge.child) if edge.child else 0) for edge in node.edges if edge.proof == node.proof]
    return min(ways) if node.proof == 1 else max(ways)


Choice = Callable[[Node, int], Edge]
"""Returns the root's edge that simulation 0, 1, ... follows."""


def simulate(root: Node, judge: Judge, settings: SearchSettings, first: Edge) -> None:
    """Run one simulation that begins with an edge of the root."""
    node, way = root, []
    while True:
        edge = first if node is root else best_edge(node, settings, False)
        way.append((node, edge))
        if edge.child is None:
            board = node.board.copy()
            board.push(edge.action)
            edge.child = node = Node(board)
            value = float(node.proof) if node.proof is not None else expand(node, judge, settings)
            break
        node = edge.child
        if node.proof is not None:
            value = float(node.proof)
            break
    node.visits += 1
    node.total += value
    proof = node.proof
    for parent, edge in reversed(way):
        if parent.board.turn != node.board.turn:
            value = -value
            proof = None if proof is None else -proof
        edge.visits += 1
        edge.total += value
        if proof is not None and edge.proof is None:
            edge.proof = proof
            parent.proof = proof_of(parent)
            if parent.proof is not None:
                value = float(parent.proof)
        parent.visits += 1
        parent.total += value
        node, proof = parent, parent.proof


def search(
    board: Board,
    judge: Judge,
    simulations: int,
    settings: SearchSettings,
    choose: Choice | None = None,
    keys: dict[int, float] | None = None,
) -> Node:
    """Search a board and return the root; choose: instead of PUCT there; keys: by which its actions are sorted."""
    root = Node(board.copy())
    if root.proof is not None:
        root.edges = [Edge(action, prior) for action, prior in judge(board)[0].items()]
        return root
    root.total = expand(root, judge)
    root.visits = 1
    if keys:
        order = {action: i for i, action in enumerate(judge(board)[0])}
        root.edges.sort(key=lambda edge: (-keys[edge.action], order[edge.action]))
    for i in range(simulations):
        if root.proof is not None:
            break
        simulate(root, judge, settings, choose(root, i) if choose else best_edge(root, settings, True))
    return root
