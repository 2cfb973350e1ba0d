"""The engine: what it answers to every command, with limits and clocks, and that nothing said to it ends it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import numpy as np
import pytest

import agents
from agents.uci_server import UciServer
from agents.uci_words import play_of
from makruk_env import Board

AGENT = "mcts:evaluator=heuristic"
MOVE = re.compile(r"bestmove [a-h][1-8][a-h][1-8]m?")


class Talk:
    """An engine and what it said."""

    def __init__(self, agent: str = AGENT) -> None:
        self.said: list[str] = []
        self.server = UciServer(agent, self.said.append)

    def tell(self, *lines: str) -> list[str]:
        """Say lines and return what is said until they have been dealt with."""
        before = len(self.said)
        for line in lines:
            assert self.server.handle(line)
        return self.said[before:]

    def go(self, limits: str, *first: str) -> list[str]:
        """Let it search to its limits and return what it says, the move last."""
        self.tell(*first)
        before = len(self.said)
        self.tell(f"go {limits}")
        until(lambda: self.said[-1:] != [] and self.said[-1].startswith("bestmove") and len(self.said) > before)
        return self.said[before:]


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for something that another thread does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.tell("isready")
    return talk


def test_it_tells_who_it_is_and_what_it_takes(talk: Talk) -> None:
    said = talk.tell("uci", "isready")
    assert said[0].startswith("id name makruk-env")
    assert "option name UCI_Variant type combo default makruk var makruk var cambodian" in said
    assert "option name MultiPV type spin default 1 min 1 max 200" in said
    assert said[-2:] == ["uciok", "readyok"]


def test_nodes_and_what_is_told_of_them(talk: Talk) -> None:
    *told, best = talk.go("nodes 700", "position startpos moves e3e4 d6d5")
    assert MOVE.fullmatch(best)
    board = Board(rules="fairy")
    for move in ("e3e4", "d6d5", best.split()[1]):
        board.push_uci(move)
    found = re.fullmatch(
        r"info depth (\d+) seldepth \d+ multipv 1 score cp -?\d+ wdl (\d+) (\d+) (\d+) nodes 700 nps \d+ hashfull 0 "
        r"time \d+ pv ([a-h1-8m ]+)",
        told[-1],
    )
    assert found
    assert sum(int(found[k]) for k in (2, 3, 4)) == 1000
    assert found[5].split()[0] == best.split()[1]
    assert len(found[5].split()) == int(found[1])


def test_the_same_search_as_the_agent_by_itself(talk: Talk) -> None:
    fen = "r1smk1nr/3n4/ppspp1pp/5p2/2P2P2/PPNPP1PP/4N3/R1SKMS1R w - - 0 10"
    best = talk.go("nodes 900", f"position fen {fen}")[-1]
    board = Board(fen, "fairy")
    action = agents.make(f"{AGENT},simulations=900").choose(board)
    assert best == f"bestmove {play_of(board, [action])[0]}"


def test_what_was_searched_before_is_gone_on_with(talk: Talk) -> None:
    *told, best = talk.go("nodes 3000", "position startpos")
    first, reply = told[-1].split(" pv ")[1].split()[:2]
    assert best == f"bestmove {first}"
    talk.go("nodes 3000", f"position startpos moves {first} {reply}")
    thoughts = talk.server._thoughts
    assert thoughts is not None
    assert 0 < thoughts.carried < thoughts.simulations == 3000
    talk.go("nodes 3000", "ucinewgame", "position startpos")
    assert talk.server._thoughts is not None
    assert talk.server._thoughts.carried == 0


def test_several_lines(talk: Talk) -> None:
    told = talk.go("nodes 500", "setoption name multipv value 3", "position startpos")[:-1]
    last = told[-3:]
    assert [line.split()[6] for line in last] == ["1", "2", "3"]
    assert len({line.split(" pv ")[1].split()[0] for line in last}) == 3


def test_time_for_a_move_is_kept(talk: Talk) -> None:
    begun = time.monotonic()
    talk.go("movetime 300", "position startpos")
    assert 0.2 < time.monotonic() - begun < 2


def test_infinite_waits_for_a_stop_and_isready_is_answered_meanwhile(talk: Talk) -> None:
    talk.tell("position startpos", "go infinite")
    time.sleep(0.1)
    assert "readyok" in talk.tell("isready")
    assert not any(line.startswith("bestmove") for line in talk.said)
    assert MOVE.fullmatch(talk.tell("stop")[-1])
    assert talk.tell("stop", "stop") == []


def test_a_proven_win_is_told_in_moves_and_infinite_still_waits(talk: Talk) -> None:
    talk.tell("position fen 8/3k4/8/2K1S1R1/8/8/8/7R w - - 0 1", "go infinite")
    time.sleep(0.3)
    assert not any(line.startswith("bestmove") for line in talk.said)
    said = talk.tell("stop")
    assert "score mate 2" in talk.said[-2]
    assert MOVE.fullmatch(said[-1])


def test_pondering_begins_its_clock_at_the_hit(talk: Talk) -> None:
    talk.tell("position startpos", "go ponder movetime 100")
    time.sleep(0.4)
    assert not any(line.startswith("bestmove") for line in talk.said)
    talk.tell("ponderhit")
    until(lambda: talk.said[-1].startswith("bestmove"))


MATE_IN_TWO = "8/3k4/8/2K1S1R1/8/8/8/7R w - - 0 1"


def test_moves_to_choose_from(talk: Talk) -> None:
    """They alone are searched, so it is of them that score and play are told."""
    *told, best = talk.go("nodes 300 searchmoves a3a4 h3h4", "position startpos", "setoption name MultiPV value 9")
    firsts = {line.split(" pv ")[1].split()[0] for line in told}
    assert firsts == {"a3a4", "h3h4"}
    assert best.split()[1] in firsts


def test_a_proof_by_another_move_ends_no_search(talk: Talk) -> None:
    *told, best = talk.go("nodes 100 searchmoves c5b5 c5b4", f"position fen {MATE_IN_TWO}")
    assert "nodes 100 " in told[-1]
    assert " cp " in told[-1]
    assert best.split()[1] in ("c5b5", "c5b4")
    assert "score mate 2" in talk.go("nodes 3000")[-2]  # and all moves are searched again


@pytest.mark.parametrize("limits", ["nodes many", "nodes", "wtime 3e5", "nodes 9 searchmoves e2e4", "movetime x"])
def test_a_go_that_is_hard_to_read_is_told_and_still_answered(talk: Talk, limits: str) -> None:
    first, *_, best = talk.go(limits, "position startpos moves e3e4")
    assert first.startswith("info string go: ")
    assert MOVE.fullmatch(best)


@pytest.mark.parametrize("limits", ["nodes 0", "nodes -3", "depth 0", "movetime 0", "wtime 0 btime 0 movestogo 0"])
def test_no_limit_is_too_small(talk: Talk, limits: str) -> None:
    *told, best = talk.go(limits, "position startpos")
    assert not any("Error" in line for line in told)
    assert best.split()[1] == told[-1].split(" pv ")[1].split()[0]


@pytest.mark.parametrize("line", ["go movetime 1" + "0" * 400, "go wtime 1" + "0" * 400, "go nodes 1" + "0" * 400])
def test_numbers_beyond_all_reason_are_borne(talk: Talk, line: str) -> None:
    assert MOVE.fullmatch(talk.tell("position startpos", line, "stop")[-1])


def test_a_bad_line_disturbs_no_search(talk: Talk) -> None:
    talk.tell("position startpos", "go infinite")
    said = talk.tell("setoption name Nope value 3", "position rubbish", "position startpos moves e2e4", "what")
    assert sum(line.startswith("info string ") for line in said) == 4
    assert talk.tell("stop")[-1].startswith("bestmove")


def test_every_go_has_one_answer(talk: Talk) -> None:
    """Whatever comes between: a stop, another go, a new position, an end."""
    lines = ["go nodes 50", "go infinite", "stop", "go ponder movetime 20", "ponderhit", "stop", "go wtime x"]
    lines += ["position startpos moves e3e4", "go infinite", "isready", "position fen k7/2K5/8/8/8/8/8/R7 b - - 0 1"]
    lines += ["go nodes 5", "ucinewgame", "go depth 2", "setoption name Hash value 2", "go infinite", "stop"]
    talk.tell(*lines, "stop")
    assert sum(line.startswith("bestmove") for line in talk.said) == sum(line.startswith("go") for line in lines)


def test_play_after_a_draw_that_nobody_has_claimed(talk: Talk) -> None:
    there_and_back = " ".join(["b1d2 b8d7 d2b1 d7b8"] * 2)
    board = Board(rules="fairy")
    for move in there_and_back.split():
        board.push_uci(move)
    assert board.outcome is not None
    assert talk.tell(f"position startpos moves {there_and_back}") == []
    assert MOVE.fullmatch(talk.go("nodes 50")[-1])
    assert talk.tell(f"position startpos moves {there_and_back} e3e4 e6e5") == []
    best = talk.go("nodes 50")[-1].split()[1]
    after = Board("rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/8/RNSKMSNR w - - 0 1", "fairy")
    assert best in {move.uci() for move in after.legal_moves}
    two_khuns = "position fen 8/3k4/8/8/8/3K4/8/8 w - - 0 1"
    assert talk.tell(two_khuns) == []
    assert MOVE.fullmatch(talk.go("nodes 50")[-1])


def test_a_level_stays_as_strong_as_it_is() -> None:
    talk = Talk(f"{AGENT},simulations=7")
    for limits in ("movetime 200", "wtime 60000 btime 60000", "nodes 500", ""):
        assert "nodes 7 " in talk.go(limits, "ucinewgame", "position startpos")[-2]


def test_threads_add_up(talk: Talk) -> None:
    *told, _ = talk.go("nodes 90", "setoption name Threads value 3", "position startpos")
    assert "nodes 90 " in told[-1]


def test_a_full_hash_is_told(talk: Talk) -> None:
    talk.tell("setoption name Hash value 1", "position startpos", "go infinite")
    until(lambda: any("full" in line and "info string" in line for line in talk.said))
    talk.tell("stop")
    assert "hashfull 1000" in talk.said[-2]
    talk.tell("setoption name Threads value 5", "go infinite")  # which do not divide what Hash has room for
    until(lambda: sum("full" in line and "info string" in line for line in talk.said) == 2)
    talk.tell("stop")


def test_an_agent_that_is_asked_once_keeps_to_the_clock() -> None:
    """Its own time is many times what the clock gives it."""
    talk = Talk("alphabeta:seconds=600")
    talk.tell("isready")
    *told, best = talk.go("movetime 60", "position startpos")
    assert MOVE.fullmatch(best)
    assert "score" not in told[-1]  # it tells no value


def test_agents_that_cannot_be_asked_are_refused(talk: Talk) -> None:
    assert "considered" in talk.tell(f"setoption name Agent value {AGENT},considered=8")[0]
    *told, ready = talk.tell("setoption name Agent value uci:command='foo", "isready")
    assert "command line" in told[0]
    assert ready == "readyok"
    assert talk.tell("setoption name Agent value mcts:checkpoint=" + "x" * 5000, "isready")[-1] == "readyok"


def test_words_may_be_parted_by_tabs(talk: Talk) -> None:
    assert talk.tell("position\tstartpos\tmoves\te3e4") == []
    assert talk.server._board is not None
    assert talk.server._board.ply == 1


def test_variants_and_rules(talk: Talk) -> None:
    leap = "position startpos moves e1g2"  # the khun's leap of the Cambodian game
    assert "info string position" in talk.tell(leap)[0]
    assert talk.tell("setoption name UCI_Variant value cambodian", "position startpos moves d1b2") == []
    assert talk.tell("setoption name Rules value fairy", "position startpos moves d1b2")[0].startswith("info string")


def test_no_declaration_is_ever_its_move() -> None:
    talk = Talk("mcts:evaluator=uniform")
    fen = "8/3k4/8/2K1S3/8/8/1r6/8 w - - 0 1"
    talk.tell("setoption name Rules value ttakji", f"position fen {fen}")
    assert Board(fen).can_declare()
    assert MOVE.fullmatch(talk.go("nodes 400")[-1])


def test_a_finished_game_has_no_move(talk: Talk) -> None:
    assert talk.tell("position fen k7/2K5/8/8/8/8/8/R7 b - - 0 1", "go nodes 10")[-1] == "bestmove (none)"


def test_moves_are_added_to_a_position_that_stands(talk: Talk) -> None:
    talk.tell("position startpos moves e3e4", "position startpos moves e3e4 e6e5 d3d4")
    assert talk.server._board is not None
    assert talk.server._board.ply == 3
    talk.tell("position startpos moves d3d4")
    assert talk.server._board.ply == 1
    assert talk.server._board.fen().split()[0] == "rnsmksnr/8/pppppppp/8/3P4/PPP1PPPP/8/RNSKMSNR"


@pytest.mark.parametrize(
    "line",
    [
        "position",
        "position start",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e4",
        "position startpos moves e3e4 e3e4",
        "position startpos moves \x00 \ufffd",
        "setoption",
        "setoption name",
        "setoption name Hash value many",
        "setoption name Hash value -1",
        "setoption name Threads value 1000000",
        "setoption name UCI_Variant value chess",
        "setoption name Agent value stockfish",
        "setoption name Agent value mcts:checkpoint=nowhere,depth=3",
        "setoption name UCI_ShowWDL value maybe",
        "perft 3",
        "\ufffd\ufffd",
        "x" * 100_000,
    ],
)
def test_a_line_that_means_nothing_is_told_and_changes_nothing(talk: Talk, line: str) -> None:
    talk.tell("position startpos moves e3e4")
    said = talk.tell(line)
    assert said
    assert all(each.startswith("info string ") and "\n" not in each and len(each) < 600 for each in said), said
    assert talk.server._board is not None
    assert talk.server._board.ply == 1
    assert MOVE.fullmatch(talk.go("nodes 20")[-1])


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "debug on",
        "go depth 1 mate 3 perft 2",
        "go nodes 5 gibberish",
        "go wtime -50",
        "go wtime 9" + "9" * 5000,
    ],
)
def test_a_line_that_means_little_is_borne(talk: Talk, line: str) -> None:
    talk.tell("position startpos", line)
    assert MOVE.fullmatch(talk.go("nodes 20")[-1])


def test_random_lines_never_end_it(talk: Talk) -> None:
    rng = np.random.default_rng(3)
    words = (
        "uci isready position startpos fen moves e3e4 e6e5 go nodes 9 infinite stop setoption name value Hash w - 0 1"
    )
    words = [*words.split(), "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR", "ponderhit", "\ufffd", "-7", "ucinewgame"]
    for _ in range(300):
        talk.tell(" ".join(rng.choice(words, int(rng.integers(1, 9)))))
    talk.tell("stop")
    assert talk.tell("isready")[-1] == "readyok"
    assert MOVE.fullmatch(talk.go("nodes 20", "position startpos")[-1])


def test_an_agent_that_fails_still_leaves_a_move() -> None:
    talk = Talk("mcts:checkpoint=nowhere")
    assert "nowhere" in talk.tell("isready")[0]
    *told, best = talk.go("nodes 10", "position startpos")
    assert told[0].startswith("info string search: ")
    assert "nowhere" in told[0]
    assert MOVE.fullmatch(best)


@pytest.mark.parametrize("agent", ["random", "greedy", "alphabeta:depth=2", "mcts:evaluator=uniform,seconds=0.05"])
def test_any_agent_plays(agent: str) -> None:
    assert MOVE.fullmatch(Talk(agent).go("wtime 60000 btime 60000 winc 1000", "position startpos")[-1])


def test_quit_ends_it_and_a_search_under_way(talk: Talk) -> None:
    talk.tell("position startpos", "go infinite")
    assert not talk.server.handle("quit")
    assert talk.said[-1].startswith("bestmove")
