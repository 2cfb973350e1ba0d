"""What a network says of one position by itself: what its evaluator says of it in a search."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import agents
from agents.network import ResidualConfig, ResNet, SparseConfig, SparseNet
from agents.network.evaluator import NetworkEvaluator
from agents.network.outlook import outcomes
from agents.search.analysis import Analysis
from makruk_env import Board

FEN = "r1smk1nr/3n4/ppspp1pp/5p2/2P2P2/PPNPP1PP/4N3/R1SKMS1R b - - 0 10"


def test_a_residual_network_says_what_its_evaluator_does() -> None:
    torch.manual_seed(1)
    network, board = ResNet(ResidualConfig(blocks=1, channels=8)), Board(FEN)
    _, shares = NetworkEvaluator(network).evaluate(board.observation()[None])
    np.testing.assert_allclose(outcomes(network, board), shares[0], atol=1e-5)


@pytest.mark.parametrize("fen", [None, FEN])
def test_a_sparse_network_says_what_the_search_is_told(fen: str | None) -> None:
    torch.manual_seed(1)
    network, board = SparseNet(SparseConfig(width=16, value_hidden=8)), Board(fen)
    with torch.no_grad():
        network.value_out.weight.normal_()
    win, draw, loss = outcomes(network, board)
    assert sum((win, draw, loss)) == pytest.approx(1)
    analysis = Analysis.of(board, network.compiled())
    analysis.go_on(1)
    assert analysis.search.nodes["value"][0, 0] == pytest.approx(win - loss, abs=1e-4)


def test_an_agent_with_a_network_tells_it() -> None:
    expected = agents.make("mcts:baseline=sparse").outcomes(Board("8/3k4/8/2K1S1R1/8/8/8/7R w - - 0 1"))
    assert expected is not None
    assert expected[0] > 0.9
    assert agents.make("mcts:evaluator=uniform").outcomes(Board()) is None
