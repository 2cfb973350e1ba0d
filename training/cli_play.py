"""The commands to play with: `play`, `uci`, `analyse`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from training.options import FenOption, JsonOption, RulesOption, SeedOption, console, to_write

if TYPE_CHECKING:
    from agents.search.analysis import Line
    from agents.thinking import Thoughts
    from makruk_env import Board

AGENT = "mcts:baseline=sparse"


def play(
    agent: Annotated[str, typer.Option(help="Your opponent: an agent, or a level: easy, normal, hard.")] = "normal",
    black: Annotated[bool, typer.Option("--black", help="Play Black.")] = False,
    fen: FenOption = None,
    rules: RulesOption = "ttakji",
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of its choices; by default another each time.")] = None,
    thai: Annotated[bool, typer.Option("--thai", help="Tell moves in Thai letters.")] = False,
) -> None:
    """Play against an agent in the terminal.

    Moves as e3e4 or in SAN; start and stop for the count; back, moves, fen, resign, quit; hint asks the level hard.
    """
    import secrets

    import agents
    from makruk_env import Board
    from makruk_env.render import ansi

    board, opponent = Board(fen, rules), agents.make(agent)
    seed = secrets.randbits(32) if seed is None else seed
    while board.outcome is None:
        if board.turn != int(black):
            action = opponent.choose(board, seed + board.ply)
            print(f"{opponent}: {_san(board, action, thai)}")
            board.push(action)
            continue
        print(f"\n{ansi.text(board)}")
        try:
            text = input("your move: ").strip()
        except EOFError:
            return
        if text in ("quit", "resign"):
            print("you resign" if text == "resign" else "")
            return
        _obey(board, text, int(black), thai)
    print(f"\n{ansi.text(board)}")


def _obey(board: Board, text: str, you: int, thai: bool) -> None:
    """Do what a player typed."""
    import agents
    from makruk_env import IllegalMoveError, MoveTextError

    if text == "fen":
        print(board.fen())
    elif text == "moves":
        print(" ".join(_san(board, action, thai) for action in board.legal_actions()))
    elif text == "hint":
        print(_san(board, agents.make("hard").choose(board), thai))
    elif text == "back":
        while board.actions:
            board.pop()
            if board.turn == you:
                break
    else:
        try:
            board.push_uci(text)
        except MoveTextError:
            try:
                board.push_san(text)
            except (IllegalMoveError, MoveTextError) as error:
                print(error)
        except IllegalMoveError as error:
            print(error)


def _san(board: Board, action: int, thai: bool = False) -> str:
    from makruk_env import move_of

    return board.san(move_of(action, board), thai)


def uci(
    agent: Annotated[str, typer.Option(help="The agent that plays; the option Agent names another.")] = AGENT,
    seed: SeedOption = 0,
) -> None:
    """Speak UCI on standard input and output, for programs that play variants."""
    from agents.uci_server import UciServer

    def write(line: str) -> None:
        print(line, flush=True)

    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")  # what is no UTF-8 is no command either
    server = UciServer(agent, write, seed)
    try:
        for line in sys.stdin:
            if not server.handle(line):
                return
        server.close()
    except BrokenPipeError:  # whoever asked has gone
        sys.stderr.close()


def analyse(
    fen: FenOption = None,
    moves: Annotated[str, typer.Option(help="Moves made from there on, as e3e4 d6d5.")] = "",
    agent: Annotated[str, typer.Option(help="An mcts agent.")] = AGENT,
    rules: RulesOption = "ttakji",
    seconds: Annotated[float, typer.Option(min=0.01, help="How long to think.")] = 2.0,
    simulations: Annotated[int | None, typer.Option(min=1, help="Think for so many simulations instead.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Trees, each on a thread.")] = 1,
    lines: Annotated[int, typer.Option(min=1, help="Lines to tell.")] = 5,
    seed: SeedOption = 0,
    svg: Annotated[
        Path | None, typer.Option(callback=to_write, help="Also draw the board with the visits as arrows.")
    ] = None,
    thai: Annotated[bool, typer.Option("--thai", help="Tell moves in Thai letters.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Look into one position: lines of play, visits, values, and the outlook of the count."""
    import json

    import agents
    from agents.mcts import Mcts
    from agents.thinking import BYTES_A_NODE, Thoughts
    from makruk_env import Board
    from makruk_env.render import ansi, words
    from makruk_env.render import svg as drawing

    player, board = agents.make(agent), Board(fen, rules)
    if not isinstance(player, Mcts) or player.considered:
        raise typer.BadParameter(f"expected an mcts agent without considered, got {agent!r}", param_hint="--agent")
    for move in moves.split():
        board.push_uci(move)
    done, spent = 0, 0.0
    found: list[Line] = []
    if board.outcome is None:
        thoughts = Thoughts(player, board, simulations or 1_000_000_000 // BYTES_A_NODE, threads, seed)
        spent = _think(thoughts, seconds, simulations)
        done, found = thoughts.simulations, thoughts.lines(lines)
    if svg is not None:
        most = max((line.visits for line in found), default=0) or 1
        ways = [(_squares(board, line.actions[0]), line.visits / most) for line in found]
        arrows = [(*squares, weight) for squares, weight in ways if squares]
        svg.write_text(drawing.board(board, arrows=arrows), encoding="utf-8")
    told = [_told(board, line, thai) for line in found]
    if as_json:
        ended = board.outcome
        end = ended and {"winner": ended.winner, "termination": ended.termination.name.lower()}
        outlook = words.outlook(board)
        print(json.dumps({"fen": board.fen(), "simulations": done, "outcome": end, "outlook": outlook, "lines": told}))
        return
    print(ansi.text(board))
    print(board.fen())
    print("\n".join(words.outlook(board)))
    if found:
        _print_lines(told, done, spent)


def _think(thoughts: Thoughts, seconds: float, simulations: int | None) -> float:
    """Let thoughts go on for some seconds, or for so many simulations instead; show how far; return the seconds."""
    import time

    from rich.console import Console
    from rich.progress import Progress

    begun = time.perf_counter()
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("thinking", total=simulations or seconds)
        while not thoughts.ended:
            thoughts.go_on(None if simulations is None else simulations - thoughts.simulations)
            done = thoughts.simulations if simulations else time.perf_counter() - begun
            progress.update(task, completed=done)
            if done >= (simulations or seconds):
                break
    return time.perf_counter() - begun


def _squares(board: Board, action: int) -> tuple[int, int] | None:
    """Return from where to where an action moves, None for a declaration."""
    from makruk_env import move_of

    move = move_of(action, board)
    return None if move.declares is not None else (move.from_square, move.to_square)


def _told(board: Board, line: Line, thai: bool) -> dict[str, Any]:
    """Return what a line says, in plain values."""
    return {
        "move": _san(board, line.actions[0], thai),
        "visits": line.visits,
        "prior": round(line.prior, 4),
        "value": round(line.value, 4),
        "proof": line.proof,
        "distance": line.distance,
        "line": _play(board, line.actions, thai),
    }


def _play(board: Board, actions: Sequence[int], thai: bool) -> list[str]:
    """Return a line of play in SAN."""
    board, moves = board.copy(), []
    for action in actions:
        moves.append(_san(board, action, thai))
        board.push(action)
    return moves


def _print_lines(told: Sequence[dict[str, Any]], simulations: int, seconds: float) -> None:
    from rich.table import Table

    title = f"{simulations:,} simulations in {seconds:.1f} s, {simulations / max(seconds, 1e-9):,.0f}/s"
    table = Table("move", "visits", "share", "prior", "value", "play", title=title)
    for line in told:
        value = f"{line['value']:+.3f}"
        if line["proof"]:
            value = line["proof"] + (f" in {line['distance']} plies" if line["distance"] else "")
        share = f"{line['visits'] / max(simulations, 1):.1%}"
        play = " ".join(line["line"][:12])
        table.add_row(line["move"], f"{line['visits']:,}", share, f"{line['prior']:.1%}", value, play)
    console().print(table)
