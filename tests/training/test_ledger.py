"""The ledger: what a line holds, what is not played again, and what a kill or damage leaves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import agents
from agents.network.resnet import ResidualConfig, ResNet
from agents.network.weights import save_network
from training.errors import LedgerError
from training.ledger import Ledger, MatchLine, Side, SprtLine, recorded_match

PAIR = (agents.make("greedy"), agents.make("random"))


def played(path: Path, seed: int = 0) -> MatchLine:
    return recorded_match(Ledger(path), PAIR, 4, seed=seed)


def test_a_line_holds_both_sides_the_pairs_and_no_time(tmp_path: Path) -> None:
    path = tmp_path / "new" / "ledger.jsonl"
    line = played(path)
    told = json.loads(path.read_text())
    assert "time" not in told
    assert [side["agent"] for side in told["sides"]] == ["greedy", "random"]
    assert told["sides"][0]["digest"] != told["sides"][1]["digest"]  # though neither has settings
    assert sum(told["pentanomial"]) == 2
    assert told["wins"] + told["draws"] + told["losses"] == told["games"] == 4
    assert told["elo_95"][0] < told["elo"] < told["elo_95"][1]
    assert sum(told["endings"].values()) == 4
    assert Ledger(path).lines == [line]
    assert line.result.score == line.score


def test_a_known_match_is_not_played_again_and_another_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ledger.jsonl"
    first = played(path)
    before = path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr("training.ledger.play_match", None)
        assert played(path) == first
    assert path.read_bytes() == before
    for other in (
        recorded_match(Ledger(path), PAIR, 2),
        recorded_match(Ledger(path), PAIR, 4, seed=1),
        recorded_match(Ledger(path), PAIR[::-1], 4),
        recorded_match(Ledger(path), PAIR, 4, rules="fairy"),
    ):
        assert other != first
    assert len(Ledger(path).lines) == 5


def test_the_same_matches_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        played(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_games_that_are_asked_for_are_played_though_the_match_is_known(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    first, boards = played(path), []
    assert recorded_match(Ledger(path), PAIR, 4, boards=boards) == first
    assert len(boards) == 4
    assert len(Ledger(path).lines) == 1


@pytest.mark.parametrize("cut", [1, 2, 300])
def test_a_cut_off_last_line_is_dropped_by_the_next(tmp_path: Path, cut: int) -> None:
    path, whole = tmp_path / "ledger.jsonl", tmp_path / "whole.jsonl"
    for seed in (0, 1):
        played(path, seed)
        played(whole, seed)
    path.write_bytes(path.read_bytes()[:-cut])
    assert len(Ledger(path).lines) == 1
    played(path, 1)
    assert path.read_bytes() == whole.read_bytes()


def test_a_line_that_another_process_added_stays(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    ours = Ledger(path)
    played(path, seed=1)
    recorded_match(ours, PAIR, 4)
    assert [line.seed for line in Ledger(path).matches] == [1, 0]


@pytest.mark.parametrize("damage", ["nonsense", "{}", '{"kind":"match"}', "\x00"])
def test_a_damaged_line_is_told_by_its_number(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "ledger.jsonl"
    played(path)
    path.write_text(f"{path.read_text()}{damage}\n{path.read_text()}")
    with pytest.raises(LedgerError, match="line 2"):
        Ledger(path)


def test_pairs_that_the_points_contradict_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    told = json.loads(played(path).model_dump_json()) | {"points": "1111"}
    path.write_text(json.dumps(told | {"pentanomial": [1, 0, 0, 0, 1]}) + "\n")
    with pytest.raises(LedgerError, match="points"):
        Ledger(path)
    path.write_text(json.dumps(told | {"pentanomial": [0, 0, 2, 0, 0]}) + "\n")
    assert Ledger(path).lines


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="JSON lines"):
        Ledger(tmp_path)


def test_tests_stand_beside_matches(tmp_path: Path) -> None:
    sides = Side.of(PAIR[0]), Side.of(PAIR[1])
    test = SprtLine(
        rules="ttakji", seed=0, sides=sides, elo0=0, elo1=5, alpha=0.05, beta=0.05, games=2,
        pentanomial=(0, 0, 1, 0, 0), llr=0.1, verdict="open",
    )  # fmt: skip
    path = tmp_path / "ledger.jsonl"
    for _ in range(2):  # the second time it is there
        Ledger(path).append(test)
    played(path)
    assert Ledger(path).lines[0] == test
    assert len(list(Ledger(path).matches)) == len(Ledger(path).lines) - 1 == 1


def test_a_checkpoint_is_known_by_its_weights_wherever_it_lies(tmp_path: Path) -> None:
    for name, step in (("a", 1), ("b", 1), ("c", 2)):
        network = ResNet(ResidualConfig(blocks=1, channels=8))
        for value in network.parameters():
            value.data.fill_(0.25)
        save_network(tmp_path / name, network, "ttakji", step)

    def side(name: str, simulations: int = 2) -> Side:
        return Side.of(agents.make(f"mcts:checkpoint={tmp_path / name},simulations={simulations}"), name="x")

    assert side("a") == side("b")
    assert side("a").digest != side("c").digest
    assert side("a").digest != side("a", 3).digest
    assert str(tmp_path) not in side("a").model_dump_json()
