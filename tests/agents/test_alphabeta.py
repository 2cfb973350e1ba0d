"""The agent that looks ahead: mates, limits, and what its choice does not depend on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import agents
from agents import AgentError, alphabeta
from agents.alphabeta import SLICE, AlphaBeta
from agents.room import MAX_DEPTH, Room, make_room
from makruk_env import Board, Move, batch
from makruk_env.core.threads import set_threads, threads
from makruk_env.starts import random_opening
from tests.agents.minimax import MATE, minimax
from tests.agents.searching import searched

MATES = {
    1: ("8/8/8/8/8/3n1k1r/8/5K2 b - 32 7 1", "8/8/8/8/8/k7/8/K1n2r2 b - 32 7 1"),
    2: ("5k2/8/1S4K1/4R3/8/8/8/8 w - 32 7 1", "5m2/8/8/8/7k/8/8/3s1s1K b - 44 9 1"),
    3: ("8/7R/8/8/8/k2K4/8/5N2 w - 32 7 1", "8/3R4/6M1/8/2K5/8/k7/8 w - 32 7 1"),
}
"""By moves to the mate, a bare khun in all; the count leaves time enough."""


def with_count(fen: str, n: int) -> Board:
    """Return a position with its count at n, the chaser to move."""
    placed, side, rights, limit, _, number = fen.split()
    return Board(f"{placed} {side} {rights} {limit} {2 * n - 1} {number}")


def limit_of(fen: str) -> int:
    return int(fen.split()[3]) // 2


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("moves", [1, 2, 3])
def test_a_mate_is_found_at_the_depth_it_needs(moves: int, turned: bool) -> None:
    for fen in MATES[moves]:
        board = Board(fen).turned() if turned else Board(fen)
        for depth in range(2 * moves - 1, 2 * moves + 3):
            assert int(searched(board, depth).score) == MATE - (2 * moves - 1)
        assert moves == 1 or int(searched(board, 2 * moves - 3).score) < MATE // 2
        chaser, agent, defender = board.turn, AlphaBeta(2 * moves - 1), AlphaBeta(2 * moves)
        while board.outcome is None:
            board.push((agent if board.turn == chaser else defender).choose(board))
        assert board.outcome.winner == chaser
        assert len(board.actions) == 2 * moves - 1


@pytest.mark.parametrize("moves", [1, 2, 3])
def test_a_count_leaves_a_mate_just_enough_moves_or_one_too_few(moves: int) -> None:
    """After the last number has been spoken the chaser has one move more, and it may be the mate."""
    for fen in MATES[moves]:
        enough = with_count(fen, limit_of(fen) - moves + 1)
        assert int(searched(enough, 2 * moves - 1).score) == MATE - (2 * moves - 1)
        if moves == 1:
            continue
        too_few = with_count(fen, limit_of(fen) - moves + 2)
        assert int(searched(too_few, 2 * moves - 1).score) < MATE // 2
        assert minimax(too_few, 2) < MATE // 2


def test_a_mate_that_beats_the_count_is_preferred_to_a_capture() -> None:
    """The count ends with this move: the mate wins, the met is worth nothing."""
    late = Board("k7/8/1K6/8/8/8/6m1/7R w - 128 127 70")
    late.push(AlphaBeta(1).choose(late))
    assert late.outcome
    assert late.outcome.winner == 0


def test_sees_two_plies_that_greedy_does_not() -> None:
    """The bia on d5 is guarded: who takes it with the ruea loses the ruea."""
    board = Board("4k3/8/2s5/3p4/8/8/8/3RK3 w - - 0 1")
    taken = board.action(Move.from_uci("d1d5"))
    assert agents.make("greedy").choose(board) == taken
    for depth in (1, 2, 3):  # the plain depth of 1 sees the answer too, as captures are followed
        assert AlphaBeta(depth).choose(board) != taken


def test_a_declaration_keeps_the_sign() -> None:
    """Black is lost with a ma against two ruea, whether he has just declared his count, may still do so, or stops."""
    for declared in ([], ["start"], ["start", "e2g3", "a1b1", "stop"]):
        board = Board("8/8/8/3k4/8/8/1R2n3/K6R b - - 0 1")
        for move in declared:
            board.push_uci(move)
        for depth in (1, 2):
            value = int(searched(board, depth).score)
            assert value == minimax(board, depth) < 0


def think(agent: AlphaBeta, board: Board) -> tuple[int, Room]:
    """Return an agent's choice and the room it was found in."""
    room = make_room(600)
    return agent.think(room, batch.of_boards([board]), 0), room


def middle_games(count: int) -> list[Board]:
    rng = np.random.default_rng(6)
    return [Board()._begin_at(random_opening(rng, "ttakji", 12, 24)) for _ in range(count)]


def test_a_limit_of_nodes_is_kept() -> None:
    for board in middle_games(3):
        for nodes in (1, 10, 100, 1000, 20_000):
            action, room = think(AlphaBeta(nodes=nodes), board)
            assert int(room.root["nodes"][0]) == nodes
            assert action in board.legal_actions()


def test_a_search_that_is_stopped_plays_the_best_move_of_the_last_depth_or_of_the_next() -> None:
    begun = 0
    for board in middle_games(4):
        for nodes in range(50, 4000, 170):
            action, room = think(AlphaBeta(nodes=nodes), board)
            root, frame = room.root[0], room.frames[0]
            assert 1 <= frame.depth == root.depth + 1 <= MAX_DEPTH
            if frame.at:  # its first move is done
                begun += 1
                assert action == frame.chosen
            elif root.depth:
                assert action == AlphaBeta(int(root.depth)).choose(board)
    assert 10 < begun < 90


def test_depth_bounds_the_other_limits() -> None:
    (board,) = middle_games(1)
    for agent in (AlphaBeta(2, nodes=10**9), AlphaBeta(2, seconds=1e9)):
        action, room = think(agent, board)
        assert room.root["depth"][0] == 2
        assert action == AlphaBeta(2).choose(board)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that goes on by a millisecond whenever it is read; the times it told."""
    told: list[float] = [0.0]

    def tick() -> float:
        told.append(told[-1] + 0.001)
        return told[-1]

    monkeypatch.setattr(alphabeta, "_now", tick)
    return told


@pytest.mark.parametrize(("seconds", "nodes", "made"), [(0.0015, 3 * SLICE, 2 * SLICE), (1.0, SLICE + 7, SLICE + 7)])
def test_of_time_and_nodes_the_first_to_run_out_ends_a_search(
    clock: list[float], seconds: float, nodes: int, made: int
) -> None:
    (board,) = middle_games(1)
    action, room = think(AlphaBeta(seconds=seconds, nodes=nodes), board)
    assert int(room.root["nodes"][0]) == made
    assert action == AlphaBeta(nodes=made).choose(board)


@pytest.mark.parametrize("slices", [1, 2, 5])
def test_a_limit_of_time_is_kept_to_a_slice(clock: list[float], slices: int) -> None:
    (board,) = middle_games(1)
    action, room = think(AlphaBeta(seconds=slices * 0.001 - 0.0005), board)
    assert int(room.root["nodes"][0]) == slices * SLICE
    assert len(clock) == slices + 2  # its beginning, and once after each slice
    assert action == AlphaBeta(nodes=slices * SLICE).choose(board)


def test_every_game_of_a_call_has_its_own_time(clock: list[float]) -> None:
    boards = middle_games(3)
    agent = AlphaBeta(seconds=0.0005)
    chosen = agent.select(batch.of_boards(boards), np.arange(3))
    assert chosen.tolist() == [AlphaBeta(nodes=SLICE).choose(board) for board in boards]


def test_a_forced_move_is_not_thought_about(clock: list[float]) -> None:
    board = Board("k7/7R/1K6/8/8/8/8/8 b - 32 8 1")
    assert len(board.legal_actions()) == 1
    action, room = think(AlphaBeta(seconds=100.0), board)
    assert [action] == board.legal_actions()
    assert room.root["nodes"][0] == 0


@pytest.fixture
def any_threads() -> Iterator[None]:
    before = threads()
    yield
    set_threads(before)


@pytest.mark.parametrize("agent", [AlphaBeta(2), AlphaBeta(nodes=300)], ids=str)
@pytest.mark.usefixtures("any_threads")
def test_neither_batch_nor_threads_nor_earlier_calls_change_a_choice(agent: AlphaBeta) -> None:
    def played() -> batch.Games:
        games = batch.new(9, seed=4)
        batch.random_play(games, 30)
        return games

    def choices(order: list[int]) -> list[int]:
        games, found = played(), np.zeros(9, np.int64)
        found[order] = agent.select(games, np.array(order))
        return found.tolist()

    set_threads(1)
    first = choices(list(range(9)))
    AlphaBeta(3).choose(Board())
    for count in (1, 2, 4):
        set_threads(count)
        assert choices([8, 3, 5, 0, 1, 7, 2, 6, 4]) == first
    games = played()
    assert [int(agent.select(games, np.array([i]))[0]) for i in range(9)] == first


def test_a_long_past_is_no_matter() -> None:
    """Nobody has taken or moved a bia for longer than there is room for at first."""
    board = Board("k7/8/8/8/8/8/P7/K6R w - - 0 1", "ttakji:repetition=0,max_plies=0")
    cycle = ("h1h2", "a8b8", "h2h1", "b8a8")
    for _ in range(300):
        for move in cycle:
            board.push_uci(move)
    assert AlphaBeta(2).choose(board) == AlphaBeta(2).choose(Board(board.fen(), board.rules))


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("alphabeta:depth=0", "a depth of 1 .. 32, got 0"),
        ("alphabeta:depth=33", "a depth of 1 .. 32, got 33"),
        ("alphabeta:seconds=0", "seconds above 0, got 0.0"),
        ("alphabeta:seconds=-1", "seconds above 0, got -1.0"),
        ("alphabeta:seconds=nan", "seconds above 0, got nan"),
        ("alphabeta:seconds=inf", "seconds above 0, got inf"),
        ("alphabeta:nodes=0", "at least 1 node, got 0"),
        ("alphabeta:nodes=1e3", "expected nodes to be int, got '1e3'"),
    ],
)
def test_wrong_settings_are_told(spec: str, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        agents.make(spec)


def test_texts_and_settings() -> None:
    assert agents.make("alphabeta:depth=2") == agents.make("alphabeta")
    assert agents.make("alphabeta:depth=2").spec == "alphabeta"
    assert agents.make("alphabeta:depth=2,nodes=10").spec == "alphabeta:depth=2,nodes=10"
    assert agents.make("alphabeta:depth=32,seconds=1").spec == "alphabeta:seconds=1.0"
    for spec in ("alphabeta:depth=4", "alphabeta:seconds=0.1", "alphabeta:nodes=20000", "alphabeta:depth=2,nodes=10"):
        assert agents.make(spec).spec == spec
        assert agents.make(agents.make(spec).spec) == agents.make(spec)
    assert agents.make("alphabeta").settings() == {"depth": 2, "seconds": None, "nodes": None}
    assert agents.make("alphabeta:nodes=7").settings() == {"depth": MAX_DEPTH, "seconds": None, "nodes": 7}
