"""Games in PGN files: a file with every trouble, games written and read again, and texts spoilt at random."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from makruk_env import Board, FenError, IllegalMoveError, MoveTextError, PgnError, Rules, RulesError, pgn
from makruk_env.notation.fen import start as start_fen

TROUBLES = Path(__file__).parent / "data" / "troubles.pgn"
ERRORS = (PgnError, FenError, RulesError, MoveTextError, IllegalMoveError)
THERE_AND_BACK = "b1d2 b8d7 d2b1 d7b8"

# Event, moves, result, and where there is one: the error, its line and ply, what it says
READ = [
    (
        "everything that may stand in a movetext",
        "e3e4 e6e5 b1d2 b8d7 g1e2 g8e7 d1c2 e8f7 d3d4 e5d4 c3d4 d6d5",
        "0-1",
        None,
    ),
    ("no blank lines, and another result than the header's", "e3e4 e6e5 b1d2 b8d7", "1/2-1/2", None),
    ("no result in the movetext", "e3e4 e6e5", "1-0", None),
    ("an open result against the header's", "e3e4", "0-1", None),
    ("blank lines where none belong", "e3e4 e6e5 b1d2 b8d7", "*", None),
    ("only headers", "", "1-0", None),
    ("only a result", "", "1/2-1/2", None),
    ("a third occurrence, and on", f"{THERE_AND_BACK} {THERE_AND_BACK} e3e4 e6e5", "1-0", None),
    (
        "a third occurrence, and on, under rules that it ends",
        f"{THERE_AND_BACK} {THERE_AND_BACK}",
        "1-0",
        (PgnError, 72, 9, r"the game is over \(repetition, 1/2-1/2\) by the rules 'ttakji', got 'e4' in 'rnsmksnr/8"),
    ),
    ("a FEN cut short, Black to move", "g8e7 g1e2 e8f7", "*", None),
    ("a FEN with two khuns", "", "1-0", (FenError, 86, 0, "expected one khun of Black, got 2")),
    ("one move torn into letters", "", "1-0", (MoveTextError, 94, 1, "expected SAN like .* got 'b' in 'rnsmksnr/8")),
    (
        "an illegal move",
        "e3e4 e6e5 b1d2 b8d7",
        "0-1",
        (IllegalMoveError, 101, 5, "expected a legal move, got 'Nf3' in 'r1smksnr"),
    ),
    (
        "an ambiguous move",
        "e1f2 e8f8 f2g1 f8g8",
        "*",
        (IllegalMoveError, 108, 65, "expected one of b1d2, f1d2 alone, got 'Nd2'"),
    ),
    ("another variant", "", "1-0", (PgnError, 112, 0, "expected one of .*'makruk', .* got 'Shogi'")),
    ("first moves", "e3e4 d6d5 e1e3 d8d6 d1b2 e8g7", "*", None),
    ("first moves that makruk has not", "e3e4 d6d5", "*", (IllegalMoveError, 128, 3, "got 'Me3'")),
    ("rules with an option", "d5d6 e8d8 e5e6m d8c8 c5c6m", "*", None),
    ("rules with a value that there is not", "", "*", (RulesError, 140, 0, "got 'never'")),
    ("a count that is started and stopped", "start c7d6 d4d5 d6c7 d5e6 stop d8c8", "*", None),
    ("a count that nobody may stop", "e3e4", "*", (IllegalMoveError, 157, 2, "got 'stop'")),
    ("a header without its quotes", "", "*", (PgnError, 160, 1, "expected a header .*, got '.White Somchai.'")),
    ("quotes that are not escaped", "e3e4 e6e5", "*", None),
    ("a comment that is not closed", "e3e4 e6e5", "1-0", (PgnError, 175, 3, "expected a } behind the {")),
    ("a variation that is not closed", "e3e4 e6e5", "1-0", (PgnError, 180, 3, r"expected a \) behind the \(")),
    ("brackets that nothing opened", "e3e4 e6e5", "1-0", (PgnError, 186, 3, r"got a \) that nothing opened")),
    ("a move behind the result", "e3e4 e6e5", "1-0", (PgnError, 191, 3, "behind the result 1-0, got 'Nd2'")),
    ("two results", "e3e4 e6e5", "1-0", (PgnError, 196, 3, "behind the result 1-0, got '0-1'")),
    ("Thai letters", "e3e4 e6e5 b1d2 b8d7 d3d4 e5d4 c3d4 e8f7", "*", None),
    ("games without headers behind this one", "e3e4", "1-0", None),
    ("", "d3d4 d6d5", "0-1", None),
    ("", "f3f4 f6f5", "*", None),
    ("bytes that are no text: \ufffd\ufffd\ufffd", "e3e4 e6e5", "1/2-1/2", None),
]


def read_text(text: str, rules: str | None = None) -> list[pgn.Game]:
    """Return the games of a text."""
    return list(pgn.read(io.StringIO(text), rules))


def written(game: pgn.Game) -> str:
    """Return what a game is written as."""
    file = io.StringIO()
    pgn.write(file, game)
    return file.getvalue()


def movetext(game: pgn.Game) -> str:
    """Return the movetext that a game is written as, in one line."""
    return " ".join(written(game).partition("\n\n")[2].split())


def played(text: str, fen: str | None = None, rules: str | Rules = "ttakji") -> Board:
    """Return the board after some UCI moves."""
    board = Board(fen, rules)
    for move in text.split():
        board.push_uci(move)
    return board


def told(game: pgn.Game) -> tuple[object, ...]:
    """Return what must be the same in a game that was written and read again."""
    return game.start.fen(), game.start.rules, game.moves, game.result, game.board().fen(), game.board().outcome


@pytest.fixture(scope="module")
def troubles() -> list[pgn.Game]:
    return list(pgn.read(TROUBLES))


def test_every_game_of_the_troubles_is_there(troubles: list[pgn.Game]) -> None:
    assert [game.headers.get("Event", "") for game in troubles] == [event for event, *_ in READ]


@pytest.mark.parametrize("at", range(len(READ)), ids=[event for event, *_ in READ])
def test_trouble(troubles: list[pgn.Game], at: int) -> None:
    _, moves, result, expected = READ[at]
    game = troubles[at]
    assert (" ".join(map(str, game.moves)), game.result) == (moves, result)
    if expected is None:
        assert game.error is None
        return
    error, line, ply, says = expected
    assert type(game.error) is error
    with pytest.raises(error, match=rf"^game {at + 1}, line {line}, ply {ply}: .*{says}"):
        raise game.error


def test_headers_are_as_they_came(troubles: list[pgn.Game]) -> None:
    assert troubles[0].headers == {
        "Event": "everything that may stand in a movetext",
        "Site": "?",
        "Date": "2026.01.31",
        "Round": "1",
        "White": 'Somchai "the ruea" \\ Bangkok',
        "Black": "สมหญิง",
        "Result": "0-1",
        "TimeControl": "300+3",
        "EngineSide": "black",
        "Variant": "Makruk",
        "SetUp": "1",
        "FEN": "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
    }
    (quotes,) = (game for game in troubles if game.headers.get("Annotator"))
    assert quotes.headers == {
        "Event": "quotes that are not escaped",
        "White": 'Somchai "the ruea" C:\\makruk\\',
        "Site": "A",
        "Annotator": "me",
        "Mode": "OTB",
    }


def test_troubles_are_written_and_read_again(troubles: list[pgn.Game]) -> None:
    text = "".join(written(game) for game in troubles)
    again = read_text(text)
    assert len(again) == len(troubles)
    for game, copy in zip(troubles, again, strict=True):
        assert copy.error is None
        assert told(copy) == told(game)
        kept = {name: value for name, value in game.headers.items() if name not in ("FEN", "Result", "Rules")}
        assert kept.items() <= copy.headers.items()
    assert "".join(written(game) for game in again) == text


@pytest.mark.parametrize(
    ("headers", "argument", "expected"),
    [
        ("", None, pgn.VARIANTS["makruk"]),
        ('[Variant "MAKRUK"]', None, pgn.VARIANTS["makruk"]),
        ('[Variant "Cambodian"]', None, pgn.VARIANTS["cambodian"]),
        ('[Variant "Ouk"]', None, pgn.VARIANTS["ouk"]),
        ('[Variant "Makruk"]\n[Rules "fairy:repetition=0"]', None, "fairy:repetition=0"),
        ('[Variant "Shogi"]\n[Rules "pychess"]', None, "pychess"),
        ('[Variant "Shogi"]\n[Rules "no such"]', "fairy", "fairy"),
    ],
)
def test_rules_of_a_file(headers: str, argument: str | None, expected: str) -> None:
    (game,) = read_text(f"{headers}\n\n1. e4 *", argument)
    assert game.error is None
    assert game.start.rules == Rules.of(expected)
    assert game.start.fen() == start_fen(Rules.of(expected))


@pytest.mark.parametrize("name", pgn.VARIANTS)
def test_a_file_without_rules_ends_a_game_only_where_no_move_is_left(name: str) -> None:
    """What ends a game elsewhere: a third occurrence, a count that has run out, two khuns alone, 400 moves."""
    fen = "4k3/8/8/8/8/8/3p4/3KR3 b - - 0 190"
    moves = "1... Kd8 2. Kxd2 " + "Kc8 Re2 Kd8 Re1 " * 40
    text = f'[Variant "{name.capitalize()}"]\n[FEN "{fen}"]\n\n{moves} 1-0'
    (game,) = read_text(text)
    assert game.error is None
    assert len(game.moves) == 162
    (shorter,) = read_text(text, "cambodian")
    assert isinstance(shorter.error, PgnError)
    assert len(shorter.moves) < 20
    (bare,) = read_text('[FEN "8/8/3k4/8/8/3K4/8/8 w - - 0 1"]\n\n1. Kc3 Kc6 *')
    assert len(bare.moves) == 2


def test_reading_is_lazy_and_forgets() -> None:
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        for number in count(1):
            taken += 1
            yield f'[Event "{number}"]\n' if number % 2 else "1. e4 *\n"

    games = list(islice(pgn.read(lines()), 50))  # type: ignore[arg-type]
    assert [game.headers["Event"] for game in games] == [str(number) for number in range(1, 100, 2)]
    assert taken == 101


def test_what_is_raised(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(pgn.read(tmp_path / "none.pgn"))
    with pytest.raises(RulesError, match="'shogi'"):
        pgn.read(TROUBLES, rules="shogi")
    assert read_text("") == read_text("\n\n% nothing\n; here\n{at all}\n") == []


def test_a_number_too_long_for_python_is_told() -> None:
    (game,) = read_text(f'[Rules "ttakji:max_plies={"9" * 5000}"]\n\n1. e4 *')
    assert isinstance(game.error, RulesError)


def test_where_a_game_begins_among_headers() -> None:
    games = read_text('[Event "1"]\n[Event "2"]\n[Round "1"]\n[Round "2"]\n\n[White "a"]\n\n[White "b"]\n\n1. e4 *')
    assert [game.headers for game in games] == [
        {"Event": "1"},
        {"Event": "2", "Round": "2", "White": "a"},
        {"White": "b"},
    ]
    assert [len(game.moves) for game in games] == [0, 0, 1]


def test_spoilt_texts_raise_nothing() -> None:
    rng = random.Random(9)
    text = TROUBLES.read_text(encoding="utf-8", errors="replace")
    signs = '{}()[];%"$\\\n .*1-0exNกข'
    named = set()
    for _ in range(12):
        letters = list(text)
        for _ in range(60):
            at = rng.randrange(len(letters))
            letters[at : at + rng.choice((0, 1, 1, 5))] = rng.choice(signs)
        for game in read_text("".join(letters)):
            named.add(type(game.error))
            assert game.error is None or (isinstance(game.error, ERRORS) and "line " in str(game.error))
            game.board()
    assert named == {type(None), *ERRORS}
