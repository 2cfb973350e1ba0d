"""PGN written: games of boards, results, counts, rules and headers, and what is refused."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from makruk_env import Board, IllegalMoveError, Move, PgnError, Rules, pgn
from makruk_env.notation.fen import start as start_fen
from makruk_env.rules import PRESETS
from tests.judges.naive import random_rules
from tests.judges.starts import MOODS, pick, start
from tests.test_pgn import movetext, played, read_text, told, written


def random_games(rules: Rules, seed: int, games: int) -> Iterator[Board]:
    """Yield the last board of some random games, among them finished ones and ones that end with a declaration."""
    rng = random.Random(seed)
    for _ in range(games):
        begin, mood = start(rng, rules), rng.choice(MOODS)
        board = Board(begin.fen, rules)
        plies = rng.randint(0, 60)
        while board.outcome is None and len(board.actions) < plies:
            board.push(pick(rng, board, mood, begin.actions))
        yield board


@pytest.mark.parametrize("name", [*PRESETS, None])
def test_random_games_are_written_and_read_again(name: str | None, tmp_path: Path) -> None:
    rules = Rules.of(name) if name else random_rules(random.Random(11))
    boards = list(random_games(rules, seed=2, games=8))
    games = [pgn.Game.of(board) for board in boards]
    path = tmp_path / "games.pgn"
    with path.open("w", encoding="utf-8", newline="\r\n") as file:
        for game in games:
            pgn.write(file, game)
    for board, game, copy in zip(boards, games, pgn.read(path), strict=True):
        assert copy.error is None
        assert copy.headers == game.headers
        assert told(copy) == told(game)
        assert copy.board().actions == board.actions
        assert copy.board().fen() == board.fen()
        assert copy.board().position.item() == board.position.item()
    assert max(len(line) for line in path.read_text(encoding="utf-8").splitlines() if line[:1] != "[") <= 80


def test_a_finished_game() -> None:
    game = pgn.Game.of(played("h1h8", "k7/8/1K6/8/8/8/8/M6R w - - 0 31"))
    assert written(game) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "?"]\n[Black "?"]\n[Result "1-0"]\n'
        '[Variant "Makruk"]\n[Rules "ttakji"]\n[SetUp "1"]\n[FEN "k7/8/1K6/8/8/8/8/M6R w - - 0 31"]\n'
        '[Termination "checkmate"]\n\n31. Rh8# {[%count pieces 4/16]} 1-0\n\n'
    )


def test_an_unfinished_game_from_the_usual_array() -> None:
    game = pgn.Game.of(played("e3e4 e6e5 b1d2"))
    assert movetext(game) == "1. e4 e5 2. Nd2 *"
    assert (game.headers["Termination"], game.result) == ("unterminated", "*")
    assert {"FEN", "SetUp"}.isdisjoint(game.headers)


def test_a_resigned_game() -> None:
    game = pgn.Game.of(played("e3e4"))
    game.result = "0-1"
    assert "Termination" not in written(game)
    game.headers["Termination"] = "resignation"
    (copy,) = read_text(written(game))
    assert (copy.result, copy.headers["Result"], copy.headers["Termination"]) == ("0-1", "0-1", "resignation")


def test_the_game_of_a_board_leaves_the_board_as_it_is() -> None:
    board = played("e3e4 e6e5")
    game = pgn.Game.of(board)
    game.board().push_uci("b1d2")
    game.start.push_uci("d3d4")
    assert len(board.actions) == 2
    assert game.moves == [Move.from_uci("e3e4"), Move.from_uci("e6e5")]


COUNTED = "3k4/2m5/8/8/3KS3/4R3/8/8 b - - 0 40"


@pytest.mark.parametrize(
    ("fen", "rules", "moves", "expected"),
    [
        (COUNTED, "ttakji", "start", "{[%count start]} *"),
        (
            COUNTED,
            "ttakji",
            "start c7d6 d4d5 d6c7 d5e6 stop d8c8 e6e7",
            "{[%count start]} 40... Md6 {[%count board 1/64]} 41. Kd5 Mc7 42. Ke6 {[%count stop]} 42... Kc8 "
            "{[%count none]} 43. Ke7 *",
        ),
        (
            COUNTED,
            "ttakji",
            "start c7d6 e4e5 d8d7 e5d6 d7d6",
            "{[%count start]} 40... Md6 {[%count board 1/64]} 41. Se5 Kd7 42. Sxd6+ {[%count pieces 4/16]} "
            "42... Kxd6 *",
        ),
        (
            "3k4/2m5/8/8/3K4/2R1R3/8/8 b - 128 20 40",
            "ttakji",
            "d8c8 c3c7",
            "40... Kc8 41. Rxc7+ {[%count pieces 4/8]} *",
        ),
        ("8/8/8/4k3/8/2K5/2m4R/8 w - - 0 61", "fairy", "h2c2", "61. Rxc2 {[%count pieces 3/16]} *"),
        ("4k3/8/8/3P4/8/8/R7/4K3 w - - 0 61", "ttakji", "d5d6m e8d7", "61. d6=M {[%count pieces 4/16]} 61... Kd7 *"),
    ],
)
def test_counts_are_told(fen: str, rules: str, moves: str, expected: str) -> None:
    game = pgn.Game.of(played(moves, fen, rules))
    assert movetext(game) == expected
    (copy,) = read_text(written(game))
    assert copy.error is None
    assert told(copy) == told(game)


@pytest.mark.parametrize(
    "rules",
    [
        Rules.preset("ttakji", max_plies=0, promotion="optional", material={"dead", "table"}),
        Rules.preset("cambodian", material=(), met_leap=False, tilted_ruea="white:ah,black:h"),
        Rules(promotion="optional", max_plies=0),
        Rules(name="mine", stalemate="loss"),
    ],
)
def test_rules_are_told_whole(rules: Rules) -> None:
    (copy,) = read_text(written(pgn.Game.of(Board(rules=rules))))
    assert copy.error is None
    assert copy.start.rules.record == rules.record
    assert copy.start.rules.tilted_ruea == rules.tilted_ruea
    assert copy.start.fen() == start_fen(rules)


@pytest.mark.parametrize(
    ("preset", "variant"), [("ttakji", "Makruk"), ("sut", "Makruk"), ("ouk", "Ouk"), ("cambodian", "Cambodian")]
)
def test_the_variant_is_told(preset: str, variant: str) -> None:
    headers = pgn.Game.of(Board(rules=preset)).headers
    assert (headers["Variant"], headers["Rules"]) == (variant, preset)


def test_what_cannot_be_written_is_refused_and_nothing_is() -> None:
    file = io.StringIO()
    game = pgn.Game.of(played("e3e4"))
    game.result = "1/2"
    with pytest.raises(PgnError, match="'1/2'"):
        pgn.write(file, game)
    game.result = "*"
    game.headers["White Elo"] = "1500"
    with pytest.raises(PgnError, match="'White Elo'"):
        pgn.write(file, game)
    del game.headers["White Elo"]
    game.moves.append(Move.from_uci("e3e4"))
    with pytest.raises(IllegalMoveError, match="'e3e4'"):
        pgn.write(file, game)
    assert file.getvalue() == ""


@pytest.mark.parametrize(
    "value", ['a "b" c', "a\\\\b", "\\", 'C:\\"', '"', "", '"] [Black "x', "สมชาย", "  two  spaces ", "% ; {"]
)
def test_header_values_come_back(value: str) -> None:
    game = pgn.Game.of(Board())
    game.headers["Annotator"] = value
    (copy,) = read_text(written(game))
    assert copy.headers == game.headers


def test_a_line_break_in_a_header_becomes_a_space() -> None:
    game = pgn.Game.of(Board())
    game.headers["Annotator"] = "one\r\ntwo"
    (copy,) = read_text(written(game))
    assert copy.headers["Annotator"] == "one two"
