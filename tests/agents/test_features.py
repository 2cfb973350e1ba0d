"""The features of a sparse network, against a plain account of what stands, is attacked and is guarded."""

from __future__ import annotations

import numpy as np
import pytest

from agents.features import MAX_FEATURES, MIRRORED_FEATURE, NUM_FEATURES, left_bucket, list_features
from makruk_env import Board, Rules, batch
from makruk_env.core.tables import KHUN_DELTAS
from makruk_env.notation.fen import write
from makruk_env.starts import random_ending

KINDS = "KMSNRP"
STEPS = {
    "K": KHUN_DELTAS,
    "M": [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    "S": [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 1)],
    "N": [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)],
    "P": [(-1, 1), (1, 1)],
}
LINES = [(-1, 0), (1, 0), (0, -1), (0, 1)]


def features_of(board: Board) -> list[int]:
    out = np.full(MAX_FEATURES, -1, np.int32)
    count = list_features(board.position, board.rules.array[0], out)
    assert (out[count:] == -1).all()
    return out[:count].tolist()


def men_of(board: Board) -> dict[tuple[int, int], str]:
    """Return the men by (file, rank) as the mover sees the board, his own in capitals."""
    men = {}
    for down, row in enumerate(board.fen().split()[0].replace("~", "").split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
                continue
            men[file, 7 - down] = letter
            file += 1
    if board.turn == 1:
        return {(7 - file, 7 - rank): letter.swapcase() for (file, rank), letter in men.items()}
    return men


def attacks(men: dict[tuple[int, int], str], own: bool) -> set[tuple[int, int]]:
    """Return the squares that one side attacks; the other side's khun does not stop a ruea."""
    found = set()
    for (file, rank), letter in men.items():
        if letter.isupper() != own:
            continue
        ahead = 1 if own else -1
        for df, dr in STEPS.get(letter.upper(), []):
            found.add((file + df, rank + dr * ahead))
        for df, dr in LINES if letter.upper() == "R" else []:
            for far in range(1, 8):
                square = file + far * df, rank + far * dr
                found.add(square)
                if square in men and men[square] != ("k" if own else "K"):
                    break
    return {(file, rank) for file, rank in found if 0 <= file < 8 and 0 <= rank < 8}


def expected(board: Board) -> set[int]:
    men = men_of(board)
    by_side = {True: attacks(men, True), False: attacks(men, False)}
    found = set()
    for (file, rank), letter in men.items():
        own = letter.isupper()
        state = ((file, rank) in by_side[not own]) + 2 * ((file, rank) in by_side[own])
        man = KINDS.index(letter.upper()) + (0 if own else 6)
        found.add(64 * (4 * man + state) + 8 * rank + file)
        if letter.upper() == "K":
            for d, (df, dr) in enumerate(KHUN_DELTAS):
                square = file + df, rank + dr
                first = 3072 + 3 * (8 * (not own) + d)
                if not (0 <= square[0] < 8 and 0 <= square[1] < 8):
                    found.add(first)
                elif square in men and men[square].isupper() == own:
                    found.add(first + 1)
                elif square in by_side[not own]:
                    found.add(first + 2)
    count = board.count
    if count:
        left = count.limit - count.number
        bucket = left if left < 16 else min(8 + left // 2, 40)
        kind, whose = int(count.kind.name == "BOARD"), int(count.counter != board.turn)
        found.add(3120 + 41 * (2 * kind + whose) + bucket)
    position = board.position
    if position["repetition"]:
        found.add(3284 + (position["repetition"] > 1))
    if position["turn_flag"]:
        found.add(3286 + (position["turn_flag"] == 1))
    for whose in range(2):
        checks = position[("streak_white", "streak_black")[board.turn ^ whose]]
        if checks:
            found.add(3288 + 8 * whose + min(int(checks), 8) - 1)
    for bit in range(16):
        if position["rights"] >> bit & 1:
            file, theirs = bit % 8, bit // 8 != board.turn
            found.add(3304 + 8 * theirs + (file if board.turn == 0 else 7 - file))
    if board.rules.max_plies:
        left = max(board.rules.max_plies - board.ply, 0)
        found.add(3320 + min(7, 8 * left // board.rules.max_plies))
    return found


@pytest.mark.parametrize(
    "rules", ["ttakji", "fairy", "cambodian", "ttakji:max_plies=120", "ttakji:perpetual_check=loss"]
)
def test_features_are_those_of_a_plain_account(rules: str) -> None:
    rng = np.random.default_rng(5)
    seen: set[int] = set()
    for i in range(24):
        board = Board(rules=rules) if i % 2 else Board(write(random_ending(rng, rules), Rules.of(rules)), rules)
        while board.outcome is None and board.ply < 120:
            got = features_of(board)
            assert len(set(got)) == len(got)
            assert set(got) == expected(board), board.fen()
            seen |= set(got)
            board.push(int(rng.choice(board.legal_actions())))
    assert max(seen) < NUM_FEATURES
    assert len(seen & set(range(3120, 3284))) > 20  # counts ran


def test_buckets_of_a_count_rise_to_the_last() -> None:
    buckets = [left_bucket(left) for left in range(-1, 80)]
    assert buckets[:17] == [0, *range(16)]
    assert sorted(buckets) == buckets
    assert max(buckets) == 40


@pytest.mark.parametrize("rules", ["ttakji", "cambodian"])
def test_a_mirrored_board_has_the_mirrored_features(rules: str) -> None:
    assert (MIRRORED_FEATURE[MIRRORED_FEATURE] == np.arange(NUM_FEATURES)).all()
    games = batch.new(32, rules, seed=3)
    batch.random_play(games, 45)
    for i in range(32):
        if games.ended[i]:
            continue
        board = Board(games.fen(i), Rules.of(rules))
        assert sorted(features_of(board.mirror())) == sorted(MIRRORED_FEATURE[features_of(board)].tolist())
        assert features_of(board.turned()) != []
        assert set(features_of(board.turned())) == set(features_of(board))
