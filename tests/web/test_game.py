"""The state machine of a game: who may do what when."""

from __future__ import annotations

from random import Random

import pytest

from makruk_env import Board, IllegalMoveError, MoveTextError, Termination
from makruk_env.notation.uci import move_of
from makruk_env.outcome import Outcome
from makruk_env.render.scene import promoted_squares
from makruk_web import view
from makruk_web.clock import Clock
from makruk_web.errors import StaleError, TurnError
from makruk_web.game import Failure, Game
from makruk_web.saved import dump, load
from makruk_web.thoughts import Thought

COUNTED = "4k3/2s1r3/8/3n4/4M3/3KS3/4R3/8 w - - 0 60"
THOUGHT = Thought("easy", 3, 0.5, ())


def game(fen: str | None = None, you: int | None = 0, clock: bool = False) -> Game:
    """Return a game against `greedy`."""
    return Game("name", Board(fen), you, "" if you is None else "greedy", Clock() if clock else None)


def answer(played: Game, text: str) -> None:
    """Let the agent make a move."""
    from makruk_env import Move

    played.answer(played.board.action(Move.from_uci(text)), THOUGHT, 0.0)


def test_moves_and_answers_by_turns() -> None:
    played = game()
    assert (played.yours, played.agents_turn) == (True, False)
    with pytest.raises(TurnError, match="agent's turn"):
        played.answer(0, None, 0.0)
    played.move("e3e4", 0.0)
    assert (played.yours, played.agents_turn, played.version) == (False, True, 2)
    with pytest.raises(TurnError, match="your turn"):
        played.move("e6e5", 0.0)
    answer(played, "e6e5")
    assert [ply.san for ply in played.plies] == ["e4", "e5"]
    assert [ply.by_agent for ply in played.plies] == [False, True]
    assert played.plies[0].thai == "จ4"
    assert played.thoughts == {1: THOUGHT}


@pytest.mark.parametrize(("text", "error"), [("e3e5", IllegalMoveError), ("nonsense", MoveTextError)])
def test_what_is_refused_changes_nothing(text: str, error: type[Exception]) -> None:
    played = game()
    with pytest.raises(error):
        played.move(text, 0.0)
    assert (played.version, played.plies, played.board.actions) == (1, [], ())


def test_an_old_version_is_refused() -> None:
    played = game()
    played.expect(1)
    with pytest.raises(StaleError, match="expected 1, got 2"):
        played.expect(2)


def test_take_back_goes_to_the_players_last_turn() -> None:
    played = game()
    with pytest.raises(TurnError, match="to take back"):
        played.take_back(0.0)
    played.move("e3e4", 0.0)
    answer(played, "e6e5")
    played.move("d3d4", 0.0)
    played.take_back(0.0)
    assert [ply.uci for ply in played.plies] == ["e3e4", "e6e5"]
    played.take_back(0.0)
    assert (played.plies, played.thoughts, played.yours) == ([], {}, True)


def test_take_back_takes_the_declaration_of_the_turn_with_it() -> None:
    played = game(COUNTED)
    played.move("start", 0.0)
    assert played.yours
    played.move("d3d2", 0.0)
    played.take_back(0.0)
    assert played.plies == []
    played.move("start", 0.0)
    played.take_back(0.0)
    assert (played.plies, played.board.count) == ([], None)


def test_take_back_by_hand_takes_one_at_a_time() -> None:
    played = game(COUNTED, you=None)
    played.move("start", 0.0)
    played.move("d3d2", 0.0)
    played.take_back(0.0)
    assert [ply.uci for ply in played.plies] == ["start"]


def test_resigning_ends_the_game_for_either_colour() -> None:
    for you in (0, 1):
        played = game(you=you)
        played.resign(0.0)
        assert played.outcome == Outcome(1 - you, Termination.RESIGNATION)
        with pytest.raises(TurnError, match="over"):
            played.resign(0.0)
        assert not played.agents_turn


@pytest.mark.parametrize(("value", "agreed"), [(-0.4, True), (0.0, True), (0.05, True), (0.06, False), (None, False)])
def test_the_agent_answers_an_offer_by_its_own_value(value: float | None, agreed: bool) -> None:
    played = game()
    played.offer_draw(0.0)
    assert played.offer == "asked"
    played.answer_draw(value, 0.0)
    assert (played.outcome == Outcome(None, Termination.AGREEMENT)) is agreed
    assert played.offer == (None if agreed else "declined")


def test_one_offer_in_a_turn_and_none_out_of_turn() -> None:
    played = game()
    played.offer_draw(0.0)
    played.answer_draw(1.0, 0.0)
    with pytest.raises(TurnError, match="one offer"):
        played.offer_draw(0.0)
    played.move("e3e4", 0.0)
    with pytest.raises(TurnError, match="your turn"):
        played.offer_draw(0.0)
    answer(played, "e6e5")
    played.offer_draw(0.0)
    assert played.offer == "asked"
    played.withdraw_offer(0.0)
    played.offer_draw(0.0)
    with pytest.raises(TurnError, match="to answer"):
        game().answer_draw(0.0, 0.0)


def test_one_who_plays_both_sides_agrees_at_once() -> None:
    played = game(you=None)
    played.offer_draw(0.0)
    assert played.outcome == Outcome(None, Termination.AGREEMENT)


def test_time_runs_from_the_first_move_on_and_ends_the_game() -> None:
    played = game(clock=True)
    assert not played.flag(1e9)
    played.move("e3e4", 100.0)
    assert not played.flag(100.0 + 389.0)
    assert played.flag(100.0 + 391.0)
    assert played.outcome == Outcome(0, Termination.TIMEOUT)
    assert not played.can_take_back
    with pytest.raises(TurnError):
        played.take_back(500.0)


def test_the_clock_stands_while_the_agent_has_failed() -> None:
    played = game(clock=True)
    played.move("e3e4", 0.0)
    played.fail(Failure("EngineError", "gone"), 10.0)
    assert (played.agents_turn, played.flag(1e6)) == (False, False)
    played.choose_agent("random", 1_000.0)
    assert (played.agent, played.failure, played.agents_turn) == ("random", None, True)
    assert played.clock is not None
    assert played.clock.elapsed(1_005.0) == 15.0


def test_a_mate_ends_the_game_and_can_be_taken_back() -> None:
    played = game("k7/8/1K6/8/8/8/8/7R w - - 0 1")
    played.move("h1h8", 0.0)
    assert played.outcome == Outcome(0, Termination.CHECKMATE)
    played.take_back(0.0)
    assert (played.outcome, played.yours) == (None, True)


def test_bia_that_have_promoted_are_found_from_the_texts_of_the_moves() -> None:
    found = set()
    for seed in range(8):
        random, played = Random(seed), game("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", you=None)
        while played.outcome is None and len(played.plies) < 120:
            played.move(move_of(random.choice(played.board.legal_actions()), played.board).uci(), 0.0)
        for ply in range(0, len(played.plies) + 1, 7):
            squares = played.promoted(ply)
            assert squares == promoted_squares(played.at(ply))
            found |= squares
    assert found


def test_values_are_whites_and_a_proof_needs_no_simulation() -> None:
    played = game("k7/8/1K6/8/8/8/8/7R w - - 0 1")
    played.thoughts[0] = Thought("easy", 0, 1.0, ())
    assert view.state(played, None, 0.0)["value"] == 1.0
    played.move("h1h2", 0.0)
    told = view.state(played, None, 0.0)
    assert (told["moves"][0]["value"], told["value"]) == (1.0, None)
    played.thoughts[1] = Thought("easy", 5, 0.25, ())
    assert view.state(played, None, 0.0)["value"] == -0.25
    played.take_back(0.0)
    played.move("h1h8", 0.0)
    assert view.state(played, None, 0.0)["value"] == 1.0


def test_a_game_is_read_as_it_was_written() -> None:
    played = game(COUNTED, clock=True)
    played.move("start", 5.0)
    played.move("d3d2", 10.0)
    read = load("name", dump(played, 12.0))
    assert (read.board.fen(), read.board.actions) == (played.board.fen(), played.board.actions)
    assert (read.plies, read.version, read.touched, read.you) == (played.plies, played.version, True, 0)
    assert read.clock is not None
    assert (read.clock.side, read.clock.elapsed(1e9)) == (1, 2.0)
    read.restart_clock(500.0)
    assert read.clock.elapsed(501.0) == 3.0
    played.resign(15.0)
    assert load("name", dump(played, 20.0)).outcome == Outcome(1, Termination.RESIGNATION)
