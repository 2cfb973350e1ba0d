"""The configuration: defaults, files, overrides, and what is refused by name."""

from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from training.config import Config, load_config, save_config
from training.errors import ConfigError


def written(folder: Path, text: str) -> Path:
    (folder / "config.yaml").write_text(text, encoding="utf-8")
    return folder / "config.yaml"


def test_the_defaults() -> None:
    config = load_config()
    assert config == Config()
    assert (config.selfplay.games, config.selfplay.simulations, config.network.channels) == (128, 32, 48)


def test_a_file_holds_differences_and_an_override_comes_last(tmp_path: Path) -> None:
    path = written(tmp_path, "seed: 7\nlearner:\n  batch: 64\n  learning_rate: 1e-3\nrules: fairy\n")
    config = load_config(path, ["learner.batch=32", "selfplay.games=4", "replay.mirror=false", "run.device=cuda"])
    assert (config.seed, config.rules, config.learner.learning_rate) == (7, "fairy", 1e-3)
    assert (config.learner.batch, config.selfplay.games, config.replay.mirror) == (32, 4, False)
    assert config.run.device == "cuda"
    assert config.network == Config().network


def test_what_is_saved_is_read_back_the_same(tmp_path: Path) -> None:
    config = load_config(None, ["seed=3", "network.blocks=2"])
    save_config(tmp_path / "config.yaml", config)
    assert load_config(tmp_path / "config.yaml") == config
    assert [entry.name for entry in tmp_path.iterdir()] == ["config.yaml"]


def test_an_empty_file_is_the_defaults(tmp_path: Path) -> None:
    assert load_config(written(tmp_path, "# nothing differs\n")) == Config()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sead: 1\n", "unknown key 'sead': expected one of .*'seed'"),
        ("learner:\n  batsch: 1\n", "unknown key 'learner.batsch': expected one of .*'batch'"),
        ("network:\n  width: 8\n", "unknown key 'network.width': expected one of .*'channels'"),
        ("network:\n  kind: sparse\n  blocks: 8\n", "unknown key 'network.blocks': expected one of .*'width'"),
        ("network:\n  kind: sparse\n  width: 9\n", "network.width: .*multiple of 8, got 9"),
        ("network:\n  kind: spares\n", "network: .*'spares'"),
        ("learner:\n  batch: many\n", "learner.batch: .*got 'many'"),
        ("learner:\n  batch: 0\n", "learner.batch: .*got 0"),
        ("run:\n  device: tpu\n", "run.device: .*'auto', 'cpu' or 'cuda', got 'tpu'"),
        ("learner: 3\n", "learner: .*got 3"),
        ("rules: chess\n", "rules: .*expected one of .*'ttakji'.*got 'chess'"),
        ("network:\n  blocks: 2.5\n", "network.blocks: .*got 2.5"),
        ("replay:\n  window_min: 9\n  window_max: 8\n", "window_min: expected at most window_max"),
        ("- 1\n- 2\n", r"expected keys with values, got \[1, 2\]"),
        ("a: [\n", "expected YAML"),
    ],
)
def test_a_file_that_does_not_hold(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError, match=message) as error:
        load_config(path)
    assert "config.yaml" in str(error.value)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("learner.batch", "expected section.key=value, got 'learner.batch'"),
        ("=3", "expected section.key=value"),
        ("learner..batch=3", "expected section.key=value"),
        ("learner.batsch=3", "unknown key 'learner.batsch'"),
        ("seed.batch=3", "seed: "),
        ("learner.batch=[", "expected a YAML value"),
    ],
)
def test_an_override_that_does_not_hold(override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_config(None, [override])


def test_an_override_into_what_is_no_section(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected seed to be a section, got 1"):
        load_config(written(tmp_path, "seed: 1\n"), ["seed.batch=3"])


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(ConfigError, match=r"learner\.batch.*'sead'"):
        load_config(None, ["sead=1", "learner.batch=0"])


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="which is none"):
        load_config(tmp_path / "none.yaml")


def test_it_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Config().seed = 1


def sections(model: type[BaseModel]) -> list[type[BaseModel]]:
    inner = [f.annotation for f in model.model_fields.values() if isinstance(f.annotation, type)]
    return [model, *(s for kind in inner if issubclass(kind, BaseModel) for s in sections(kind))]


@pytest.mark.parametrize("section", sections(Config), ids=lambda section: section.__name__)
def test_every_key_says_why(section: type[BaseModel]) -> None:
    for name, field in section.model_fields.items():
        assert field.description, name
