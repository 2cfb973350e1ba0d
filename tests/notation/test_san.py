"""SAN in Latin and Thai letters: tables, games there and back, and what is refused."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from makruk_env import Board, IllegalMoveError, Move, MoveTextError, Rules, Termination
from makruk_env.notation.san import THAI_RANKS
from makruk_env.rules import PRESETS
from tests.judges.naive import random_rules
from tests.judges.starts import MOODS, pick, start

START = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"
TWO_MA = "4k3/8/8/8/8/3p4/8/1N2KN2 w - - 0 1"
THREE_METS = "4k3/8/8/8/M7/8/M1M5/4K3 w - - 0 1"
KHUN_OR_BIA = "7k/8/8/2p5/1P1K4/8/8/8 w - - 0 1"
KHON_OR_BIA = "7k/8/8/3p4/2PS4/8/8/K7 w - - 0 1"
COUNTING = "k7/8/1K6/8/8/8/8/M4m1R w - 128 20 50"

WRITTEN = [
    (START, "ttakji", "e3e4", "e4", "จ4"),
    (START, "ttakji", "d1d2", "Kd2", "ขง2"),
    (START, "ttakji", "e1f2", "Mf2", "ม็ฉ2"),
    (START, "ttakji", "c1b2", "Sb2", "คข2"),
    (START, "ttakji", "b1d2", "Nd2", "มง2"),
    (START, "ttakji", "a1a2", "Ra2", "รก2"),
    (START.replace("w", "b"), "ttakji", "g8e7", "Ne7", "มจ7"),
    ("4k3/8/8/6p1/7P/8/8/K7 w - - 0 1", "ttakji", "h4g5", "hxg5", "ญxช5"),
    ("4k3/8/8/3P4/8/8/8/K7 w - - 0 1", "ttakji", "d5d6m", "d6=M", "ง6=ม็"),
    ("4k3/8/2n5/3P4/8/8/8/K7 w - - 0 1", "ttakji", "d5c6m", "dxc6=M", "งxค6=ม็"),
    ("4k3/2n5/8/3P4/8/8/8/K7 w - - 0 1", "ttakji:promotion=optional", "d5d6", "d6", "ง6"),
    ("4k3/2n5/8/3P4/8/8/8/K7 w - - 0 1", "ttakji:promotion=optional", "d5d6m", "d6=M", "ง6=ม็"),
    ("2k5/8/8/3P4/8/8/8/K7 w - - 0 1", "ttakji", "d5d6m", "d6=M", "ง6=ม็"),
    ("3k4/8/8/2P5/8/8/8/K7 w - - 0 1", "ttakji", "c5c6m", "c6=M", "ค6=ม็"),
    ("4k3/2P5/8/8/8/8/8/K7 w - - 0 1", "ttakji:promotion=optional", "c7c8m", "c8=M", "ค8=ม็"),
    ("2k5/8/3P4/8/8/8/8/K7 w - - 0 1", "ttakji:promotion=optional", "d6d7m", "d7=M+", "ง7=ม็+"),
    # More than one could go there, or only seems to
    (TWO_MA, "ttakji", "b1d2", "Nbd2", "มขง2"),
    ("4k3/8/8/8/1n1N4/8/8/N3K3 w - - 0 1", "ttakji", "a1c2", "Nac2", "มกค2"),
    ("4k3/8/8/3N4/8/3N4/8/4K3 w - - 0 1", "ttakji", "d5b4", "N5b4", "ม5ข4"),
    (THREE_METS, "ttakji", "a2b3", "Ma2b3", "ม็ก2ข3"),
    (THREE_METS, "ttakji", "a4b3", "M4b3", "ม็4ข3"),
    (THREE_METS, "ttakji", "c2b3", "Mcb3", "ม็คข3"),
    ("4k3/8/8/8/4r3/8/4N3/1N2K3 w - - 0 1", "ttakji", "b1c3", "Nc3", "มค3"),
    # Letters that are both a man and a file
    (KHUN_OR_BIA, "ttakji", "d4c5", "Kxc5", "ขงxค5"),
    (KHUN_OR_BIA, "ttakji", "b4c5", "bxc5", "บขxค5"),
    (KHON_OR_BIA, "ttakji", "d4d5", "Sxd5", "คงxง5"),
    (KHON_OR_BIA, "ttakji", "c4d5", "cxd5", "บคxง5"),
    ("7k/8/8/2p5/3K4/8/8/8 w - - 0 1", "ttakji", "d4c5", "Kxc5", "ขxค5"),
    ("7k/8/3p4/2PS4/8/8/8/K7 w - - 0 1", "ttakji", "d5d6", "Sxd6", "คxง6"),
    ("8/5k2/8/1sp5/8/8/8/2K5 b - - 0 1", "ttakji", "b5c4", "Sc4", "คค4"),
    ("8/5k2/8/1sp5/8/8/8/2K5 b - - 0 1", "ttakji", "c5c4", "c4", "ค4"),
    # First moves are written as the plain move of their man
    (START.replace("w -", "w DEde"), "cambodian", "d1b2", "Kb2", "ขข2"),
    ("rnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR w DEde - 0 1", "cambodian", "e1e3", "Me3", "ม็จ3"),
    (START.replace("w -", "w BDEGbdeg"), "sut", "e1e3", "Me3", "ม็จ3"),
    (START.replace("w -", "w BDEGbdeg"), "sut", "b1b3", "Nb3", "มข3"),
    (START.replace("w -", "b BDEGbdeg"), "sut", "g8g6", "Ng6", "มช6"),
    (START.replace("w -", "b BDEGbdeg"), "sut", "e8g7", "Kg7", "ขช7"),
    # Check and mate
    ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "ttakji", "a1a8", "Ra8+", "รก8+"),
    ("k7/8/1K6/8/8/8/8/M6R w - - 0 1", "ttakji", "h1h8", "Rh8#", "รญ8#"),
    (COUNTING, "ttakji", "h1h8", "Rh8#", "รญ8#"),
    ("k7/8/1K6/8/1N6/8/8/7S w - - 0 1", "ttakji", "b4c6", "Nc6", "มค6"),
    # Declarations
    ("3k4/2m5/8/8/3KS3/4R3/8/8 b - - 0 40", "ttakji", "start", "start", "start"),
    ("3k4/2m5/8/8/3KS3/4R3/8/8 b - 128 10 40", "ttakji", "stop", "stop", "stop"),
]


def move_named(board: Board, uci: str) -> Move:
    """Return the legal move of a UCI text."""
    return next(move for move in board.legal_moves if move.uci() == uci)


@pytest.mark.parametrize(("fen", "rules", "uci", "latin", "thai"), WRITTEN)
def test_a_move_is_written_and_read(fen: str, rules: str, uci: str, latin: str, thai: str) -> None:
    board = Board(fen, rules)
    move = move_named(board, uci)
    assert (board.san(move), board.san(move, thai=True)) == (latin, thai)
    assert board.parse_san(latin) == board.parse_san(thai) == move
    assert board.fen() == Board(fen, rules).fen()
    assert board.push_san(thai) == move
    assert len(board.actions) == 1


def test_a_mate_by_the_counter_is_a_mate_though_it_draws() -> None:
    board = Board(COUNTING)
    board.push_san("Rh8")
    assert board.outcome
    assert (board.outcome.winner, board.outcome.termination) == (None, Termination.COUNTER_MATED)


PROMOTING = "4k3/8/2n5/3P4/8/8/8/K7 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        (START, "e4+", "e3e4"),
        (START, "e4!?", "e3e4"),
        (START, "e4#!!", "e3e4"),
        (START, "e4±", "e3e4"),
        (START, "e3e4", "e3e4"),
        (START, "e3-e4", "e3e4"),
        (START, "Nbd2", "b1d2"),
        (START, "N1d2", "b1d2"),
        (START, "Nb1d2", "b1d2"),
        (START, "Nb1-d2", "b1d2"),
        (START, "จ๔", "e3e4"),
        (START, "จ4", "e3e4"),
        (START, "ม-ง๒", "b1d2"),
        (START, "Nง2", "b1d2"),
        (START, "มd2", "b1d2"),
        (START, "ม็f2", "e1f2"),
        (START, "Mฉ๒", "e1f2"),
        (START, "คค1ข2", "c1b2"),
        (PROMOTING, "d6", "d5d6m"),
        (PROMOTING, "d6M", "d5d6m"),
        (PROMOTING, "d6=m", "d5d6m"),
        (PROMOTING, "d6=M+", "d5d6m"),
        (PROMOTING, "ง๖=M", "d5d6m"),
        (PROMOTING, "ง6ม็", "d5d6m"),
        (PROMOTING, "dxc6", "d5c6m"),
        (PROMOTING, "dc6=M", "d5c6m"),
        (PROMOTING, "d5xc6=M", "d5c6m"),
        (PROMOTING, "d:c6=M", "d5c6m"),
        ("4k3/8/2n5/3N4/1p6/8/8/K7 w - - 0 1", "Nb4", "d5b4"),
        (KHUN_OR_BIA, "Kxc5", "d4c5"),
        (KHUN_OR_BIA, "Pbxc5", "b4c5"),
        (KHUN_OR_BIA, "bxค5", "b4c5"),
        (KHUN_OR_BIA, "ขง4xค5", "d4c5"),
    ],
)
def test_what_does_no_harm_is_read(fen: str, text: str, uci: str) -> None:
    assert Board(fen).parse_san(text).uci() == uci


def test_a_missing_promotion_is_declined_where_there_is_the_choice() -> None:
    board = Board(PROMOTING, "ttakji:promotion=optional")
    assert board.parse_san("d6") == move_named(board, "d5d6")
    assert board.parse_san("d6").declined
    assert board.parse_san("d6=M") == move_named(board, "d5d6m")
    assert board.parse_san("dxc6").declined


@pytest.mark.parametrize(
    "text",
    ["", "g", "e", "e9", "i4", "ne2", "Be2", "Qd2", "e4=Q", "e8=R", "O-O", "0-0", "--", "Z0", "e4 e5", "1.e4", "Nbd2d",
     "e4$1", "Ke", "็d2", "ม็", "e4x", "xx", "START", None, 4, ["e4"]],
)  # fmt: skip
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(MoveTextError, match=r"expected SAN like .* got .* in 'rnsmksnr/") as refused:
        Board().parse_san(text)
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (START, "e5", "expected a legal move, got 'e5'"),
        (START, "Nf3", "expected a legal move"),
        (START, "Nxd2", "expected a legal move"),  # nothing to capture: who wrote it had another position before him
        (START, "xe4", "expected a legal move"),
        (START, "Ncd2", "expected a legal move"),
        (START, "N2d2", "expected a legal move"),
        (START, "e4=M", "expected a legal move"),
        (START, "Kd2=M", "expected a legal move"),
        (START, "ee4", "expected a legal move"),
        (START, "stop", "expected a legal move, got 'stop'"),
        (START, "start", "expected a legal move"),
        (PROMOTING, "c6", "expected a legal move"),
        (PROMOTING, "xc6", "expected a legal move"),
        (TWO_MA, "Nd2", "expected one of b1d2, f1d2 alone, got 'Nd2'"),
        (TWO_MA, "N1d2", "expected one of b1d2, f1d2 alone"),
        (THREE_METS, "Mb3", "expected one of a2b3, c2b3, a4b3 alone"),
        (KHUN_OR_BIA, "ขxค5", "expected one of d4c5, b4c5 alone"),
        (KHON_OR_BIA, "คxง๕", "expected one of d4d5, c4d5 alone"),
        ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", "Kh7", "the game is over"),
    ],
)
def test_what_is_not_legal_or_not_the_only_move_is_refused(fen: str, text: str, reason: str) -> None:
    with pytest.raises(IllegalMoveError, match=reason) as refused:
        Board(fen).push_san(text)
    assert repr(fen) in str(refused.value)


def test_an_illegal_move_has_no_text() -> None:
    with pytest.raises(IllegalMoveError, match="got 'e3e5'"):
        Board().san(Move.from_uci("e3e5"))


def positions(rules: Rules, seed: int, games: int, plies: int) -> Iterator[Board]:
    """Yield the board at each position of some random games."""
    rng = random.Random(seed)
    for _ in range(games):
        begin, mood = start(rng, rules), rng.choice(MOODS)
        board = Board(begin.fen, rules)
        while board.outcome is None and len(board.actions) < plies:
            yield board
            board.push(pick(rng, board, mood, begin.actions))


@pytest.mark.parametrize("name", [*PRESETS, None])
def test_every_legal_move_has_a_text_of_its_own(name: str | None) -> None:
    rules = Rules.of(name) if name else random_rules(random.Random(5))
    moves = 0
    for board in positions(rules, seed=1, games=3, plies=30):
        before = board.position.item()
        for thai in (False, True):
            texts = {board.san(move, thai): move for move in board.legal_moves}
            assert len(texts) == len(board.legal_moves)
            assert {text: board.parse_san(text) for text in texts} == texts
            moves += len(texts)
        assert board.position.item() == before
    assert moves > 400


def test_texts_are_those_of_fairy_stockfish() -> None:
    """The Thai ones but for the digits, the hyphen and the promoted man's letter, and where its text is ambiguous."""
    pyffish = pytest.importorskip("pyffish")
    to_ours = str.maketrans({thai: str(rank) for rank, thai in enumerate(THAI_RANKS, 1)} | {"-": ""})
    rng = random.Random(3)
    compared = 0
    for board in positions(Rules.of("fairy"), seed=4, games=5, plies=25):
        for move in rng.sample(board.legal_moves, min(2, len(board.legal_moves))):
            asked = ("makruk", board.fen(), move.uci(), False)
            assert board.san(move) == pyffish.get_san(*asked, pyffish.NOTATION_SAN)
            theirs = pyffish.get_san(*asked, pyffish.NOTATION_THAI_SAN)
            assert board.san(move, thai=True) == theirs.translate(to_ours).replace("=M", "=ม็")
            assert board.parse_san(theirs) == move
            compared += 1
    assert compared > 100
