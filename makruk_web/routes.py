"""What is asked under which path. All of it runs on the loop's thread, but for what is done at desks."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from functools import cache
from ipaddress import ip_address
from pathlib import Path

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response, StreamingResponse

from makruk_env.render.artwork import LINE_WIDTH, MEN
from makruk_web import view
from makruk_web.begin import begin, to_pgn
from makruk_web.bodies import AgentChosen, Change, Look, MoveMade, NewGame
from makruk_web.house import House
from makruk_web.house import options as house_options
from makruk_web.replies import Reply

router = APIRouter()
_PAGE = Path(__file__).parent / "static" / "index.html"


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


@router.get("/")
async def page() -> Response:
    """Return the page."""
    return FileResponse(_PAGE)


@router.get("/men.svg")
async def men() -> Response:
    """Return the drawings of the men, as symbols to be used by name."""
    return Response(_men(), media_type="image/svg+xml")


@cache
def _men() -> str:
    symbols = [
        f'<g id="man-{name}"><path d="{man.outline}"/>'
        f'<path d="{man.lines}" fill="none" stroke-width="{LINE_WIDTH}"/></g>'
        for name, man in MEN.items()
    ]
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{"".join(symbols)}</defs></svg>'


@router.get("/api/options")
async def options(request: Request) -> Response:
    """Return rules, agents and runs to choose from."""
    return Reply(house_options(_house(request)))


@router.post("/api/games")
async def new_game(request: Request, body: NewGame) -> Response:
    """Begin a game."""
    house = _house(request)
    desk = house.writing if body.pgn else house.beginning
    game = await desk.do(begin, body, house.opponents)
    return Reply(house.table.state(house.table.add(game)), 201)


@router.get("/api/games")
async def games(request: Request) -> Response:
    """Return the games that were played last, to this machine alone: who knows a game's name may play in it."""
    return Reply(_house(request).table.listed() if _is_local(request) else [])


def _is_local(request: Request) -> bool:
    """Tell whether a request comes from the machine that the server runs on."""
    if request.client is None:
        return False
    server = request.scope.get("server")
    try:
        client = ip_address(request.client.host)
    except ValueError:
        return False
    mapped = getattr(client, "ipv4_mapped", None) or client
    return mapped.is_loopback or bool(server and server[0] == request.client.host)


@router.get("/api/games/{id_}")
async def game(request: Request, id_: str) -> Response:
    """Return a game as it stands."""
    table = _house(request).table
    return Reply(table.state(table.seat(id_)))


@router.get("/api/games/{id_}/events")
async def events(request: Request, id_: str) -> Response:
    """Send a game as it stands, then every change and every look into a search."""
    table = _house(request).table
    seat = table.seat(id_)
    watcher = table.watch(seat)

    async def stream() -> AsyncIterator[str]:
        try:
            async for text in watcher.stream():
                yield text
        finally:
            table.leave(seat, watcher)

    return StreamingResponse(stream(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@router.get("/api/games/{id_}/at/{ply}")
async def at(request: Request, id_: str, ply: int) -> Response:
    """Return the position after so many moves of a game, and what was thought there."""
    game = _house(request).table.seat(id_).game
    shown = view.position(game.at(ply), game.promoted(ply))
    thought = game.thoughts.get(ply)
    return Reply({"ply": ply, "position": shown, "thought": thought and thought.as_dict()})


@router.get("/api/games/{id_}/pgn")
async def game_pgn(request: Request, id_: str) -> Response:
    """Return a game as PGN."""
    house = _house(request)
    game = house.table.seat(id_).game
    names = tuple("Player" if game.you in (None, side) else game.agent for side in (0, 1))
    date = time.strftime("%Y.%m.%d")
    return PlainTextResponse(await house.writing.do(to_pgn, game.board.copy(), game.ended, names, date))


@router.post("/api/games/{id_}/moves")
async def move(request: Request, id_: str, body: MoveMade) -> Response:
    """Make the player's move or declaration."""
    table = _house(request).table
    return Reply(table.state(table.change(id_, body.version, lambda game, now: game.move(body.move, now))))


@router.post("/api/games/{id_}/back")
async def back(request: Request, id_: str, body: Change) -> Response:
    """Take the player's last move back."""
    table = _house(request).table
    return Reply(table.state(table.change(id_, body.version, lambda game, now: game.take_back(now))))


@router.post("/api/games/{id_}/resign")
async def resign(request: Request, id_: str, body: Change) -> Response:
    """Give the game up."""
    table = _house(request).table
    return Reply(table.state(table.change(id_, body.version, lambda game, now: game.resign(now))))


@router.post("/api/games/{id_}/draw")
async def draw(request: Request, id_: str, body: Change) -> Response:
    """Offer a draw."""
    table = _house(request).table
    return Reply(table.state(table.change(id_, body.version, lambda game, now: game.offer_draw(now))))


@router.post("/api/games/{id_}/agent")
async def agent(request: Request, id_: str, body: AgentChosen) -> Response:
    """Go on with another agent, or ask the same one again."""
    house = _house(request)
    house.opponents.make(body.agent)
    seat = house.table.change(id_, body.version, lambda game, now: game.choose_agent(body.agent, now))
    return Reply(house.table.state(seat))


@router.post("/api/games/{id_}/analyse")
async def analyse(request: Request, id_: str, body: Look) -> Response:
    """Look into a position of a game."""
    house = _house(request)
    seat = house.table.seat(id_)
    house.thinking.analyse(seat, body.ply)
    return Reply(house.table.state(seat), 202)


@router.get("/api/runs/{run}/games")
async def run_games(request: Request, run: str, skip: int = 0) -> Response:
    """Return some games of a run, the latest first."""
    house = _house(request)
    return Reply(await house.reading.do(house.runs.page, run, max(0, skip)))


@router.get("/api/runs/{run}/games/{number}")
async def run_game(request: Request, run: str, number: int) -> Response:
    """Return a game of a run."""
    house = _house(request)
    return Reply(await house.reading.do(house.runs.game, run, number))


@router.get("/api/runs/{run}/games/{number}/pgn")
async def run_pgn(request: Request, run: str, number: int) -> Response:
    """Return a game of a run as PGN."""
    house = _house(request)
    return PlainTextResponse(await house.reading.do(house.runs.pgn, run, number))


@router.get("/api/runs/{run}/games/{number}/at/{ply}")
async def run_at(request: Request, run: str, number: int, ply: int) -> Response:
    """Return the position after so many plies of a run's game, and what the search found there."""
    house = _house(request)
    return Reply(await house.reading.do(house.runs.at, run, number, ply))
