"""Game records on disk: what comes back, and what is refused by name."""

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from makruk_env.core.position import POSITION
from training import records
from training.errors import RecordError
from training.records import GameRecord, check_record, read_games, write_games

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
    write_games(tmp_path / "games" / "000001.npz", GAMES)
    return tmp_path / "games" / "000001.npz"


def test_games_come_back_to_the_bit(path: Path) -> None:
    back = read_games(path)
    assert len(back) == len(GAMES)
    assert all(same(a, b) for a, b in zip(GAMES, back, strict=True))
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_no_games_at_all(tmp_path: Path) -> None:
    write_games(tmp_path / "none.npz", [])
    assert read_games(tmp_path / "none.npz") == []


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_a_file_cut_short(path: Path, share: float) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(RecordError, match=r"000001\.npz"):
        read_games(path)


def test_any_flipped_byte_is_found_or_harmless(path: Path) -> None:
    data = path.read_bytes()
    for at in [*range(50, len(data), len(data) // 40), *range(len(data) - 1400, len(data), 7)]:  # and the directory
        path.write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        try:
            back = read_games(path)
        except RecordError:
            continue
        assert all(same(a, b) for a, b in zip(GAMES, back, strict=True))


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="which is none"):
        read_games(tmp_path / "nothing.npz")


@pytest.mark.parametrize("name", ["format", "starts", "actions", "ply_offsets"])
def test_a_file_that_does_not_hold(path: Path, name: str) -> None:
    with np.load(path) as file:
        arrays = dict(file)
    changed = {
        "format": np.array(99),
        "starts": arrays["starts"][["khun", "ply"]],
        "actions": arrays["actions"][:-1],
        "ply_offsets": arrays["ply_offsets"][::-1],
    }
    np.savez_compressed(path, **(arrays | {name: changed[name]}))
    with pytest.raises(RecordError):
        read_games(path)
    del arrays[name]
    np.savez_compressed(path, **arrays)
    with pytest.raises(RecordError, match="expected arrays"):
        read_games(path)


def test_a_failed_write_leaves_the_earlier_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(file: object, **arrays: np.ndarray) -> None:
        file.write(b"half")  # type: ignore[attr-defined]
        raise OSError("the disk is full")

    monkeypatch.setattr(records.np, "savez_compressed", fail)
    with pytest.raises(OSError, match="full"):
        write_games(path, GAMES[:1])
    assert len(read_games(path)) == len(GAMES)
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


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
        (changed("edge_offsets", 0, 1), "rising numbers"),
    ],
)
def test_a_record_that_does_not_hold_is_not_written(tmp_path: Path, game: GameRecord, message: str) -> None:
    check_record(GAMES[0])
    with pytest.raises(RecordError, match=message):
        write_games(tmp_path / "game.npz", [game])
    assert not list(tmp_path.iterdir())
