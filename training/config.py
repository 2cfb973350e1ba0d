"""The configuration of a run: defaults here with their reasons, differences in YAML files, every key checked.

config = load_config("configs/quick.yaml", ["learner.batch=256"])
save_config("runs/quick/config.yaml", config)
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from agents.network.build import NetworkConfig
from agents.network.device import DeviceName, Precision
from agents.network.resnet import ResidualConfig
from agents.network.sparse import SparseConfig
from makruk_env.rules import Rules
from training.errors import ConfigError


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class SelfplayConfig(_Section):
    """How games are made. "AlphaZero" is Silver et al. 2018 with its published pseudocode."""

    games: int = Field(128, ge=1)
    """Games in lock step, so the batch of each network call: enough to fill a CPU's matrix units, few enough that all
    games finish within a short run."""
    simulations: int = Field(32, ge=1)
    """Simulations for each move. AlphaZero's 800 would leave a short run with a handful of games."""
    first_simulations: int | None = Field(None, ge=1)
    """Simulations at the start of the run, from where they rise in even steps to `simulations` at its end: a network
    that knows nothing is not worth much search. None: the same all along."""
    full_share: float = Field(1.0, gt=0, le=1)
    """Share of the moves that are searched in full; the others get `fast_simulations` without noise, and nothing is
    learnt from them (playout cap randomisation, Wu 2019, section 3.1, there 0.25: more games, so more results, for the
    same time)."""
    fast_simulations: int = Field(8, ge=1)
    """Simulations of the other moves."""
    root: Literal["puct", "gumbel"] = "puct"
    """How the root shares its simulations out: by PUCT with Dirichlet noise, or by sequential halving over actions
    drawn with Gumbel noise (Danihelka et al. 2022), which needs neither noise_share nor many simulations; `temperature`
    is then the scale of that noise."""
    considered: int = Field(16, ge=1)
    """Actions that a Gumbel root begins with; Danihelka et al. 2022 use 16."""
    forced_playouts: float = Field(0.0, ge=0)
    """Visits that the noise at a PUCT root is given a chance by, and that are taken off the shares learnt (c_scale 0);
    k of Wu 2019, section 3.2, is 2. 0: none."""
    c_init: float = Field(1.25, ge=0)
    """Exploration constant, AlphaZero."""
    c_base: float = Field(19652, gt=0)
    """Visits over which exploration grows, AlphaZero; of no weight at a few dozen simulations."""
    fpu_reduction: float = Field(0.25, ge=0)
    """An unvisited action is taken to be worth this much less than its parent, in values of -1 to 1. AlphaZero takes it
    for a loss, too bleak where one simulation in two visits something new; Leela Chess Zero reduces likewise."""
    noise_share: float = Field(0.25, ge=0, le=1)
    """Share of Dirichlet noise in the root's priors, AlphaZero."""
    noise_alpha_total: float = Field(10.0, gt=0)
    """Dirichlet alpha times the number of legal actions: AlphaZero's 0.3 for chess with its 33 or so, but fitted
    to each position, as KataGo does (Wu 2019)."""
    c_visit: float = Field(50.0, ge=0)
    """See c_scale; Danihelka et al. 2022."""
    c_scale: float = Field(1.0, ge=0)
    """How far the values found reshape the policy that is learnt (Danihelka et al. 2022, section 4: completed Q). 0:
    the share of the visits, as AlphaZero, which says nothing when there are more actions than visits."""
    temperature: float = Field(1.0, gt=0)
    """Exponent's inverse when a move is drawn from that policy, AlphaZero."""
    temperature_plies: int = Field(30, ge=0)
    """Plies of a game played at that temperature, AlphaZero's 30; the most visited action after them."""
    ending_temperature_plies: int = Field(4, ge=0)
    """The same for a game that starts from an ending: a won ending is mated by exact play or drawn by the count, and a
    slip drawn by temperature would teach the value that it cannot be won."""
    teacher: Literal["none", "heuristic"] = "none"
    """Who judges at first. "heuristic": the search counts men (`agents.heuristics`) and does not ask the network, which
    learns from those games: a run that is warm, not one from zero, and its figures are no measure of one."""
    teacher_share: float = Field(0.1, ge=0, le=1)
    """Share of the run that the teacher judges in, if there is one."""
    opening_plies_max: int = Field(8, ge=0)
    """A game begins with up to so many uniformly random plies: with small noise and few visits games from one start
    position would soon be alike."""
    endings_share: float = Field(0.5, ge=0, le=1)
    """Share of games that start from a random lopsided ending. A new network does not know how to mate, so nearly all
    its games from the usual array are drawn and teach it only that; endings are decided soon and often."""
    max_episode_plies: int = Field(200, ge=1)
    """Longer games are cut off and their result left out of the value's targets: aimless play costs time, and a cap
    learnt as a draw would make the network believe in draws."""
    precision: Precision = "auto"
    """Arithmetic of the network in play. "bf16" takes a third of the time on a CPU with bfloat16 matrix units (AMX),
    and many times as long as "fp32" on one without. "auto": "bf16" where there are units for it, else "fp32"."""

    @model_validator(mode="after")
    def _check_root(self) -> SelfplayConfig:
        if self.root == "gumbel" and (self.c_scale == 0 or self.forced_playouts):
            raise ValueError(f"root: gumbel needs c_scale above 0 and no forced_playouts, got {self.c_scale} and "
                             f"{self.forced_playouts}")  # fmt: skip
        if self.first_simulations is not None and self.first_simulations > self.simulations:
            raise ValueError(f"first_simulations: expected at most {self.simulations}, got {self.first_simulations}")
        return self


class ReplayConfig(_Section):
    """Which rows the learner draws from. A row is one searched position."""

    window_min: int = Field(20_000, ge=1)
    """Rows of the window as soon as there are so many: below it, batches of a few hundred see each row too often."""
    window_max: int = Field(250_000, ge=1)
    """Most rows ever held, at about 460 bytes each."""
    growth: float = Field(0.5, gt=0, le=1)
    """The window is this share of all rows seen: the first games, made by a network that knew nothing, leave soon, and
    late in a run the window is wide (KataGo's grows less than in proportion too, Wu 2019)."""
    edges_per_row: int = Field(48, ge=1)
    """Room for legal actions, for each row of `window_max` on average; makruk has about 25. If it runs out, the oldest
    rows leave early."""
    mirror: bool = True
    """Half of the rows drawn are reflected left to right, an exact symmetry of the rules: twice the data, free."""
    cut_material: float = Field(0.0, ge=0, le=1)
    """How far the value target of a game that was cut short follows the lead in men at its end (`agents.heuristics`);
    0: such a game teaches the policy alone. It tells a network that has never seen a mate what is worth having, while
    a repetition or a count that ran out stays the plain draw that the leading side should have avoided."""
    draw_material: float = Field(0.0, ge=0, le=1)
    """The same for games that were drawn; it fades to nothing over the run."""
    discount: float = Field(1.0, gt=0, le=1)
    """A win t plies away is worth this to the power t, the rest of it being a draw. Below 1 a mate in reach is worth
    more than one far off, which shows the way where all won positions would look alike; AlphaZero: 1."""
    q_share: float = Field(0.0, ge=0, le=1)
    """Share of the search's root value in the value target, the game's result making up the rest. AlphaZero: 0. Above
    it, moves drawn by temperature spoil the target less, and the network's own errors more."""
    q_share_final: float | None = Field(None, ge=0, le=1)
    """That share at the end of the run, to which it goes evenly from `q_share` at the start: what the search says is
    worth more when the network knows more. None: the same all along."""
    surprise_share: float = Field(0.0, ge=0, lt=1)
    """Share of a game's draws that go to its rows by how far the search's policy is from the network's own, in
    Kullback-Leibler divergence; the rest go to all its rows alike. KataGo: 0.5 (its KataGoMethods.md, "Policy Surprise
    Weighting"). 0: all rows alike."""
    near_horizon: float = Field(6.0, ge=1)
    """Plies over which the near auxiliary value looks: each ply further on weighs 1 - 1 / horizon of the one before it,
    as in KataGo's short-term value targets, whose shortest horizon is 7 plies on the large board."""
    far_horizon: float = Field(16.0, ge=1)
    """The same for the far one: what the two sides can bring about in eight moves each."""
    plies_scale: float = Field(20.0, gt=0)
    """Plies that are a one in the auxiliary target of the plies left; Leela Chess Zero's 20."""

    @model_validator(mode="after")
    def _check_window(self) -> ReplayConfig:
        if self.window_min > self.window_max:
            raise ValueError(f"window_min: expected at most window_max, {self.window_max}, got {self.window_min}")
        return self


class LearnerConfig(_Section):
    """How the network is fitted to the rows."""

    batch: int = Field(256, ge=2)
    """Rows of a step. AlphaZero's 4096 would leave a short run a few dozen steps."""
    reuse: float = Field(4.0, gt=0)
    """Rows trained on for each new row. Far above this a small window is learnt by heart. AlphaZero's chess run,
    700,000 steps of 4096 on 44 million games, comes to less than 1; a short run must make more of its few games."""
    learning_rate: float = Field(2e-3, gt=0)
    """AdamW's, at its highest: twice the usual 1e-3, which batch normalisation bears and short runs need."""
    warmup_steps: int = Field(50, ge=0)
    """Steps over which the learning rate rises to that: AdamW's estimates are empty at first."""
    decay_from: float = Field(0.6, ge=0, le=1)
    """Share of the run up to which the learning rate stays; then it falls along a half cosine. The drop at the end is
    worth much strength (KataGo's final drop), and none before it keeps up with play that still changes."""
    final_share: float = Field(0.05, gt=0, le=1)
    """What is left of the learning rate when the run ends."""
    weight_decay: float = Field(1e-2, ge=0)
    """Decoupled decay of AdamW (Loshchilov and Hutter 2019), on weights of convolutions and linear layers only."""
    gradient_norm: float = Field(5.0, gt=0)
    """Gradients are scaled down to at most this norm: an early batch of one-sided results must not upset it."""
    value_weight: float = Field(1.0, ge=0)
    """Weight of the value's loss beside the policy's, AlphaZero."""
    near_value_weight: float = Field(0.25, ge=0)
    """Weight of the near value's squared error, where `network.auxiliary` asks for the heads; 0: not trained. All four
    weights are guesses: enough to shape the trunk, too little to outweigh policy and value."""
    far_value_weight: float = Field(0.25, ge=0)
    """The same for the far value."""
    plies_left_weight: float = Field(0.1, ge=0)
    """The same for the Huber loss of the plies left, which is the largest of all at a game's start and says least."""
    count_margin_weight: float = Field(0.25, ge=0)
    """The same for the squared error of the count's margin, which few rows have."""
    ema_decay: float = Field(0.99, ge=0, lt=1)
    """The network that plays is a running average of the trained one, over about 1 / (1 - decay) steps: less noise than
    the last step's weights. Short, as a short run has about a thousand steps."""
    precision: Precision = "auto"
    """"bf16": convolutions and linear layers in bfloat16 by autocast; weights, sums and losses stay float32. "auto":
    "bf16" where the CPU or the GPU has units for it, else "fp32"."""


class RunConfig(_Section):
    """How long a run goes on and what it leaves behind."""

    minutes: float = Field(12.0, gt=0)
    """Time of self-play and training, the evaluation after it not included."""
    iterations: int = Field(0, ge=0)
    """Iterations of self-play and training; 0: until the time is up. A number makes a run repeatable to the bit."""
    checkpoint_every_minutes: float = Field(2.0, ge=0)
    """What a kill may cost."""
    threads: int = Field(2, ge=1)
    """Threads of the network and of the kernels, and tables that the games are shared out among."""
    device: DeviceName = "auto"
    """Where the network plays and is trained; "auto": on a CUDA GPU if there is one, else on the CPU. The search runs
    on the CPU in any case: one table's while the GPU judges another's leaves."""
    moves_per_iteration: int = Field(8, ge=1)
    """Moves made in every game between two turns of the learner: the network that plays is never older than that."""
    archive_share: float = Field(1.0, ge=0, le=1)
    """Share of the games that are written down, evenly among all. A sparse network makes some thousand positions a
    second, a gigabyte and more an hour; nothing is learnt or resumed from what is written."""
    gate_every_iterations: int = Field(0, ge=0)
    """Every so many iterations the newest network plays a match against the one that makes the games, and replaces it
    if it wins (AlphaGo Zero, Silver et al. 2017). 0: the newest one always plays, as AlphaZero, and no match costs
    time."""
    gate_games: int = Field(40, ge=2, multiple_of=2)
    """Games of such a match; AlphaGo Zero's 400 would take longer than the iterations between."""
    gate_score: float = Field(0.55, ge=0, le=1)
    """Share of the points that wins it, AlphaGo Zero."""
    final_games: int = Field(200, ge=0)
    """Games of the final evaluation against each opponent: a standard error of at most 3.5 points in a hundred."""
    final_simulations: int = Field(100, ge=1)
    """Simulations for each move of the final evaluation."""


class Config(_Section):
    """All of a run."""

    seed: int = Field(0, ge=0)
    """Of everything random in the run."""
    rules: str = "ttakji"
    """The preset that games are played by."""
    network: NetworkConfig = ResidualConfig()
    """The network's kind and size."""
    selfplay: SelfplayConfig = SelfplayConfig()
    """How games are made."""
    replay: ReplayConfig = ReplayConfig()
    """Which rows the learner draws from."""
    learner: LearnerConfig = LearnerConfig()
    """How the network is fitted."""
    run: RunConfig = RunConfig()
    """How long the run goes on."""

    @field_validator("rules")
    @classmethod
    def _check_rules(cls, name: str) -> str:
        return Rules.preset(name).name


def _override(values: dict[str, Any], text: str) -> None:
    """Set one `a.b=c` in nested values; c is read as YAML."""
    key, equals, value = text.partition("=")
    if not equals or not all(key.split(".")):
        raise ConfigError(f"override: expected section.key=value, got {text!r}")
    *sections, last = key.split(".")
    for i, section in enumerate(sections):
        inner = values.setdefault(section, {})
        if not isinstance(inner, dict):
            raise ConfigError(
                f"override {text!r}: expected {'.'.join(sections[: i + 1])} to be a section, got {inner!r}"
            )
        values = inner
    try:
        values[last] = yaml.safe_load(value)
    except yaml.YAMLError as error:
        raise ConfigError(f"override: expected a YAML value, got {text!r}: {error}") from error


def _known_keys(sections: Sequence[int | str]) -> list[str]:
    """Return the keys of a section of the configuration, given as pydantic tells where it is."""
    if not sections:
        return sorted(Config.model_fields)
    section, *kind = sections
    if section == "network":
        return sorted((SparseConfig if kind == ["sparse"] else ResidualConfig).model_fields)
    inner = Config.model_fields[str(section)].annotation
    assert isinstance(inner, type)
    assert issubclass(inner, BaseModel)
    return sorted(inner.model_fields)


def _explain(error: ValidationError, source: str) -> str:
    """Say what is wrong with each key."""
    lines = []
    for fault in error.errors():
        key = ".".join(str(part) for k, part in enumerate(fault["loc"]) if fault["loc"][0] != "network" or k != 1)
        if fault["type"] == "extra_forbidden":
            lines.append(f"unknown key {key!r}: expected one of {_known_keys(fault['loc'][:-1])}")
        else:
            lines.append(f"{key or 'configuration'}: {fault['msg']}, got {fault['input']!r}")
    return f"{source}: " + "; ".join(lines)


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise ConfigError(f"configuration: expected a YAML file, got {str(path)!r}, which is none")
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"configuration: expected YAML, got {str(path)!r}: {error}") from error
    if values is None:  # an empty file: nothing differs from the defaults
        return {}
    if not isinstance(values, dict):
        raise ConfigError(f"configuration {str(path)!r}: expected keys with values, got {values!r}")
    return values


def load_config(path: str | Path | None = None, overrides: Sequence[str] = ()) -> Config:
    """Return the defaults, changed by a YAML file, changed by overrides such as `learner.batch=256`.

    Raises `ConfigError`, which names each key that is unknown or whose value does not fit.
    """
    values = {} if path is None else _read(Path(path))
    for text in overrides:
        _override(values, text)
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        raise ConfigError(
            _explain(error, "configuration" if path is None else f"configuration {str(path)!r}")
        ) from error


def save_config(path: str | Path, config: Config) -> None:
    """Write the whole configuration, defaults included, as YAML; the file appears whole or not at all."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(yaml.safe_dump(config.model_dump(), sort_keys=False), encoding="utf-8")
    os.replace(temporary, path)
