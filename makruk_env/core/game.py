"""One game's way through the core: set it up, then advance it action by action.

`history` holds the game's keys: history[position.ply - origin] belongs to the position at that ply, and the rows before
it reach back over at least `position.quiet` plies. `moves` is an int16 buffer of MAX_MOVES; after each call it holds
the legal actions of the position, a count action last, and none in a finished game.
"""

from __future__ import annotations

from makruk_env.core.actions import COUNT_START
from makruk_env.core.apply import apply_move
from makruk_env.core.bits import popcount
from makruk_env.core.counting import declaration, declare
from makruk_env.core.jit import kernel
from makruk_env.core.movegen import legal_moves
from makruk_env.core.outcome import judge, judge_count, note_check, remove_forbidden
from makruk_env.core.position import BOARD, COUNT_BEGAN, COUNTER_MOVED, NOBODY, PIECES, fresh_key


@kernel
def add_declaration(position, rules, moves, n):
    """Append the count action that the side to move may take, if there is one."""
    action = declaration(position, rules)
    if action < 0:
        return n
    moves[n] = action
    return n + 1


@kernel
def list_actions(position, rules, history, origin, moves):
    """Write the legal actions of a game that goes on, return how many."""
    if position.termination:
        return 0
    n = legal_moves(position, rules, moves)
    n = remove_forbidden(position, rules, history, position.ply - origin, moves, n)
    return add_declaration(position, rules, moves, n)


@kernel
def conclude(position, rules, facts, history, origin, moves):
    """Judge the position that a move or a set-up led to and list its actions, return how many."""
    at = position.ply - origin
    legal = legal_moves(position, rules, moves)
    note_check(position)
    allowed = remove_forbidden(position, rules, history, at, moves, legal)
    judge(position, rules, facts, legal, allowed, history, at)
    if position.termination:
        return 0
    return add_declaration(position, rules, moves, allowed)


@kernel
def advance(position, rules, action, history, origin, moves):
    """Take a legal action, judge what it leads to and list the actions there, return how many."""
    if action >= COUNT_START:
        judge_count(position, rules, declare(position, rules, action))
        return list_actions(position, rules, history, origin, moves)
    facts = apply_move(position, rules, action)
    history[position.ply - origin] = position.key
    return conclude(position, rules, facts, history, origin, moves)


@kernel
def copy_past(position, history, origin, path):
    """Copy the keys that a repetition can still reach, the present one last, to the front of `path`; return its origin.

    path: [P] uint64, with room for `position.quiet` + 1 keys and for those of the moves to be tried from here.
    """
    at = position.ply - origin
    quiet = position.quiet
    for distance in range(quiet + 1):
        path[quiet - distance] = history[at - distance]
    return position.ply - quiet


@kernel
def set_up(position, rules, history, moves):
    """Start a game from a position whose men, side, ply, clock and count are set; return the number of its actions.

    It is judged at once, as if a move had led to it. A pieces count with n = N and the counter to move counts as just
    begun. The game's origin is the position's ply.
    """
    position.key = fresh_key(position)
    position.quiet = 0
    position.repetition = 0
    position.streak_white = 0
    position.streak_black = 0
    position.termination = 0
    position.winner = NOBODY
    history[0] = position.key
    facts = 0
    if position.count_kind == BOARD and position.counter != position.side:
        facts = COUNTER_MOVED
    if position.count_kind == PIECES and position.counter == position.side:
        if position.count_number == popcount(position.white | position.black):
            facts = COUNT_BEGAN
    n = conclude(position, rules, facts, history, position.ply, moves)
    position.streak_white = 0
    position.streak_black = 0
    return n
