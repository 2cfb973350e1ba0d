"""The evaluator: arrays in and out, equal to the network, and what is refused."""

import numpy as np
import pytest
import torch

from agents.errors import CheckpointError
from agents.network import NetworkEvaluator, load_evaluator
from agents.network.weights import MODEL_FILE, save_network
from makruk_env import NUM_ACTIONS, batch

from .test_resnet import network, planes, shake


def test_it_says_what_the_network_says() -> None:
    net = shake(network()).eval()
    logits, outcomes = NetworkEvaluator(net).evaluate(planes(5).numpy())
    expected_logits, expected_outcomes = net(planes(5))
    assert logits.shape == (5, NUM_ACTIONS)
    assert logits.dtype == outcomes.dtype == np.float32
    np.testing.assert_allclose(logits, expected_logits.detach().numpy(), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(outcomes, expected_outcomes.softmax(1).detach().numpy(), atol=1e-4)
    np.testing.assert_allclose(outcomes.sum(1), 1, atol=1e-6)


def test_bfloat16_is_close() -> None:
    net = network().eval()
    fp32, bf16 = NetworkEvaluator(net), NetworkEvaluator(net, precision="bf16")
    for full, half in zip(fp32.evaluate(planes(8).numpy()), bf16.evaluate(planes(8).numpy()), strict=True):
        assert half.dtype == np.float32
        np.testing.assert_allclose(half, full, atol=0.02)


def test_a_row_does_not_depend_on_the_others() -> None:
    evaluator = NetworkEvaluator(shake(network()))
    together = evaluator.evaluate(planes(6).numpy())
    for i in range(6):
        for row, whole in zip(evaluator.evaluate(planes(6).numpy()[i : i + 1]), together, strict=True):
            np.testing.assert_allclose(row[0], whole[i], rtol=1e-4, atol=1e-4)


def test_it_keeps_its_weights_while_the_network_trains_on() -> None:
    net = network()
    evaluator = NetworkEvaluator(net)
    before = evaluator.evaluate(planes(2).numpy())[0].copy()
    shake(net)
    np.testing.assert_array_equal(evaluator.evaluate(planes(2).numpy())[0], before)


def test_it_takes_what_the_games_give() -> None:
    games = batch.new(3)
    logits, outcomes = NetworkEvaluator(network()).evaluate(batch.observe(games))
    assert np.isfinite(logits).all()
    assert np.isfinite(outcomes).all()


@pytest.mark.parametrize(
    "wrong",
    [np.zeros((2, 24, 8, 8), np.float32), np.zeros((25, 8, 8), np.float32), np.zeros((2, 25, 8, 8), np.float64)],
)
def test_other_planes_are_refused(wrong: np.ndarray) -> None:
    with pytest.raises(ValueError, match="planes: expected float32"):
        NetworkEvaluator(network()).evaluate(wrong)


def test_another_precision_is_refused() -> None:
    with pytest.raises(ValueError, match="'fp16'"):
        NetworkEvaluator(network(), precision="fp16")  # type: ignore[arg-type]


def test_from_a_file_a_checkpoint_and_a_run(tmp_path) -> None:
    run = tmp_path / "run"
    for step, seed in ((9, 1), (10, 2), (1000000, 3)):
        folder = run / "checkpoints" / f"{step:06d}"
        folder.mkdir(parents=True)
        save_network(folder / MODEL_FILE, network(seed), "ttakji", step)
    (run / "checkpoints" / ".writing-2000000").mkdir()  # left by a kill
    expected = NetworkEvaluator(network(3)).evaluate(planes(2).numpy())[0]
    for path in (run, run / "checkpoints" / "1000000", str(run / "checkpoints" / "1000000" / MODEL_FILE)):
        np.testing.assert_array_equal(load_evaluator(path).evaluate(planes(2).numpy())[0], expected)


def test_no_checkpoint_is_an_error_by_name(tmp_path) -> None:
    for path in (tmp_path, tmp_path / "none", tmp_path / "none.safetensors"):
        with pytest.raises(CheckpointError, match="expected"):
            load_evaluator(path)


def test_the_random_numbers_of_the_caller_are_left_alone(tmp_path) -> None:
    save_network(tmp_path / MODEL_FILE, network(), "ttakji", 1)
    before = torch.get_rng_state()
    load_evaluator(tmp_path)
    assert torch.equal(before, torch.get_rng_state())
