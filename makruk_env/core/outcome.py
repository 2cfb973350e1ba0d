"""The verdict on a position, and the moves that an option forbids although the men could make them."""

from __future__ import annotations

from makruk_env.core.apply import key_after, move_men
from makruk_env.core.bits import EMPTY, first_square
from makruk_env.core.counting import count_is_over
from makruk_env.core.jit import kernel
from makruk_env.core.material import is_material_draw
from makruk_env.core.movegen import checkers, count_moves
from makruk_env.core.position import COUNT_BEGAN, COUNTER_MOVED, NOBODY, PIECES, men_of
from makruk_env.core.tables import BIA
from makruk_env.rules import OPTIONS, Termination

CHECKMATE = int(Termination.CHECKMATE)
STALEMATE = int(Termination.STALEMATE)
REPETITION = int(Termination.REPETITION)
PERPETUAL_CHECK = int(Termination.PERPETUAL_CHECK)
PIECES_COUNT = int(Termination.PIECES_COUNT)
BOARD_COUNT = int(Termination.BOARD_COUNT)
COUNTER_MATED = int(Termination.COUNTER_MATED)
MATERIAL = int(Termination.MATERIAL)
MAX_PLIES = int(Termination.MAX_PLIES)
NO_ALLOWED_MOVE = int(Termination.NO_ALLOWED_MOVE)
STALEMATE_LOSS = OPTIONS["stalemate"].index("loss")
STALEMATE_WIN = OPTIONS["stalemate"].index("win")
STALEMATE_FORBIDDEN = OPTIONS["stalemate"].index("forbidden")
PERPETUAL_DRAW = OPTIONS["perpetual_check"].index("draw")
PERPETUAL_LOSS = OPTIONS["perpetual_check"].index("loss")
PERPETUAL_FORBIDDEN = OPTIONS["perpetual_check"].index("forbidden")
COUNTER_MATE_WINS = OPTIONS["counter_mates"].index("win")
MOST_REPETITIONS = 100


@kernel
def look_back(key, quiet, history, at):
    """Return how often `key` stood before, and how many plies ago first (0: never).

    history: uint64 keys, history[at] belongs to the position asked about, history[at - d] to the one d plies before;
    quiet: how many plies back no capture and no bia move has been made.
    """
    earlier, first = 0, 0
    for distance in range(4, quiet + 1, 2):
        if history[at - distance] == key:
            earlier += 1
            first = distance
    return earlier, first


@kernel
def streak_of(position, side):
    """Return how many of a side's latest moves gave check without a gap."""
    if side == 0:
        return position.streak_white
    return position.streak_black


@kernel
def note_check(position):
    """Bring the mover's run of checks up to date; `position.check` is."""
    if position.side == 1:
        position.streak_white = min(position.streak_white + 1, 30_000) if position.check else 0
    else:
        position.streak_black = min(position.streak_black + 1, 30_000) if position.check else 0


@kernel
def is_forbidden(position, rules, history, at, action):
    """Tell whether an option forbids a legal move; the position comes back as it was.

    The opponent's answers are taken without these options: a move that leaves him only forbidden moves is no stalemate.
    """
    side = position.side
    quiet = position.quiet
    before = (position.khun, position.met, position.khon, position.ma, position.ruea, position.bia)
    white, black = position.white, position.black
    rights = position.rights
    kind, became, captured, sut = move_men(position, rules, action)
    check = checkers(position, 1 - side, first_square(position.khun & men_of(position, 1 - side))) != EMPTY
    forbidden = False
    if rules.stalemate == STALEMATE_FORBIDDEN and not check and count_moves(position, rules) == 0:
        forbidden = True
    if rules.perpetual_check == PERPETUAL_FORBIDDEN and check and captured < 0 and kind != BIA and not sut:
        key = key_after(position.key, side, action, kind, became, captured, sut)
        earlier, first = look_back(key, quiet + 1, history, at + 1)
        if rules.repetition and earlier + 1 >= rules.repetition:
            own_way = 2 * (streak_of(position, side) + 1) >= first
            other_way = 2 * streak_of(position, 1 - side) >= first
            forbidden = forbidden or (own_way and not other_way)
    position.khun, position.met, position.khon = before[0], before[1], before[2]
    position.ma, position.ruea, position.bia = before[3], before[4], before[5]
    position.white, position.black = white, black
    position.side = side
    position.rights = rights
    return forbidden


@kernel
def remove_forbidden(position, rules, history, at, moves, n):
    """Drop the forbidden ones from the first `n` of `moves`, in place; return how many stay."""
    if rules.stalemate != STALEMATE_FORBIDDEN and rules.perpetual_check != PERPETUAL_FORBIDDEN:
        return n
    kept = 0
    for i in range(n):
        if not is_forbidden(position, rules, history, at, moves[i]):
            moves[kept] = moves[i]
            kept += 1
    return kept


@kernel
def finish(position, termination, winner):
    position.termination = termination
    position.winner = winner


@kernel
def judge_count(position, rules, began):
    """End the game if the running count is over; `began`: a pieces count began just now."""
    if count_is_over(position, rules, began):
        finish(position, PIECES_COUNT if position.count_kind == PIECES else BOARD_COUNT, NOBODY)


@kernel
def judge_repetition(position, rules, first):
    """End the game, or let it go on, at a position that stands often enough; it stood first `first` plies ago."""
    mover = 1 - position.side
    mover_checked = 2 * streak_of(position, mover) >= first
    other_checked = 2 * streak_of(position, 1 - mover) >= first
    if mover_checked == other_checked or rules.perpetual_check == PERPETUAL_DRAW:
        finish(position, REPETITION, NOBODY)
    elif rules.perpetual_check == PERPETUAL_LOSS:
        finish(position, PERPETUAL_CHECK, 1 - mover if mover_checked else mover)


@kernel
def judge(position, rules, facts, legal, allowed, history, at):
    """Set termination and winner after a move, in the order in which the ends take precedence.

    facts: COUNTER_MOVED and COUNT_BEGAN as `apply_move` found them; legal, allowed: how many moves the side to move
    has without and with the forbidding options; history, at: see `look_back`.
    """
    mover = 1 - position.side
    earlier, first = look_back(position.key, position.quiet, history, at)
    position.repetition = min(earlier, MOST_REPETITIONS)
    if legal == 0:
        if position.check:
            if facts & COUNTER_MOVED and rules.counter_mates != COUNTER_MATE_WINS:
                finish(position, COUNTER_MATED, NOBODY)
            else:
                finish(position, CHECKMATE, mover)
        elif rules.stalemate == STALEMATE_LOSS:
            finish(position, STALEMATE, mover)
        elif rules.stalemate == STALEMATE_WIN:
            finish(position, STALEMATE, position.side)
        else:
            finish(position, STALEMATE, NOBODY)
        return
    if allowed == 0:
        finish(position, NO_ALLOWED_MOVE, NOBODY)
        return
    judge_count(position, rules, facts & COUNT_BEGAN)
    if position.termination:
        return
    if rules.repetition and earlier + 1 >= rules.repetition:
        judge_repetition(position, rules, first)
        if position.termination:
            return
    if is_material_draw(position, rules):
        finish(position, MATERIAL, NOBODY)
    elif rules.max_plies and position.ply >= rules.max_plies:
        finish(position, MAX_PLIES, NOBODY)
