"""The networks that come with the package, and the levels made of them."""

from __future__ import annotations

import hashlib
import re

import pytest

import agents
from agents.baselines import FOLDER, LEVELS, baseline_file, baselines
from agents.network.weights import load_network
from makruk_env import Board, Rules

MOST_BYTES = 3_000_000


def test_both_networks_are_there() -> None:
    assert baselines() == ("residual", "sparse")
    with pytest.raises(agents.AgentError, match="sparse"):
        baseline_file("dense")


@pytest.mark.parametrize("name", baselines())
def test_a_card_tells_of_the_network_beside_it(name: str) -> None:
    """What a card says of the file is of this file: a network that is replaced needs a new card."""
    file = baseline_file(name)
    assert file.stat().st_size < MOST_BYTES
    saved, card = load_network(file), (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert hashlib.sha256(file.read_bytes()).hexdigest() in card
    assert f"{saved.step:,} steps" in card
    assert f"`{saved.rules}`" in card
    assert Rules.preset(saved.rules)
    for told in ("CPU-hours", "seed", "Elo", "configs/"):
        assert told in card, told
    assert re.search(r"-?\d+ ± \d+", card), "an Elo with its interval"


@pytest.mark.parametrize("name", baselines())
def test_a_baseline_mates(name: str) -> None:
    agent = agents.make(f"mcts:baseline={name},simulations=50")
    board = Board("7k/8/5K2/8/8/8/8/R5R1 w - - 0 1")
    for _ in range(5):
        board.push(agent.choose(board, seed=1))
        if board.outcome:
            break
    assert board.outcome is not None
    assert board.outcome.winner == 0
    assert agent.settings()["baseline"] == f"sha256:{hashlib.sha256(baseline_file(name).read_bytes()).hexdigest()}"


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_an_agent(level: str) -> None:
    agent = agents.make(level)
    assert agent.spec == LEVELS[level]
    board = Board()
    assert agent.choose(board, seed=3) in board.legal_actions()


def test_a_level_takes_no_settings() -> None:
    with pytest.raises(agents.AgentError, match="easy"):
        agents.make("easy:simulations=3")
