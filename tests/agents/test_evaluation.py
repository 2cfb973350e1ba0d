"""What a position is worth where men stand and counts run."""

from __future__ import annotations

import numpy as np
import pytest

from agents.evaluation import can_mate, distance, evaluate_places, ground_of
from agents.places import PLACES
from makruk_env import Board
from makruk_env.core.tables import KHUN, SQUARE
from makruk_env.starts import random_ending, random_opening, random_placing


def worth(fen: str, rules: str = "ttakji") -> int:
    board = Board(fen, rules)
    assert board.outcome is None
    return int(evaluate_places(board.position))


def test_the_tables_are_their_own_mirror_image() -> None:
    boards = PLACES.reshape(2, 6, 8, 8)
    assert (boards == boards[..., ::-1]).all()
    assert (PLACES[0] != PLACES[1]).any(axis=1).all()  # no kind is worth the same everywhere in both


@pytest.mark.parametrize("rules", ["ttakji", "fairy", "cambodian", "sut"])
def test_neither_a_turn_nor_a_reflection_changes_a_worth(rules: str) -> None:
    rng = np.random.default_rng(5)
    starts = [random_opening(rng, rules, 10, 60) for _ in range(20)] + [random_ending(rng, rules) for _ in range(20)]
    starts += [random_placing(rng, rules, "KRSM", "K") for _ in range(10)]
    counts, worths = 0, set()
    for start in starts:
        board = Board(rules=rules)._begin_at(start)
        here = int(evaluate_places(board.position))
        turned, mirrored = board.turned(), board.mirror()
        assert evaluate_places(turned.position) == here
        assert evaluate_places(mirrored.position) == here
        assert evaluate_places(mirrored.turned().position) == here
        counts += board.count is not None
        worths.add(here)
    assert len(worths) > 40
    assert counts >= 10


def test_the_usual_array_is_even() -> None:
    assert worth("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1") == 0


def test_men_count() -> None:
    for missing in "rnsmp":
        placed = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR".replace(missing, "1", 1)
        assert worth(f"{placed} w - - 0 1") > 50
        assert worth(f"{placed} b - - 0 1") < -50


def test_a_bia_is_worth_more_the_nearer_it_is_to_its_promotion() -> None:
    worths = [worth(f"4k3/2m5/8/{'8/' * (5 - rank)}P7/{'8/' * (rank - 2)}4K3 w - - 0 1") for rank in (3, 4, 5)]
    assert worths == sorted(set(worths))


def test_a_khun_hides_while_there_are_men_and_comes_out_when_there_are_none() -> None:
    home, middle = 3, 3 + 8 * 3
    assert PLACES[0, KHUN, home] > PLACES[0, KHUN, middle]
    assert PLACES[1, KHUN, home] < PLACES[1, KHUN, middle]


def test_a_bare_khun_is_hunted_to_the_edge_by_the_other_khun() -> None:
    middle, edge, corner = (worth(f"{placed} w - - 0 1") for placed in
                            ("8/8/3k4/8/3K4/8/8/P6R", "3k4/8/3K4/8/8/8/8/P6R", "k7/8/K7/8/8/8/8/P6R"))  # fmt: skip
    assert middle < edge < corner
    assert worth("k7/8/8/8/8/8/8/P3K2R w - - 0 1") < corner


def test_the_ground_of_a_bare_khun_ends_where_the_chaser_rules() -> None:
    board = Board("k7/8/8/R7/8/8/8/4K3 b - - 0 1")
    ground = int(ground_of(board.position, 1))
    on_file_a = sum(int(SQUARE[square]) for square in range(8, 64, 8))
    assert ground & on_file_a == int(SQUARE[56]) | int(SQUARE[32])  # he may take the ruea
    assert ground.bit_count() < 48
    cut_off = Board("k7/8/R7/8/8/8/8/1R2K3 b - - 0 1")
    assert int(ground_of(cut_off.position, 1)) == int(SQUARE[56])


@pytest.mark.parametrize(
    ("men", "enough"),
    [("R", True), ("P", True), ("SS", True), ("SM", True), ("NN", True), ("N", False), ("S", False), ("MM", False)],
)
def test_men_that_cannot_mate_are_worth_little(men: str, enough: bool) -> None:
    board = Board(f"8/4k3/8/{men}{8 - len(men)}/8/3K4/8/8 w - - 0 1")
    assert bool(can_mate(board.position, 0)) == enough
    assert (int(evaluate_places(board.position)) > 200) == enough


def test_a_lead_is_worth_less_when_a_count_leaves_too_few_moves() -> None:
    worths = [worth(f"8/4k3/8/8/2R5/2K5/8/8 w - 32 {2 * n - 1} 50") for n in range(3, 16)]
    assert worths == sorted(worths, reverse=True)
    assert worth("8/4k3/8/8/2R5/2K5/8/8 w - - 0 1") > worths[0] > 2 * worths[-3] > 0
    assert worth("8/4k3/8/8/2R5/2K5/8/8 w - 32 31 50") == 0


def test_a_board_count_takes_from_the_chaser_alone() -> None:
    placed = "1k6/8/1K6/4m3/8/3S4/8/5S2"
    full, late = worth(f"{placed} w - - 0 50"), worth(f"{placed} w - 128 119 50")  # 60 of 64
    assert 0 < late < full / 4
    counter_ahead = "1k6/8/1K6/4m3/8/3S4/8/5S2 w - 128 118 50"  # White counts, and is ahead himself
    assert worth(counter_ahead) == full


def test_distances() -> None:
    assert [int(distance(0, square)) for square in (0, 1, 8, 9, 63, 7, 58)] == [0, 1, 1, 1, 7, 7, 7]
