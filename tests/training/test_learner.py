"""The learner: losses and their gradients, the schedule, the average, and a resume to the bit."""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from agents.network.device import Device
from agents.network.heads import AUXILIARY, PLIES_LEFT
from agents.network.resnet import ResidualConfig
from makruk_env import NUM_ACTIONS
from tests.needs import needs_gpu
from training.config import LearnerConfig, ReplayConfig
from training.learner import Learner, auxiliary_losses, learning_rate, legal_log_softmax, policy_loss, value_loss
from training.replay import Batch, Replay
from training.targets import Rows, join, rows_of

from .games import DECLARED_THEN_MATED, ROOK_ENDING, played, random_game

SMALL = ResidualConfig(blocks=2, channels=16, policy_channels=8, value_channels=2, value_hidden=16)
WITH_HEADS = SMALL.model_copy(update={"auxiliary": True})
UNTRAINED = {f"{name}_weight": 0.0 for name in AUXILIARY}


@cache
def rows() -> Rows:
    """Return the rows of a drawn game, a decided one, and one that was cut off."""
    decided = played(DECLARED_THEN_MATED, ["start", "a1b2", "a7a8"])
    games = [random_game(ROOK_ENDING, seed=2), decided, random_game(seed=4, plies=5, truncate=True)]
    return join([rows_of(game, ReplayConfig()) for game in games])


def draw(size: int = 16, seed: int = 0) -> Batch:
    replay = Replay(ReplayConfig(), "ttakji", seed)
    replay.add(rows())
    return replay.sample(size)


def learner(**config: object) -> Learner:
    return Learner(LearnerConfig(**config), SMALL, seed=1)


def legal_set() -> torch.Tensor:
    legal = torch.zeros(2, NUM_ACTIONS, dtype=torch.bool)
    legal[0, [3, 700, 1473]] = True
    legal[1, 5] = True
    return legal


@pytest.mark.parametrize("extreme", [0.0, 1e30, 3e38, -3e38, math.inf, -math.inf, math.nan])
def test_illegal_logits_have_no_say(extreme: float) -> None:
    legal = legal_set()
    logits = torch.full((2, NUM_ACTIONS), extreme)
    logits[legal] = torch.tensor([1.0, 2.0, 3.0, -4.0])
    logits.requires_grad_()
    policy = torch.zeros(2, NUM_ACTIONS)
    policy[0, 3], policy[0, 700], policy[1, 5] = 0.5, 0.5, 1
    logs = legal_log_softmax(logits, legal)
    assert torch.isfinite(logs).all()
    shares = torch.where(legal, logs.exp(), 0)
    torch.testing.assert_close(shares.sum(1), torch.ones(2))
    torch.testing.assert_close(shares[0, [3, 700, 1473]], torch.softmax(torch.tensor([1.0, 2.0, 3.0]), 0))
    loss = policy_loss(logits, policy, legal)
    loss.backward()
    assert math.isfinite(loss.item())
    assert (logits.grad[~legal] == 0).all()
    assert (logits.grad[0, [3, 700, 1473]] != 0).all()


@pytest.mark.parametrize("largest", [1e30, 3e38])
def test_extreme_legal_logits_stay_finite(largest: float) -> None:
    legal = legal_set()
    logits = torch.zeros(2, NUM_ACTIONS)
    logits[0, 3] = largest
    assert torch.isfinite(legal_log_softmax(logits, legal)).all()


def test_the_policy_loss_is_the_cross_entropy() -> None:
    legal, logits = legal_set(), torch.randn(2, NUM_ACTIONS, generator=torch.Generator().manual_seed(0))
    policy = torch.zeros(2, NUM_ACTIONS)
    policy[0, 3], policy[0, 700], policy[1, 5] = 0.25, 0.75, 1
    three = torch.log_softmax(logits[0, [3, 700, 1473]], 0)
    expected = -(0.25 * three[0] + 0.75 * three[1]) / 2  # the second row has one legal action: no loss
    torch.testing.assert_close(policy_loss(logits, policy, legal), expected)


def test_rows_without_a_known_result_do_not_move_the_value() -> None:
    outcomes = torch.zeros(3, 3, requires_grad=True)
    target = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])
    loss = value_loss(outcomes, target, torch.tensor([1.0, 0, 1]))
    loss.backward()
    assert loss.item() == pytest.approx(math.log(3))  # the mean over two rows, not three
    assert not outcomes.grad[1].any()
    assert outcomes.grad[0, 0] < 0 < outcomes.grad[2, 0]
    assert value_loss(outcomes, target, torch.zeros(3)).item() == 0


def test_auxiliary_losses_by_hand() -> None:
    """Squares, but Huber's loss of the plies left; rows without weight have no part and get no gradient."""
    predicted = torch.zeros(3, len(AUXILIARY), requires_grad=True)
    target = torch.tensor([[0.5] * 4, [-1.0] * 4, [2.0] * 4])
    weight = torch.tensor([[1.0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 0]])
    losses = auxiliary_losses(predicted, target, weight)
    # Huber with delta 1/2: 1/8 at an error of 1/2, and 1/2 (2 - 1/4) at one of 2.
    expected = torch.tensor([(0.25 + 1) / 2, (0.25 + 1) / 2, (0.125 + 0.875) / 2, 0])
    torch.testing.assert_close(losses, expected)
    assert AUXILIARY[2] == AUXILIARY[PLIES_LEFT] == "plies_left"
    losses.sum().backward()
    assert torch.equal(predicted.grad != 0, weight > 0)
    assert predicted.grad[0, 0] < 0 < predicted.grad[1, 0]


def test_the_auxiliary_heads_learn_what_they_are_told() -> None:
    batch = draw(24)
    config = LearnerConfig(warmup_steps=0, learning_rate=5e-3, weight_decay=0, ema_decay=0.8)
    fitted = Learner(config, WITH_HEADS, seed=3)
    for _ in range(120):
        losses = fitted.step(batch, 0.0)
    assert len(losses.auxiliary) == len(AUXILIARY)
    assert max(losses.auxiliary) < 0.02
    weights = [getattr(config, f"{name}_weight") for name in AUXILIARY]
    heads = sum(weight * loss for weight, loss in zip(weights, losses.auxiliary, strict=True))
    assert losses.total == pytest.approx(losses.policy + losses.value + heads, rel=1e-5)
    fitted.network.eval()
    with torch.no_grad():
        told = fitted.network.for_learner(torch.from_numpy(batch.inputs), torch.from_numpy(batch.actions))[2].numpy()
    known = batch.auxiliary_weight > 0
    assert known.any(0).all()
    assert not known.all(0)[2:].any()
    assert np.abs(told - batch.auxiliary)[known].mean() < 0.15


def test_heads_without_weight_change_nothing() -> None:
    plain, idle = learner(**UNTRAINED), Learner(LearnerConfig(**UNTRAINED), WITH_HEADS, seed=1)
    for i in range(3):
        before = idle.network.auxiliary_out.bias.detach().clone()
        expected, got = plain.step(draw(seed=i), 0.0), idle.step(draw(seed=i), 0.0)
        assert torch.equal(idle.network.auxiliary_out.bias, before)
        assert (got.total, got.policy, got.value) == (expected.total, expected.policy, expected.value)
        assert (len(got.auxiliary), expected.auxiliary) == (4, ())
    left, right = plain.network.state_dict(), idle.network.state_dict()
    assert all(torch.equal(left[name], right[name]) for name in left)


@pytest.mark.parametrize("name", AUXILIARY)
def test_each_head_has_its_weight(name: str) -> None:
    one = Learner(LearnerConfig(**(UNTRAINED | {f"{name}_weight": 1.0})), WITH_HEADS, seed=1)
    losses = one.step(draw(), 0.0)
    at = AUXILIARY.index(name)
    assert losses.total == pytest.approx(losses.policy + losses.value + losses.auxiliary[at], rel=1e-5)
    assert losses.auxiliary[at] > 0
    moved = one.network.auxiliary_out.weight.grad.abs().sum(1) > 0
    assert moved.nonzero().flatten().tolist() == [at]


def test_a_few_rows_are_learnt_by_heart() -> None:
    """Down to the entropy of the visits, below which no policy gets."""
    batch = draw(24)
    at_best = -(batch.policy * np.log(np.where(batch.policy > 0, batch.policy, 1))).sum(1).mean()
    config = LearnerConfig(warmup_steps=0, learning_rate=5e-3, weight_decay=0, ema_decay=0.8)
    fitted = Learner(config, SMALL, seed=3)
    for _ in range(100):
        losses = fitted.step(batch, 0.0)
    assert losses.policy - at_best < 0.03
    assert losses.value < 0.02
    assert losses.total == pytest.approx(losses.policy + losses.value)
    fitted.network.eval()
    with torch.no_grad():
        trained = torch.softmax(fitted.network(torch.from_numpy(batch.inputs))[1], 1).numpy()
        average = torch.softmax(fitted.average(torch.from_numpy(batch.inputs))[1], 1).numpy()
    known = batch.value_weight > 0
    assert not known.all()
    assert set(batch.outcome[known].argmax(1).tolist()) == {0, 1, 2}
    np.testing.assert_allclose(trained[known], batch.outcome[known], atol=0.2)
    np.testing.assert_allclose(average[known], batch.outcome[known], atol=0.2)


def test_the_schedule() -> None:
    config = LearnerConfig(learning_rate=1.0, warmup_steps=9, decay_from=0.5, final_share=0.1)
    assert learning_rate(config, 0, 0.0) == pytest.approx(0.1)
    assert learning_rate(config, 4, 0.0) == pytest.approx(0.5)
    assert learning_rate(config, 9, 0.0) == learning_rate(config, 500, 0.5) == 1
    assert learning_rate(config, 500, 0.75) == pytest.approx(0.55)
    assert learning_rate(config, 500, 1.0) == pytest.approx(0.1)
    assert learning_rate(config, 500, 1.3) == pytest.approx(0.1)  # a run may end a little late
    assert learning_rate(LearnerConfig(decay_from=1.0, learning_rate=1.0), 500, 1.3) == 1


def test_the_learning_rate_is_the_one_applied() -> None:
    one = learner(warmup_steps=0, learning_rate=1e-3, decay_from=0.0, final_share=0.5)
    assert one.step(draw(), 1.0).learning_rate == pytest.approx(5e-4)
    assert [group["lr"] for group in one.optimizer.param_groups] == pytest.approx([5e-4, 5e-4])


def test_only_matrices_decay() -> None:
    one = learner()
    decayed = {id(p) for group in one.optimizer.param_groups if group["weight_decay"] for p in group["params"]}
    seen = 0
    for module in one.network.modules():
        for name, parameter in module.named_parameters(recurse=False):
            is_weight = name == "weight" and not isinstance(module, nn.BatchNorm2d)
            assert (id(parameter) in decayed) == is_weight
            seen += 1
    assert seen == sum(len(group["params"]) for group in one.optimizer.param_groups)


def test_the_average_starts_as_the_mean_and_then_forgets() -> None:
    one = learner(ema_decay=0.75)
    name = "stem.conv.weight"
    history = []
    for _ in range(3):
        one.step(draw(), 0.0)
        history.append(one.network.state_dict()[name].clone())
    torch.testing.assert_close(one.average.state_dict()[name], torch.stack(history).mean(0))
    for _ in range(3):
        before = one.average.state_dict()[name].clone()
        one.step(draw(), 0.0)
    expected = 0.75 * before + 0.25 * one.network.state_dict()[name]
    torch.testing.assert_close(one.average.state_dict()[name], expected)


def test_the_average_covers_the_normalisation_and_is_never_in_training() -> None:
    one = learner()
    for _ in range(3):
        one.step(draw(), 0.0)
    trained, average = one.network.state_dict(), one.average.state_dict()
    assert one.network.training
    assert not any(module.training for module in one.average.modules())
    assert not any(parameter.requires_grad for parameter in one.average.parameters())
    assert average["stem.norm.num_batches_tracked"] == trained["stem.norm.num_batches_tracked"] == 3
    assert not torch.equal(average["stem.norm.running_mean"], torch.zeros(16))
    assert not torch.equal(average["stem.norm.running_mean"], trained["stem.norm.running_mean"])


def test_gradients_are_cut() -> None:
    one = learner(gradient_norm=1e-3)
    losses = one.step(draw(), 0.0)
    left = torch.stack([p.grad.norm() for p in one.network.parameters() if p.grad is not None]).norm()
    assert losses.gradient_norm > 1e-3
    assert left.item() == pytest.approx(1e-3, rel=1e-3)


def test_numbers_that_are_none_stop_the_run_before_they_reach_the_weights() -> None:
    one, batch = learner(), draw()
    before = {name: value.clone() for name, value in one.network.named_parameters()}
    batch.policy[0, 0] = np.nan
    with pytest.raises(RuntimeError, match="non-finite"):
        one.step(batch, 0.0)
    assert all(torch.equal(value, before[name]) for name, value in one.network.named_parameters())


@pytest.mark.parametrize("network", [SMALL, WITH_HEADS])
def test_a_resumed_learner_goes_on_to_the_same_bits(network: ResidualConfig) -> None:
    batches = [draw(seed=i) for i in range(8)]
    straight = Learner(LearnerConfig(), network, seed=1)
    for i, batch in enumerate(batches):
        if i == 4:
            state = {name: value.clone().contiguous() for name, value in straight.state_dict().items()}
        expected = straight.step(batch, i / 8)
    resumed = Learner(LearnerConfig(), network, seed=99)
    resumed.load_state_dict(state)
    for i, batch in enumerate(batches[4:], 4):
        got = resumed.step(batch, i / 8)
    assert got == expected
    assert resumed.steps == straight.steps == 8
    left, right = resumed.state_dict(), straight.state_dict()
    assert left.keys() == right.keys()
    assert all(torch.equal(left[name], right[name]) for name in left)


def test_a_seed_says_what_the_first_weights_are_and_nothing_else_draws() -> None:
    before = torch.get_rng_state()
    one, other = learner(), learner()
    assert torch.equal(before, torch.get_rng_state())
    one.step(draw(), 0.0)
    other.step(draw(), 0.0)
    assert torch.equal(one.network.state_dict()["stem.conv.weight"], other.network.state_dict()["stem.conv.weight"])


def test_bfloat16_keeps_the_weights_in_float32() -> None:
    one = learner(precision="bf16")
    first = one.step(draw(), 0.0)
    assert first.total == pytest.approx(learner().step(draw(), 0.0).total, abs=0.05)
    assert all(value.dtype in (torch.float32, torch.int64) for value in one.state_dict().values())


@pytest.mark.parametrize("auxiliary", [False, True])
def test_what_is_compiled_is_called_and_the_raw_network_is_kept(
    monkeypatch: pytest.MonkeyPatch, auxiliary: bool
) -> None:
    """The compiled network trains the weights of the raw one, under the raw one's names."""
    calls = []

    class Compiling(Device):
        def compiled(self, call: Callable[[torch.Tensor], Any]) -> Callable[[torch.Tensor], Any]:
            compiled = torch.compile(call, backend="eager")

            def counted(*tensors: torch.Tensor) -> Any:
                calls.append(tensors[0].shape)
                return compiled(*tensors)

            return counted

    size = SMALL.model_copy(update={"auxiliary": auxiliary})
    plain = Learner(LearnerConfig(), size, seed=1)
    monkeypatch.setattr("training.learner.find_device", lambda name: Compiling())
    one = Learner(LearnerConfig(), size, seed=1)
    for seed in range(2):
        assert one.step(draw(seed=seed), 0.0).total == pytest.approx(plain.step(draw(seed=seed), 0.0).total, rel=1e-4)
    assert len(calls) == 2
    assert one.state_dict().keys() == plain.state_dict().keys()
    for name, value in one.network.state_dict().items():
        torch.testing.assert_close(value, plain.network.state_dict()[name], rtol=1e-3, atol=1e-4)


@pytest.mark.gpu
@needs_gpu
def test_a_gpu_fits_as_a_cpu_does_and_its_state_goes_back_to_the_cpu() -> None:
    gpu = Learner(LearnerConfig(), SMALL, 1, "cuda")
    assert gpu.step(draw(), 0.0).total == pytest.approx(learner().step(draw(), 0.0).total, abs=0.05)
    back = learner()
    back.load_state_dict({name: value.cpu() for name, value in gpu.state_dict().items()})
    assert back.steps == 1
