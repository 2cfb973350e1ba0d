"""How networks agree with people: the figures are those of a plain count over a small file."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch

from agents.network import Network, ResidualConfig, ResNet, SparseConfig, SparseNet
from agents.network.weights import MODEL_FILE, save_network
from agents.search import Search
from makruk_env import batch
from training.agreement import HumanMoves, agreement, agreements, calibrated_loss, read_moves
from training.errors import RecordError

from .test_cli import run as run_command

GAMES = """[Variant "Makruk"]
[Result "1-0"]

1. e4 e5 2. Ne2 Nd7 3. d4 exd4 1-0

[Variant "Makruk"]

1. d4 d5 2. c4 1/2-1/2

[Variant "Cambodian"]
[Result "0-1"]

1. e4 e5 0-1

[Variant "Makruk"]
[Result "*"]

1. e4 *

[Variant "Makruk"]
[Result "0-1"]

1. e4 e6 2. e6 0-1
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(GAMES, encoding="utf-8")
    return path


def small(kind: str) -> Network:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(2)
        size = SparseConfig(width=16, value_hidden=8)
        net = SparseNet(size) if kind == "sparse" else ResNet(ResidualConfig(blocks=1, channels=8))
        with torch.no_grad():
            for parameter in net.parameters():
                parameter += 0.1 * torch.randn_like(parameter)
    return net.eval()


def test_what_is_read(file: Path) -> None:
    """The first two games: whatever is unfinished, unreadable or of another variant is left out."""
    moves = read_moves(file)
    assert (moves.games, len(moves.positions)) == (2, 9)
    assert moves.by_winner.tolist() == [True, False] * 3 + [False] * 3
    assert moves.outcome.tolist() == [0, 2] * 3 + [1] * 3
    assert moves.game.tolist() == [0] * 6 + [1] * 3
    assert np.diff(moves.offsets).tolist()[:2] == [23, 23]
    np.testing.assert_allclose(moves.base_rates(), [1 / 3] * 3)
    assert moves.blind_loss == pytest.approx(math.log(3))
    assert read_moves(file, "cambodian").games == 1
    with pytest.raises(RecordError, match="got none"):
        read_moves(file, "ouk")


def counted(net: Network, moves: HumanMoves) -> tuple[float, float]:
    """Return how often a search of the root alone ranks the winners' moves first, and among the first five."""
    from agents.network import make_evaluator

    games = batch.new(len(moves.positions), moves.rules)
    games.starts[:] = moves.positions
    batch.reset(games, np.ones(len(moves.positions), bool))
    roots = Search(len(games), 1).run(games, make_evaluator(net))
    ranks = []
    for i in np.flatnonzero(moves.by_winner):
        action = moves.actions[moves.offsets[i] + moves.played[i]]
        priors = roots.priors[i, : roots.counts[i]]
        own = priors[roots.actions[i, : roots.counts[i]].tolist().index(action)]
        ranks.append(int((priors >= own).sum()))
    return float(np.mean(np.array(ranks) <= 1)), float(np.mean(np.array(ranks) <= 5))


@pytest.mark.parametrize("kind", ["sparse", "residual"])
def test_the_figures_are_those_of_a_plain_count(file: Path, kind: str) -> None:
    moves, net = read_moves(file), small(kind)
    told = agreement(net, 7, moves)
    assert told.step == 7
    assert (told.first, told.among_first) == counted(net, moves)
    chosen = moves.actions[moves.offsets[:-1] + moves.played]
    likely = HumanMoves(**{**vars(moves), "played": np.zeros(9, np.int64)})
    assert len(set(chosen.tolist())) > 4
    assert agreement(net, 7, likely).value_loss == told.value_loss > 0


def test_equal_priors_count_against_the_move(file: Path) -> None:
    net = small("sparse")
    with torch.no_grad():
        net.policy.zero_()
        net.policy_bias.zero_()
        net.value_out.weight.zero_()
        net.value_out.bias.zero_()
    told = agreement(net, 0, read_moves(file))
    assert (told.first, told.among_first) == (0.0, 0.0)
    assert told.value_loss == pytest.approx(math.log(3), abs=1e-6)


def test_a_network_too_sure_of_draws_is_known_by_its_calibrated_loss(file: Path) -> None:
    """Sharpened and pushed towards draws, the true chances tell what they told before."""
    rng, count = np.random.default_rng(4), 20_000
    chances = rng.dirichlet([1.0, 1.0, 1.0], count)
    outcome = (rng.random((count, 1)) > chances.cumsum(1)).sum(1).clip(0, 2)
    moves = HumanMoves(**{**vars(read_moves(file)), "outcome": outcome, "game": np.arange(count) // 50, "games": 400})
    true = torch.log(torch.from_numpy(chances))
    wrong = 2.5 * true + torch.tensor([0.0, 3.0, 0.0])
    odd = moves.game % 2 == 1
    expected = float(torch.nn.functional.nll_loss(true[odd], torch.from_numpy(outcome[odd])))
    assert calibrated_loss(true, moves) == pytest.approx(expected, abs=0.01)
    assert calibrated_loss(wrong, moves) == pytest.approx(expected, abs=0.01)
    assert float(torch.nn.functional.cross_entropy(wrong, torch.from_numpy(outcome))) > expected + 0.5


def test_checkpoints_along_a_run(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for step in (0, 5, 10, 15, 20):
        folder = tmp_path / "run" / "checkpoints" / f"{step:06d}"
        folder.mkdir(parents=True)
        save_network(folder / MODEL_FILE, small("sparse"), "ttakji", step)
    seen: list[tuple[int, int]] = []
    found = agreements(tmp_path / "run", read_moves(file), 3, lambda done, total: seen.append((done, total)))
    assert [each.step for each in found] == [0, 10, 20]
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert run_command(monkeypatch, "agree", str(tmp_path / "run"), "--games", str(file), "--json") == 0
    assert [each["step"] for each in json.loads(capsys.readouterr().out)] == [0, 5, 10, 15, 20]
    assert run_command(monkeypatch, "agree", str(tmp_path / "run"), "--games", str(file)) == 0
    assert "2 games, 9 positions, 3 moves of winners" in capsys.readouterr().out
    assert run_command(monkeypatch, "agree", str(tmp_path / "run"), "--games", str(file), "--variant", "chess") == 2


def test_games_that_nobody_won_tell_nothing(tmp_path: Path) -> None:
    path = tmp_path / "drawn.pgn"
    path.write_text('[Variant "Makruk"]\n\n1. d4 d5 1/2-1/2\n', encoding="utf-8")
    with pytest.raises(RecordError, match="won"):
        read_moves(path)
