"""Settings read from the text of the sources are those of the program."""

from __future__ import annotations

import pytest
from pydantic import BaseModel
from read_sources import settings_of

from agents.network.resnet import ResidualConfig
from agents.network.sparse import SparseConfig
from training.config import Config, LearnerConfig, ReplayConfig, RunConfig, SelfplayConfig

SOURCES: dict[type[BaseModel], str] = {
    ResidualConfig: "agents/network/resnet.py",
    SparseConfig: "agents/network/sparse.py",
}
WORDS = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}


@pytest.mark.parametrize("model", [*SOURCES, SelfplayConfig, ReplayConfig, LearnerConfig, RunConfig, Config])
def test_settings(model: type[BaseModel]) -> None:
    source = SOURCES.get(model, "training/config.py")
    docstring, settings = settings_of(source, model.__name__)
    assert docstring == model.__doc__
    plain = {name: field for name, field in model.model_fields.items() if not isinstance(field.default, BaseModel)}
    assert [each.name for each in settings] == list(plain)
    for each in settings:
        field = plain[each.name]
        assert eval(each.default) == field.default, each.name
        assert each.meaning == " ".join(str(field.description).split())
        bounds = [
            (WORDS[kind], getattr(bound, kind)) for bound in field.metadata for kind in WORDS if hasattr(bound, kind)
        ]
        assert each.bounds == ", ".join(f"{word} {value}" for word, value in bounds)
