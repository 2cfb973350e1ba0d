"""A hundred thousand broken texts into the readers: only named errors come out, and nothing is half done."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Sequence

import pytest

from makruk_env import Board, FenError, IllegalMoveError, MoveTextError, PgnError, RulesError, pgn
from makruk_env.rules import PRESETS
from tests.judges.starts import scenarios

_LETTERS = 'abcdefgh12345678KMSNRPkmsnrp/ -wbDEde~x=+#()[]{};$.%*"\\0\n\t ขมครก็๕½🙂\x00\u200f'
_GAME = '[Rules "ttakji"]\n\n1. e4 {a comment} e5 (1... d5 $3) 2. Nd2 {[%count none]} f5 ; rest\n3. Me2 1/2-1/2\n'


def broken(rng: random.Random, good: Sequence[str]) -> str:
    """Return a text with a few letters changed, added, lost, repeated or swapped, or one of nothing but noise."""
    text = list(rng.choice(good))
    if rng.random() < 0.05:
        return "".join(rng.choices(_LETTERS, k=rng.randint(0, 60)))
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        what = rng.randrange(5)
        if what == 0:
            text.insert(at, rng.choice(_LETTERS))
        elif what == 1:
            del text[at : at + rng.randint(1, 3)]
        elif what == 2:
            text[at : at + 1] = rng.choice(_LETTERS)
        elif what == 3:
            text[at:at] = text[at : at + rng.randint(1, 8)]
        else:
            other = list(rng.choice(good))
            text[at:] = other[rng.randint(0, len(other)) :]
    return "".join(text)


def fuzz(times: int, good: Sequence[str], read: Callable[[str], object], errors: tuple[type[Exception], ...]) -> None:
    """Read so many broken texts; some are read, most refused, and both must happen."""
    rng = random.Random(times)
    refused = 0
    for _ in range(times):
        text = broken(rng, good)
        try:
            read(text)
        except errors:
            refused += 1
        except Exception as error:
            raise AssertionError(f"{error!r} from {text!r}") from error
    assert times // 20 < refused < times


def test_fens() -> None:
    rng = random.Random(0)
    fens = sorted({scenario.fen for _, scenario in scenarios() if scenario.fen})
    fuzz(20_000, fens, lambda text: Board(text, rng.choice([*PRESETS])), (FenError,))


def test_uci_texts() -> None:
    board = Board("r3k2r/1p4P1/2P5/3s4/4S3/5p2/P5P1/R3K3 w - - 7 31", "ttakji:promotion=optional")
    before = board.fen()

    def read(text: str) -> None:
        board.push_uci(text)
        board.pop()

    fuzz(40_000, [move.uci() for move in board.legal_moves], read, (MoveTextError, IllegalMoveError))
    assert board.fen() == before


def test_san_texts() -> None:
    board = Board("r3k2r/1p4P1/2P5/3s4/4S3/5p2/P5P1/R3K3 w - - 7 31", "ttakji:promotion=optional")
    before = board.fen()
    good = [board.san(move, thai=thai) for move in board.legal_moves for thai in (False, True)]
    fuzz(35_000, good, board.parse_san, (MoveTextError, IllegalMoveError))
    assert board.fen() == before


def test_pgn_texts() -> None:
    named = (PgnError, FenError, RulesError, MoveTextError, IllegalMoveError)
    errors = games = 0

    def read(text: str) -> None:
        nonlocal errors, games
        for game in pgn.read(io.StringIO(text)):
            games += 1
            if game.error is not None:
                errors += 1
                assert isinstance(game.error, named)
                raise game.error

    fuzz(5_000, [_GAME, _GAME.replace("ttakji", "ouk") + "\n" + _GAME], read, named)
    assert 0 < errors < games


@pytest.mark.parametrize("text", [None, 3, b"e3e4", ["e4"]])
def test_what_is_no_text_at_all(text: object) -> None:
    board = Board()
    with pytest.raises(MoveTextError):
        board.push_uci(text)  # type: ignore[arg-type]
    with pytest.raises(MoveTextError):
        board.parse_san(text)  # type: ignore[arg-type]
