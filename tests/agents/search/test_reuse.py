"""Trees that are kept from move to move: they equal a plain search that goes on, and never belong to another game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import agents
from agents import AgentError
from agents.mcts import Mcts
from agents.search import Search, SearchSettings
from agents.search.search import RootResult
from makruk_env import Board, batch
from makruk_env.core.actions import COUNT_START
from tests.agents.search.givens import Hashed, boards, expected, visits_of
from tests.agents.search.reference import Node, best_edge, search, simulate

SETTINGS = SearchSettings()


def after(root: Node, actions: list[int]) -> Node | None:
    """The node that the actions lead to, if the search has been there."""
    node: Node | None = root
    for action in actions:
        if node is None:
            return None
        node = next((edge.child for edge in node.edges if edge.action == action), None)
    return node


def likely_actions(root: Node) -> list[int]:
    """The most visited action and the most visited reply."""
    first = max(root.edges, key=lambda edge: edge.visits)
    assert first.child is not None
    return [first.action, max(first.child.edges, key=lambda edge: edge.visits).action] if first.child.edges else []


@pytest.mark.parametrize("rules", ["ttakji", "fairy"])
def test_a_kept_tree_equals_the_plain_one_that_goes_on(rules: str) -> None:
    network, positions = Hashed(), boards(rules)
    games = batch.of_boards(positions)
    searched = Search(len(games), 60)
    searched.run(games, network)
    roots = [search(board, network.judge, 60, SETTINGS) for board in positions]
    replies = [likely_actions(root) if root.visits else [] for root in roots]
    for turn in range(2):
        games_on = [i for i, reply in enumerate(replies) if len(reply) == 2]
        step = np.array([replies[i][turn] if i in games_on else games.moves[i, 0] for i in range(len(games))])
        batch.step(games, step)
    which = np.array([i for i in games_on if not games.ended[i]])
    searched.run(games, network, which, trees=which, reuse=True)
    kept = 0
    for i in which:
        board = positions[i].copy()
        for action in replies[i]:
            board.push(action)
        root = after(roots[i], replies[i])
        same_side = board.turn == positions[i].turn and board.ply == positions[i].ply + 2
        again = bool(board.position.repetition)
        if root is None or not same_side or again or not any(edge.child for edge in root.edges):
            root = search(board, network.judge, 60, SETTINGS)
        else:
            kept += 1
            while root.visits - 1 < 60 and root.proof is None:
                simulate(root, network.judge, SETTINGS, best_edge(root, SETTINGS, True))
        assert visits_of(searched, i) == expected(root), board.fen()
        assert searched.nodes[i, 0]["visits"] == root.visits
        assert {1: 1, 0: 2, -1: 3, None: 0}[root.proof] == searched.nodes[i, 0]["proof"]
    assert kept >= 5


def checked_tree(searched: Search, g: int) -> None:
    """Every node's parent, edge, child and visits agree with each other, and nothing else is in the tree."""
    head, nodes, edges = searched.heads[g], searched.nodes[g], searched.edges[g]
    at = 0
    for node in range(head["num_nodes"]):
        here = nodes[node]
        assert here["first_edge"] == at
        at += here["num_edges"]
        own = edges[here["first_edge"] : at]
        assert (own["child"][: here["opened"]] > node).all()
        assert (own["child"][here["opened"] :] == -1).all()
        if here["opened"]:
            assert here["visits"] == 1 + own["visits"].sum()
        if node:
            assert edges[here["parent_edge"]]["child"] == node
            assert nodes[here["parent"]]["first_edge"] <= here["parent_edge"] < at
    assert head["num_edges"] == at


class Counting(Hashed):
    """Counts what it is asked, and fails when it is told to."""

    def __init__(self) -> None:
        self.asked = 0
        self.fails_at = -1

    def evaluate(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.asked += len(planes)
        if 0 <= self.fails_at <= self.asked:
            raise MemoryError
        return super().evaluate(planes)


def play_on(games: batch.Games, searched: Search) -> None:
    """Make the move chosen in each game and the reply that the tree thinks likeliest, or any."""
    result = searched.read(games, np.arange(len(games)))
    batch.step(games, result.chosen)
    replies = games.moves[:, 0].astype(np.int64)
    for g in range(len(games)):
        nodes, edges = searched.nodes[g], searched.edges[g]
        own = edges[: nodes[0]["num_edges"]]
        child = int(own["child"][own["action"] == result.chosen[g]][0])
        if child > 0 and nodes[child]["opened"]:
            below = edges[nodes[child]["first_edge"] :][: nodes[child]["num_edges"]]
            replies[g] = below["action"][below["visits"].argmax()]
    batch.step(games, replies)


def fresh(games: batch.Games, network: Hashed, simulations: int = 60) -> np.ndarray:
    return Search(len(games), simulations).run(games, network).visits


def test_a_tree_stays_whole_and_saves_evaluations_over_a_game() -> None:
    games, searched, network = batch.of_boards([Board()]), Search(1, 150), Counting()
    turns = 0
    while not games.ended[0] and turns < 12:
        result = searched.run(games, network, reuse=True)
        checked_tree(searched, 0)
        assert result.visits.sum() >= 150 or result.distances[0]
        play_on(games, searched)
        turns += 1
    assert turns == 12
    assert network.asked < 12 * 151 - 100


def test_a_game_that_begins_anew_in_the_same_place_begins_with_nothing() -> None:
    """Even where its start lies in the tree of the game before it."""
    games, searched, network = batch.of_boards([Board()]), Search(1, 60), Hashed()
    searched.run(games, network, reuse=True)
    play_on(games, searched)
    games.starts[0] = games.positions[0]
    batch.reset(games, [0])
    assert (searched.run(games, network, reuse=True).visits == fresh(games, network)).all()


def test_a_game_that_begins_after_a_declaration_begins_with_nothing() -> None:
    """A declaration keeps ply and key, so that the keys alone would not tell the two games apart."""
    board = Board("8/1k6/8/8/8/3RK3/8/r7 w - - 0 60")

    class Declaring(Counting):
        def evaluate(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            logits, outcomes = super().evaluate(planes)
            logits[:, COUNT_START:] += 9
            return logits, outcomes

    games, searched, network = batch.of_boards([board]), Search(1, 100), Declaring()
    result = searched.run(games, network, reuse=True)
    declared = result.actions[0, :1].astype(np.int64)
    assert declared >= COUNT_START
    assert result.visits[0, 0] > 10
    batch.step(games, declared)
    games.starts[0] = games.positions[0]
    batch.reset(games, [0])
    network.asked = 0
    Search(1, 100).run(games, network)
    needed, network.asked = network.asked, 0
    searched.run(games, network, reuse=True)
    assert network.asked == needed


NETWORK = Counting()
ONE, TWO = np.array([0]), np.array([1])


def a_turn_on() -> tuple[batch.Games, Search]:
    """Two games that were searched, and have gone on as their trees expected."""
    games, searched = batch.of_boards([Board(), Board()]), Search(2, 60)
    searched.run(games, NETWORK)
    play_on(games, searched)
    return games, searched


def run_twin(games: batch.Games, searched: Search) -> RootResult:
    return searched.run(replace(games), NETWORK, ONE, trees=ONE, reuse=True)


def run_after_a_failure(games: batch.Games, searched: Search) -> RootResult:
    failing = Counting()
    failing.fails_at = 20
    with pytest.raises(MemoryError):
        searched.run(games, failing, ONE, trees=ONE)
    NETWORK.asked = 0
    return searched.run(games, NETWORK, ONE, trees=ONE, reuse=True)


def run_again(games: batch.Games, searched: Search) -> RootResult:
    searched.run(games, NETWORK, ONE, trees=ONE)
    NETWORK.asked = 0
    return searched.run(games, NETWORK, ONE, trees=ONE, reuse=True)


def run_with_another_evaluator(games: batch.Games, searched: Search) -> RootResult:
    other = Counting()
    result = searched.run(games, other, ONE, trees=ONE, reuse=True)
    NETWORK.asked = other.asked
    return result


def run_with_another_past(games: batch.Games, searched: Search) -> RootResult:
    games.history[0, 1] += np.uint64(1)
    return searched.run(games, NETWORK, ONE, trees=ONE, reuse=True)


Run = Callable[[batch.Games, Search], RootResult]
ELSEWHERE: dict[str, Run] = {
    "another game": run_twin,
    "another evaluator": run_with_another_evaluator,
    "another game's tree": lambda games, searched: searched.run(games, NETWORK, ONE, trees=TWO, reuse=True),
    "not asked for": lambda games, searched: searched.run(games, NETWORK, ONE, trees=ONE),
    "a search cut short": run_after_a_failure,
    "the same question": run_again,
    "another past": run_with_another_past,
}


@pytest.mark.parametrize("run", ELSEWHERE.values(), ids=ELSEWHERE.keys())
def test_no_tree_is_found_but_the_games_own(run: Run) -> None:
    games, searched = a_turn_on()
    plain = fresh(games, NETWORK)[:1]
    NETWORK.asked = 0
    assert (run(games, searched).visits == plain).all()
    assert NETWORK.asked == 61
    games, searched = a_turn_on()
    NETWORK.asked = 0
    searched.run(games, NETWORK, ONE, trees=ONE, reuse=True)
    assert NETWORK.asked < 61


def test_noise_is_refused() -> None:
    games = batch.of_boards([Board()])
    for settings in (SearchSettings(noise_share=0.25), SearchSettings(considered=4)):
        with pytest.raises(ValueError, match="reuse"):
            Search(1, 10, settings).run(games, "uniform", reuse=True)
    Search(1, 10, SearchSettings(noise_share=0.25)).run(games, "uniform", noisy=False, reuse=True)


def test_trees_are_told_by_number() -> None:
    games, searched = batch.of_boards(boards("ttakji")), Search(8, 40)
    which, trees = np.array([4, 0, 2]), np.array([1, 7, 3])
    result = searched.run(games, NETWORK, which, trees=trees)
    assert (result.visits == Search(3, 40).run(games, NETWORK, which).visits).all()
    for wrong in ([0, 0, 1], [0, 1, 8], [-1, 0, 1]):
        with pytest.raises(ValueError, match="different ones"):
            searched.run(games, NETWORK, which, trees=np.array(wrong))


def test_an_agent_plays_the_same_games_in_any_company() -> None:
    agent = agents.make("mcts:evaluator=heuristic,simulations=40,reuse=true")
    starts = boards("ttakji")[:4]

    def play(groups: list[list[int]]) -> list[list[int]]:
        games, actions = batch.of_boards(starts, 2), [[] for _ in starts]
        for _ in range(8):
            chosen = np.zeros(len(games), np.int64)
            for group in groups:
                which = np.array([i for i in group if not games.ended[i]], np.int64)
                chosen[which] = agent.select(games, which)
                for i in which:
                    actions[i].append(int(chosen[i]))
            batch.step(games, chosen)
        return actions

    assert play([[0, 1, 2, 3]]) == play([[3, 1], [2], [0]]) == play([[0, 1, 2, 3]])


def test_an_agent_keeps_the_tree_of_a_board_and_of_no_other() -> None:
    agent = Mcts(evaluator="uniform", simulations=60, reuse=True)
    counting = Counting()
    object.__setattr__(agent, "_evaluator", counting)
    board = Board()
    for _ in range(6):
        board.push(agent.choose(board))
        board.push(int(np.random.default_rng(board.ply).choice(board.legal_actions())))
    asked, counting.asked = counting.asked, 0
    other = Board()
    for action in board.actions:
        other.push(action)
    agent.choose(other)
    assert counting.asked == 61
    assert asked < 6 * 61
    with pytest.raises(AgentError, match="reuse"):
        Mcts(evaluator="uniform", considered=4, reuse=True)
