"""The network: shapes, where each action's logit comes from, its start, and folding."""

import numpy as np
import pytest
import torch
from pydantic import ValidationError

from agents.network.heads import AUXILIARY, PLIES_LEFT
from agents.network.resnet import DECLINED_DELTAS, MOVE_DELTAS, ResidualConfig, ResNet, action_index
from makruk_env import COUNT_START, COUNT_STOP, NUM_ACTIONS, NUM_PLANES
from makruk_env.core.actions import DECLINED_ACTION, PAIR_ACTION

SMALL = ResidualConfig(blocks=2, channels=16, policy_channels=8, value_channels=2, value_hidden=16)


WITH_HEADS = SMALL.model_copy(update={"auxiliary": True})


def network(seed: int = 0, config: ResidualConfig = SMALL) -> ResNet:
    torch.manual_seed(seed)
    return ResNet(config)


def planes(count: int, seed: int = 0) -> torch.Tensor:
    return torch.rand(count, NUM_PLANES, 8, 8, generator=torch.Generator().manual_seed(seed))


def shake(net: ResNet) -> ResNet:
    """Make every weight and statistic matter, as after training."""
    generator = torch.Generator().manual_seed(1)
    for name, value in net.state_dict().items():
        if value.is_floating_point():
            noise = 0.2 * torch.randn(value.shape, generator=generator)
            value += noise.abs() if name.endswith("running_var") else noise
    return net


@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_shapes(blocks: int) -> None:
    logits, outcomes = network(config=SMALL.model_copy(update={"blocks": blocks}))(planes(3))
    assert logits.shape == (3, NUM_ACTIONS)
    assert outcomes.shape == (3, 3)
    assert logits.dtype == outcomes.dtype == torch.float32


def test_the_planes_hold_the_moves_they_are_drawn_for() -> None:
    assert len(MOVE_DELTAS) == len(set(MOVE_DELTAS)) == 40
    assert len(DECLINED_DELTAS) == 3


def test_each_action_takes_its_logit_from_its_square_and_its_direction() -> None:
    index = action_index()
    assert len(set(index.tolist())) == NUM_ACTIONS
    seen = 0
    for start in range(64):
        for stop in range(64):
            delta = (stop % 8 - start % 8, stop // 8 - start // 8)
            action, declined = int(PAIR_ACTION[start, stop]), int(DECLINED_ACTION[start, stop])
            if action >= 0:
                assert index[action] == 64 * MOVE_DELTAS.index(delta) + start
                seen += 1
            if declined >= 0:
                assert index[declined] == 64 * (40 + DECLINED_DELTAS.index(delta)) + start
                seen += 1
    assert seen == NUM_ACTIONS - 2
    assert index[[COUNT_START, COUNT_STOP]].tolist() == [64 * 43, 64 * 43 + 1]


def test_a_square_of_a_policy_plane_reaches_the_action_that_leaves_it() -> None:
    """Through the network itself: rank and file of the planes are those of the from-square."""
    net = network().eval()
    raised = {}

    def raise_one(module: torch.nn.Module, inputs: object, out: torch.Tensor) -> torch.Tensor:
        out = out.clone()
        out[0, MOVE_DELTAS.index((0, 2)), 1, 4] += 50  # two squares up the file, from e2
        return out

    before = net(planes(1))[0][0]
    handle = net.policy_planes.register_forward_hook(raise_one)
    raised = net(planes(1))[0][0]
    handle.remove()
    assert (raised - before).nonzero().flatten().tolist() == [PAIR_ACTION[12, 28]]  # e2 to e4


def test_a_fresh_network_is_near_uniform_and_expects_nothing() -> None:
    logits, outcomes = network(config=ResidualConfig()).eval()(planes(16))
    assert logits.abs().max() < 1
    assert (torch.softmax(outcomes, 1) - 1 / 3).abs().max() < 0.1


def test_folding_changes_the_speed_and_not_the_values() -> None:
    net = shake(network()).eval()
    before = {name: value.clone() for name, value in net.state_dict().items()}
    folded = net.folded()
    assert not any(isinstance(module, torch.nn.BatchNorm2d) for module in folded.modules())
    for got, expected in zip(folded(planes(8)), net(planes(8)), strict=True):
        torch.testing.assert_close(got, expected, rtol=1e-3, atol=1e-3)
    assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())


def test_auxiliary_heads_stand_beside_the_others() -> None:
    """The same weights of a seed and the same answers with them and without; all but the plies left in [-1, 1]."""
    net, plain = network(config=WITH_HEADS), network()
    state = net.state_dict()
    assert all(torch.equal(state[name], value) for name, value in plain.state_dict().items())
    net = shake(net).eval()
    net.auxiliary_out.weight.data *= 100
    actions = torch.tensor([[5, 1473, 0, -1]]).expand(8, 4)
    logits, outcomes, auxiliary = net.for_learner(planes(8), actions)
    assert auxiliary.shape == (8, len(AUXILIARY))
    expected = net(planes(8))
    assert torch.equal(logits[:, :3], expected[0][:, [5, 1473, 0]])
    assert not logits[:, 3].any()
    assert torch.equal(outcomes, expected[1])
    assert plain.for_learner(planes(8), actions)[2].shape == (8, 0)
    highest = auxiliary.abs().amax(0)
    assert highest[PLIES_LEFT] > 1
    assert torch.cat([highest[:PLIES_LEFT], highest[PLIES_LEFT + 1 :]]).max() <= 1


def test_play_never_meets_the_auxiliary_heads() -> None:
    net = shake(network(config=WITH_HEADS)).eval()
    folded = net.folded()
    assert not any("auxiliary" in name for name in folded.state_dict())
    assert folded.config == SMALL
    assert net.config == WITH_HEADS
    assert net.auxiliary_out is not None
    for got, expected in zip(folded(planes(8)), net(planes(8)), strict=True):
        torch.testing.assert_close(got, expected, rtol=1e-3, atol=1e-3)


def test_folding_a_network_in_training_leaves_it_in_training() -> None:
    net = network().train()
    assert not net.folded().training
    assert net.training


def test_global_pooling_sees_the_whole_board() -> None:
    """With one block and no pooling, a far corner cannot reach a policy logit; with pooling it does."""

    def reaches(blocks: int, without_pooling: bool) -> bool:
        net = shake(network(config=SMALL.model_copy(update={"blocks": blocks}))).eval()
        if without_pooling:
            for block in net.blocks:
                block.bias = None
        near, far = planes(1), planes(1)
        far[0, :, 7, 7] += 1
        corner = PAIR_ACTION[0, 8]  # a1 to a2
        return bool((net(near)[0][0, corner] != net(far)[0][0, corner]).item())

    assert not reaches(2, without_pooling=True)
    assert reaches(2, without_pooling=False)


@pytest.mark.parametrize("change", [{"blocks": 0}, {"channels": -1}, {"filters": 3}])
def test_a_size_that_cannot_be_is_refused(change: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        ResidualConfig(**change)


def test_the_index_survives_a_move_of_types() -> None:
    assert network().to(torch.bfloat16).action_index.dtype == torch.int64
    assert np.array_equal(network().action_index.numpy(), action_index())
