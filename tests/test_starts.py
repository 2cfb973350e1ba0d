"""Start positions drawn by lot."""

from __future__ import annotations

import numpy as np
import pytest

from makruk_env import Board, CountKind, Rules
from makruk_env.errors import StartError
from makruk_env.notation.fen import read, write
from makruk_env.starts import make_start, random_ending, random_opening


@pytest.mark.parametrize("rules", ["ttakji", "fairy"])
def test_endings_go_on_are_lopsided_and_differ(rules: str) -> None:
    rng = np.random.default_rng(1)
    fens = [write(random_ending(rng, rules), Rules.of(rules)) for _ in range(200)]
    assert len(set(fens)) > 190
    sides = set()
    for fen in fens:
        board = Board(fen, rules)
        assert board.outcome is None
        men = fen.split()[0]
        upper, lower = (sum(letter in letters for letter in men) for letters in ("KMSNRP", "kmsnrp"))
        assert upper != lower or upper > 1
        sides.add((upper > lower, board.turn))
    assert len(sides) == 4


def test_the_same_generator_draws_the_same_starts() -> None:
    first, again = (random_ending(np.random.default_rng(7), "ttakji") for _ in range(2))
    assert first.tobytes() == again.tobytes()


def test_openings_are_reached_by_so_many_plies() -> None:
    rng = np.random.default_rng(2)
    plies = {int(random_opening(rng, "ttakji", 2, 5).ply) for _ in range(60)}
    assert plies == {2, 3, 4, 5}


def test_a_start_is_what_its_fen_says() -> None:
    rules = Rules.of("fairy")
    start = random_ending(np.random.default_rng(3), rules)
    again = read(write(start, rules), rules)[0]
    for name in ("khun", "met", "khon", "ma", "ruea", "bia", "white", "side", "count_kind", "count_number"):
        assert start[name] == again[name]


@pytest.mark.parametrize("rules", ["ttakji", "fairy", "cambodian", "pychess"])
@pytest.mark.parametrize("men", ["KRM v K", "KNNM v K", "KRR v K", "KSvK"])
def test_placed_men_with_the_count_begun(rules: str, men: str) -> None:
    draw = make_start(men, rules)
    assert draw is not None
    rng = np.random.default_rng(4)
    strong = {"KRM v K": 4, "KNNM v K": 5, "KRR v K": 4, "KSvK": 3}[men]
    seen = set()
    for _ in range(60):
        record = draw(rng)
        board = Board(write(record, Rules.of(rules)), rules)
        assert board.outcome is None
        assert board.count is not None
        assert (board.count.kind, board.count.number) == (CountKind.PIECES, strong)
        seen.add((board.turn, board.count.counter))
    assert len(seen) == 4


def test_placed_men_with_bia_count_nothing_yet() -> None:
    draw = make_start("KRP v KM", "ttakji")
    assert draw is not None
    board = Board(write(draw(np.random.default_rng(1)), Rules()))
    assert board.count is None
    assert sorted(letter.upper() for letter in board.fen().split()[0] if letter.isalpha()) == list("KKMPR")


def test_starts_by_name() -> None:
    rng = np.random.default_rng(2)
    assert make_start(None, "ttakji") is None
    for text in ("opening", "opening:2-2", "ending", "3k4/2m5/8/8/3KS3/4R3/8/8 w - - 0 40"):
        draw = make_start(text, "ttakji")
        assert draw is not None
        assert draw(rng).termination == 0
    draw = make_start("opening:2-2", "ttakji")
    assert draw is not None
    assert draw(rng).ply == 2


@pytest.mark.parametrize("text", ["nowhere", "opening:5-2", "KQ v K", "RM v K", 7, ""])
def test_a_text_that_names_no_start(text: object) -> None:
    with pytest.raises(StartError, match="start: expected"):
        make_start(text, "ttakji")  # type: ignore[arg-type]


def test_men_that_cannot_stand_in_a_game() -> None:
    draw = make_start("K v K", "ttakji")
    assert draw is not None
    with pytest.raises(StartError, match="K v K"):
        draw(np.random.default_rng(0))
