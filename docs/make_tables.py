"""The parts of the pages that are made from the code, each a function that returns Markdown.

On a page, `<!-- made: planes -->` stands for what `planes()` returns, and `<!-- made: infos single -->` for
`infos("single")`. What the code says has one place, the code; a name that it has and these pages do not explain stops
the build.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from importlib import import_module

import gymnasium
from read_docstrings import arguments as told
from read_docstrings import entries, paragraphs, sentence_about
from read_sources import ROOT, settings_of

from agents import AGENTS
from agents.baselines import LEVELS
from makruk_env import NUM_ACTIONS, NUM_PLANES, Colour, CountKind, Move, Termination, action_of, makruk_v0
from makruk_env.core import actions as numbering
from makruk_env.core import observe
from makruk_env.envs.spaces import planes_space

INFOS = {
    "ply": ("moves of both sides, as the move number of the position tells", "0 and up"),
    "to_play": ("the side to move", "0 White, 1 Black"),
    "count_kind": ("which count runs", ", ".join(["0 none", *(f"{kind.value} {kind.name}" for kind in CountKind)])),
    "count_number": ("the number spoken last, n", "0 and up; 0 without a count"),
    "count_limit": ("the limit, L", "up to 64, or as a FEN has it; 0 without a count"),
    "repetition": ("how often the position has stood before in this game", "0 .. 100"),
    "termination": ("how the game ended", "0 while it goes on, else a `Termination`"),
    "colour": ("the agent's side", "0 White, 1 Black"),
}
"""What each info means, and its range."""

MEN_PLANES = 12
"""The first planes, of which each shows one kind of man of one side."""
_END_BY_FACE = {
    "ILLEGAL_ACTION": 'an action that was not legal, with `illegal_action="terminate"`: its agent loses',
    "RESIGNATION": "never in an environment",
    "AGREEMENT": "never in an environment",
    "TIMEOUT": "never in an environment",
}
_TYPES = {"Any": "str | agent | function", "Colour": "str", "Observation": "str", "IllegalAction": "str"}
"""How the names of types that only the source knows are shown."""


def table(header: str, rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table; header: the names of the columns, joined by ` | `."""
    lines = [f"| {header} |", "|" + "---|" * (header.count(" | ") + 1)]
    return "\n".join([*lines, *(f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |" for row in rows)])


def span(first: int, last: int) -> str:
    """Return a range of numbers as text."""
    return str(first) if first == last else f"{first} .. {last}"


def code(value: object) -> str:
    """Return a value as Python writes it, text in double quotes."""
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return f"`{text}`"


def type_text(annotation: str) -> str:
    """Return an annotation for readers: the values of a Literal, and `or` for a union."""
    annotation = _TYPES.get(annotation, annotation)
    if literal := re.fullmatch(r"Literal\[(.*)\]", annotation):
        return " or ".join(f"`{value}`" for value in literal[1].replace("'", '"').split(", "))
    return " or ".join(f"`{part}`" for part in annotation.split(" | "))


def card() -> str:
    """Return the summary of the PettingZoo environment, in the form of PettingZoo's own pages."""
    env = makruk_v0.env()
    agent = env.possible_agents[0]
    box = env.observation_space(agent)["observation"]
    rows = [
        ("Import", "`from makruk_env import makruk_v0`"),
        ("Actions", "Discrete"),
        ("Parallel API", "Yes" if env.metadata["is_parallelizable"] else "No; see [below](#turn-based-parallel-form)"),
        ("Manual Control", "No; `makruk play` in the terminal"),
        ("Agents", f"`agents={env.possible_agents}`"),
        ("Agents", str(len(env.possible_agents))),
        ("Action Shape", "()"),
        ("Action Values", f"`{env.action_space(agent)}`"),
        ("Observation Shape", f"{box.shape}, {box.dtype}, and the action mask, ({NUM_ACTIONS},), int8"),
        ("Observation Values", f"[{box.low.min():.4g}, {box.high.max():.4g}]; [0, 1] but for the count's numbers"),
        ("State Shape", str(env.state_space.shape)),
        ("State Values", "as of an observation"),
    ]
    return table("makruk_v0 | ", rows)


def planes() -> str:
    """Return the table of observation planes: number, name, meaning and values of each."""
    box = planes_space()
    rows = []
    for first, last, text in entries(observe.__doc__):
        parts = text.split("; ")
        for plane in range(first, last + 1):
            name = observe.PLANE_NAMES[plane]
            meaning = parts[plane - first] if len(parts) == last - first + 1 else text
            low, high = box.low[plane].min(), box.high[plane].max()
            share = "/" in name or "share" in name
            values = f"{low:.4g} .. {high:.4g}" if share else "0 or 1"
            rows.append((str(plane), f"`{name}`", "where they stand" if plane < MEN_PLANES else meaning, values))
    assert [row[0] for row in rows] == [str(plane) for plane in range(NUM_PLANES)]
    return table("plane | name | what it tells | values", rows)


def actions() -> str:
    """Return the table of the action space."""
    rows = [(span(first, last), text) for first, last, text in entries(numbering.__doc__)]
    return table("actions | what they are", rows)


def same_number() -> str:
    """Return two mirrored moves that have one number, as an example."""
    white, black = Move.from_uci("e3e4"), Move.from_uci("d6d5")
    numbers = {action_of(white, Colour.WHITE), action_of(black, Colour.BLACK)}
    assert len(numbers) == 1
    return f"White's `{white}` and Black's `{black}` are both action {numbers.pop()}."


def terminations() -> str:
    """Return the ends of games with their numbers; what is said of each stands in the rules."""
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    ends: dict[str, str] = {}
    for names, when, result in re.findall(r"^\| ((?:`[A-Z_]+`(?:, )?)+) \| (.+?) \| (.+?) \|$", page, re.MULTILINE):
        ends |= dict.fromkeys(re.findall(r"`(\w+)`", names), f"{when}: {result.replace('(#', '(rules.md#')}")
    ends |= _END_BY_FACE
    return table("value | name | when", ((str(kind.value), f"`{kind.name}`", ends[kind.name]) for kind in Termination))


def infos(face: str) -> str:
    """Return the table of infos of a face: aec, single or selfplay."""
    if face == "aec":
        env = makruk_v0.env()
        env.reset()
        info = env.infos[env.possible_agents[0]]
    else:
        name = {"single": "Makruk-v0", "selfplay": "MakrukSelfPlay-v0"}[face]
        _, info = gymnasium.make(name, disable_env_checker=True).reset()
    return table("key | what it tells | range", ((f"`{key}`", *INFOS[key]) for key in info))


def arguments(target: str, *others: str) -> str:
    """Return the arguments of a class or function, with what its docstring tells of them, or that of another one.

    target, others: `module:name`.
    """
    parameters = inspect.signature(_object(target)).parameters
    meanings: dict[str, str] = {}
    for each in (target, *others):
        meanings = told(inspect.getdoc(_object(each)), parameters) | meanings
    rows = (
        (f"`{name}`", type_text(str(p.annotation)), "" if p.default is p.empty else code(p.default), meanings[name])
        for name, p in parameters.items()
    )
    return table("argument | type | default | meaning", rows)


def _object(target: str) -> Callable[..., object]:
    module, _, name = target.partition(":")
    found: Callable[..., object] = getattr(import_module(module), name)
    return found


def agents() -> str:
    """Return every agent by name: what it does and its settings."""
    parts = []
    for name, agent in AGENTS.items():
        own = fields(agent)
        meanings = told(agent.__doc__, [field.name for field in own])
        summary = [text for text in paragraphs(agent.__doc__) if not told(text, [field.name for field in own])]
        parts += [f"### `{name}`", *summary]
        rows = []
        for field in own:
            meaning = meanings.get(field.name) or sentence_about(agent.__doc__, field.name)
            assert meaning, f"{name}.{field.name}"
            default = "" if field.default is MISSING else code(field.default)
            rows.append((f"`{field.name}`", type_text(str(field.type)), default, meaning))
        parts.append(table("setting | type | default | meaning", rows) if rows else "It has no settings.")
    levels = [(f"`{level}`", f"`{spec}`") for level, spec in LEVELS.items()]
    parts += ["### Levels", "For people, and one word each:", table("level | agent", levels)]
    return "\n\n".join(parts)


def settings(source: str, name: str) -> str:
    """Return what a class of the configuration says of itself, and its settings."""
    docstring, found = settings_of(source, name)
    rows = []
    for each in found:
        values = ", ".join(filter(None, [type_text(each.type), each.bounds]))
        default = each.default.replace("'", '"')
        rows.append((f"`{each.name}`", f"`{default}`", values, each.meaning))
    return f"{' '.join(paragraphs(docstring))}\n\n{table('setting | default | values | why', rows)}"


def source(path: str, language: str) -> str:
    """Return a file of the repository as a fenced block."""
    return f"```{language}\n{(ROOT / path).read_text(encoding='utf-8').rstrip()}\n```"


def commands() -> str:
    """Return every command of `makruk`: what it does, its arguments and options."""
    import typer

    from training.cli import app

    parts = []
    for name, found in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        rows = []
        for each in found.params:
            text = (each.metavar or each.name.upper()) if each.param_type_name == "argument" else ", ".join(each.opts)
            default = "" if each.default is None or each.default is False else code(each.default)
            rows.append((f"`{text}`", default, each.help or ""))
        parts += [f"### `makruk {name}`", found.help, table("argument | default | meaning", rows)]
    return "\n\n".join(parts)


def section(path: str, heading: str) -> str:
    """Return what stands below a heading of a file of the repository, with the links as these pages have them."""
    text = (ROOT / path).read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found, (path, heading)
    return re.sub(r"\]\(docs/", "](", found[1]).strip()


def changelog() -> str:
    """Return the changelog without its title."""
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("\n")[2].strip()


MADE: dict[str, Callable[..., str]] = {
    made.__name__: made
    for made in (
        actions,
        agents,
        arguments,
        card,
        changelog,
        commands,
        infos,
        planes,
        same_number,
        section,
        settings,
        source,
        terminations,
    )
}
