"""The learner: one network, its optimizer, and the running average of its weights that plays.

B rows of a batch, K places for legal actions, H auxiliary heads. All targets are seen from the side to move.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from agents.network.build import Network, NetworkConfig, build
from agents.network.device import DeviceName, find_device
from agents.network.heads import AUXILIARY, PLIES_LEFT
from agents.network.weights import check_tensors
from training.config import LearnerConfig
from training.replay import Batch

_HUBER_DELTA = 0.5
"""From this error on the loss of the plies left grows in proportion to it: 10 plies in a scale of 20, as Leela Chess
Zero's. Squares of long games would drown all else."""


@dataclass(frozen=True, slots=True)
class Losses:
    """What one step measured before it changed the weights.

    policy: cross-entropy over the legal actions, nats; value: cross-entropy of win, draw, loss over the rows with a
    known result, nats; total: the weighted sum of all losses; gradient_norm: before it was cut; learning_rate: what was
    applied; auxiliary: of the auxiliary heads, see `auxiliary_losses`, none in a network without them.
    """

    total: float
    policy: float
    value: float
    gradient_norm: float
    learning_rate: float
    auxiliary: tuple[float, ...] = ()


def legal_log_softmax(logits: Tensor, legal: Tensor) -> Tensor:
    """Return the logarithms of the policy, 0 on illegal actions, whose logits have no part in it and get no gradient.

    logits: [B, K] float32, any value on illegal actions, even infinite; legal: [B, K] bool, at least one in each row.
    """
    lowest = torch.finfo(logits.dtype).min  # finite, so that no infinity meets another one
    return F.log_softmax(logits.masked_fill(~legal, lowest), 1).masked_fill(~legal, 0)


def policy_loss(logits: Tensor, policy: Tensor, legal: Tensor) -> Tensor:
    """Return the mean cross-entropy of the visit shares against the legal actions' softmax; all [B, K]."""
    return -(policy * legal_log_softmax(logits, legal)).sum(1).mean()


def value_loss(logits: Tensor, outcome: Tensor, weight: Tensor) -> Tensor:
    """Return the weighted mean cross-entropy of results, 0 without weight; logits, outcome: [B, 3], weight: [B]."""
    each = -(outcome * F.log_softmax(logits, 1)).sum(1)  # [B, 3] -> [B]
    return (weight * each).sum() / weight.sum().clamp_min(1)


def auxiliary_losses(predicted: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Return each auxiliary head's weighted mean loss, [H], 0 without weight; predicted, target, weight: [B, H].

    Squared errors, but Huber's loss of the plies left.
    """
    squares = (predicted - target).square()  # [B, H]
    huber = F.huber_loss(predicted, target, reduction="none", delta=_HUBER_DELTA)  # [B, H]
    plies = torch.arange(len(AUXILIARY), device=target.device) == PLIES_LEFT  # [H]
    each = torch.where(plies, huber, squares)  # [B, H]
    return (weight * each).sum(0) / weight.sum(0).clamp_min(1)  # [H]


def learning_rate(config: LearnerConfig, step: int, share: float) -> float:
    """Return the learning rate of step 0, 1, ... when `share` of the run, 0 to 1, is over."""
    warmup = min(1.0, (step + 1) / (config.warmup_steps + 1))
    if min(share, 1.0) <= config.decay_from:
        return config.learning_rate * warmup
    past = (min(share, 1.0) - config.decay_from) / (1 - config.decay_from)
    left = config.final_share + (1 - config.final_share) * 0.5 * (1 + math.cos(math.pi * past))
    return config.learning_rate * warmup * left


def _optimizer(network: Network, config: LearnerConfig) -> torch.optim.AdamW:
    """Decay the weights of convolutions and linear layers, not biases and batch normalisation, which are vectors."""
    decayed = [parameter for parameter in network.parameters() if parameter.ndim > 1]
    others = [parameter for parameter in network.parameters() if parameter.ndim <= 1]
    groups = [{"params": decayed, "weight_decay": config.weight_decay}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=config.learning_rate, fused=True)


class Learner:
    """Fits a network to batches.

    seed: of the first weights; device: see `find_device`. `network` is the trained network; `average` is the running
    average of its weights and of its normalisation statistics, in evaluation mode: what plays and what checkpoints
    hold. `steps` counts steps taken. Raises `DeviceError`.
    """

    def __init__(self, config: LearnerConfig, network: NetworkConfig, seed: int, device: DeviceName = "cpu") -> None:
        self.config = config
        self.device = find_device(device)
        self._autocast = self.device.precision(config.precision) == "bf16"
        with torch.random.fork_rng(devices=[]):  # the caller's random numbers stay as they are
            torch.manual_seed(seed)
            self.network = build(network)
        self.device.place(self.network)
        self._call = self.device.compiled(self.network.for_learner)
        self.average = copy.deepcopy(self.network).eval().requires_grad_(False)
        self.optimizer = _optimizer(self.network, config)
        self.steps = 0
        weights = [getattr(config, f"{name}_weight") for name in AUXILIARY]
        self._auxiliary_weights = torch.tensor(weights, device=self.device.name)  # [H]

    def step(self, batch: Batch, share: float) -> Losses:
        """Take one step; share: how much of the run is over, 0 to 1."""
        rate = learning_rate(self.config, self.steps, share)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.network.train()
        self.optimizer.zero_grad(set_to_none=True)
        with self.device.launching():
            policy, value, auxiliary = self._losses(batch)
            total = policy + self.config.value_weight * value
            if len(auxiliary):
                total = total + (self._auxiliary_weights * auxiliary).sum()
            total.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
        norm = nn.utils.clip_grad_norm_(self.network.parameters(), self.config.gradient_norm, error_if_nonfinite=True)
        self.optimizer.step()
        self.steps += 1
        self._average()
        return Losses(total.item(), policy.item(), value.item(), norm.item(), rate, tuple(auxiliary.tolist()))

    def _losses(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Return the losses of the policy, of the value, and of the auxiliary heads, [H], or [0] without them."""
        inputs, actions, policy, outcome, weight = (
            self.device.send(array)
            for array in (batch.inputs, batch.actions, batch.policy, batch.outcome, batch.value_weight)
        )
        if inputs.ndim == 4:
            inputs = inputs.contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.name, torch.bfloat16, enabled=self._autocast):
            logits, outcomes, heads = self._call(inputs, actions)  # [B, K], [B, 3], [B, H]
        auxiliary = heads.new_zeros(0)
        if self.network.config.auxiliary:
            known = (self.device.send(array) for array in (batch.auxiliary, batch.auxiliary_weight))
            auxiliary = auxiliary_losses(heads.float(), *known)
        return (
            policy_loss(logits.float(), policy, actions >= 0),
            value_loss(outcomes.float(), outcome, weight),
            auxiliary,
        )

    @torch.no_grad()
    def _average(self) -> None:
        """Move the average towards the trained network; early on it is the plain mean of the few steps so far."""
        keep = min(self.config.ema_decay, (self.steps - 1) / self.steps)
        trained = self.network.state_dict()
        for name, value in self.average.state_dict().items():
            if value.is_floating_point():
                value.lerp_(trained[name], 1 - keep)
            else:
                value.copy_(trained[name])

    def state_dict(self) -> dict[str, Tensor]:
        """Return all that a resumed run needs: both networks, the optimizer's moments, the counter."""
        state = {f"network.{name}": value for name, value in self.network.state_dict().items()}
        state |= {f"average.{name}": value for name, value in self.average.state_dict().items()}
        for i, moments in self.optimizer.state_dict()["state"].items():
            state |= {f"optimizer.{i}.{name}": value for name, value in moments.items()}
        state["steps"] = torch.tensor(self.steps)
        return state

    def _check_state(self, state: Mapping[str, Tensor]) -> None:
        expected = {name: value for name, value in self.state_dict().items() if not name.startswith("optimizer.")}
        if int(state.get("steps", torch.tensor(0))):  # else the optimizer has no moments yet
            for i, parameter in enumerate(p for group in self.optimizer.param_groups for p in group["params"]):
                expected |= {f"optimizer.{i}.{name}": parameter.detach() for name in ("exp_avg", "exp_avg_sq")}
                expected[f"optimizer.{i}.step"] = torch.tensor(0.0)
        check_tensors("learner", expected, state)

    def load_state_dict(self, state: Mapping[str, Tensor]) -> None:
        """Become what `state_dict` was taken from, under the same configuration.

        Raises `CheckpointError`, and changes nothing, for the state of another network.
        """
        self._check_state(state)
        self.network.load_state_dict(_under("network.", state))
        self.average.load_state_dict(_under("average.", state))
        moments: dict[int, dict[str, Tensor]] = {}
        for name, value in _under("optimizer.", state).items():
            i, _, key = name.partition(".")
            # In the layout of its parameter: torch steps through mixed layouts by a slower way than before the resume.
            layout = torch.channels_last if value.ndim == 4 else torch.contiguous_format
            moments.setdefault(int(i), {})[key] = value.contiguous(memory_format=layout)
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": moments, "param_groups": groups})
        self.steps = int(state["steps"])


def _under(prefix: str, state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the entries whose names begin with a prefix, without it."""
    return {name.removeprefix(prefix): value for name, value in state.items() if name.startswith(prefix)}
