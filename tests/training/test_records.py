"""Game records on disk: what comes back, and what is refused by name."""

import io
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from makruk_env.core.position import POSITION
from training.errors import RecordError
from training.records import GameRecord, append_games, check_record, pack, read_games, read_iterations, unpack

from .games import DECLARABLE, ROOK_ENDING, random_game

GAMES = [
    random_game(seed=1, searched_from=5),
    random_game(ROOK_ENDING, seed=2),
    random_game(DECLARABLE, seed=3),
    random_game(seed=4, plies=20, truncate=True),
    random_game(seed=5, searched_from=6, plies=6, truncate=True),  # cut off before its first search
]


def same(a: GameRecord, b: GameRecord) -> bool:
    for field in fields(GameRecord):
        one, other = getattr(a, field.name), getattr(b, field.name)
        if isinstance(one, np.ndarray):
            if one.dtype != other.dtype or one.shape != other.shape or one.tolist() != other.tolist():
                return False
        elif one != other or type(one) is not type(other):
            return False
    return True


@pytest.fixture
def path(tmp_path: Path) -> Path:
    append_games(tmp_path / "games" / "games.bin", GAMES[:2], iteration=3)
    append_games(tmp_path / "games" / "games.bin", GAMES[2:], iteration=7)
    return tmp_path / "games" / "games.bin"


def test_games_come_back_to_the_bit(path: Path) -> None:
    back = list(read_games(path))
    assert len(back) == len(GAMES)
    assert all(same(a, b) for a, b in zip(GAMES, back, strict=True))
    assert [(iteration, len(games)) for iteration, games in read_iterations(path)] == [(3, 2), (7, 3)]
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_they_are_read_chunk_by_chunk(path: Path) -> None:
    games = read_games(path)
    assert same(next(games), GAMES[0])
    path.write_bytes(path.read_bytes()[:-1])
    assert same(next(games), GAMES[1])
    with pytest.raises(RecordError, match="damage"):
        next(games)


def test_no_games_at_all(tmp_path: Path) -> None:
    append_games(tmp_path / "none.bin", [])
    assert list(read_games(tmp_path / "none.bin")) == []


def test_equal_games_are_equal_bytes() -> None:
    copies = [replace(game, start=game.start.copy(), actions=game.actions.copy()) for game in GAMES]
    assert pack(GAMES, 2) == pack(copies, 2)
    assert pack(GAMES, 2) != pack(GAMES, 3)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="expected a file"):
        next(read_games(tmp_path / "nothing.bin"))


@pytest.mark.parametrize("name", ["format", "starts", "actions", "ply_offsets", "edge_priors"])
def test_a_chunk_that_does_not_hold(name: str) -> None:
    with np.load(io.BytesIO(pack(GAMES))) as file:
        arrays = dict(file)
    changed = {
        "format": np.array(1),
        "starts": arrays["starts"][["khun", "ply"]],
        "actions": arrays["actions"][:-1],
        "ply_offsets": arrays["ply_offsets"][::-1],
        "edge_priors": arrays["edge_priors"][:-1],
    }
    wrong, lacking = io.BytesIO(), io.BytesIO()
    np.savez_compressed(wrong, **(arrays | {name: changed[name]}))
    with pytest.raises(RecordError):
        unpack(wrong.getvalue())
    del arrays[name]
    np.savez_compressed(lacking, **arrays)
    with pytest.raises(RecordError, match=r"expected arrays|expected format"):
        unpack(lacking.getvalue())
    with pytest.raises(RecordError, match="npz bytes"):
        unpack(b"no zip at all")


def changed(name: str, at: int, value: object) -> GameRecord:
    array = getattr(GAMES[0], name).copy()
    array[at] = value
    return replace(GAMES[0], **{name: array})


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (replace(GAMES[0], actions=GAMES[0].actions.astype(np.int64)), "actions: expected int16"),
        (replace(GAMES[0], root_value=GAMES[0].root_value[1:]), "root_value: expected float32 of shape"),
        (replace(GAMES[0], start=np.zeros(2, POSITION)), "start: expected"),
        (replace(GAMES[0], winner=2), "winner"),
        (replace(GAMES[3], winner=1), "winner"),
        (replace(GAMES[0], termination=0), "termination"),
        (replace(GAMES[3], termination=9), "termination"),
        (changed("full", 0, True), "full plies"),
        (changed("full", -1, False), "full plies"),
        (changed("actions", 3, 1474), "0 .. 1473"),
        (changed("edge_actions", 3, -1), "0 .. 1473"),
        (changed("root_value", -1, np.nan), "root_value"),
        (changed("root_value", -1, 1.5), "root_value"),
        (changed("edge_shares", 3, 2.0), "sum of 1"),
        (changed("edge_shares", 3, np.nan), "sum of 1"),
        (changed("edge_visits", 3, -1), "edge_visits: expected at least 0"),
        (changed("edge_priors", 3, 2.0), "edge_priors: expected a sum of 1"),
        (changed("edge_offsets", 0, 1), "rising numbers"),
    ],
)
def test_a_record_that_does_not_hold_is_not_written(tmp_path: Path, game: GameRecord, message: str) -> None:
    check_record(GAMES[0])
    with pytest.raises(RecordError, match=message):
        append_games(tmp_path / "games.bin", [game])
    assert not list(tmp_path.iterdir())
