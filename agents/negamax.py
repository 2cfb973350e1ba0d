"""Alpha-beta as one loop over a stack of frames: it can stop after any node, and go on from there.

Iterative deepening from one ply on; principal variation search; one more ply where a check is answered, within a limit;
captures and promotions followed beyond the depth, where the side to move may also leave it at what it has (stand pat).
All values are fail-soft and those of the side to move; a mate is worth MATE_VALUE less its distance from the root.

There is no null move: zugzwang is no exception in the endings of makruk, where slow men drive a khun to the edge, and a
pass that the rules do not have would also be numbered by a count. Nor are late moves looked at less deeply: a depth of
n means all lines of n plies, so that a mate in n is found at depth 2n - 1 by any search, and the shortest one.

A recursive kernel would be shorter. But one that comes from the disk cache crashes, so it would have to be compiled in
every process, and it could not be stopped by a clock, which no kernel can read.
"""

from __future__ import annotations

import numpy as np

from agents.evaluation import evaluate_places
from agents.heuristics import MATE_VALUE
from agents.ordering import NO_ACTION, bring_best, keep_noisy, noise, note_cut, rank_moves, shuffle
from agents.room import LEVELS, MOST_EXTENSIONS, QUIET_PLIES
from agents.transpositions import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    find,
    leave_marks,
    next_generation,
    past_marks,
    store,
    table_key,
)
from makruk_env.core.bits import EMPTY
from makruk_env.core.game import advance, copy_past
from makruk_env.core.jit import kernel
from makruk_env.core.position import NOBODY

INFINITY = MATE_VALUE + 1
_FAR = MATE_VALUE - LEVELS
"""Values beyond this are mates."""


@kernel
def begin(room, rules, games, histories, origins, legal, numbers, streams, i, most):
    """Set up the search of game i to a depth of at most `most`; the draw of its stream decides among equal actions."""
    root, frame = room.root[0], room.frames[0]
    root.generation = next_generation(room.table, root.generation)
    root.nodes, root.level, root.depth, root.score, root.most = 0, 0, 0, 0, most
    room.history[:] = np.int32(0)
    room.killers[:] = np.int16(NO_ACTION)
    room.positions[0] = games[i]
    position = room.positions[0]
    root.origin = copy_past(position, histories[i], origins[i], room.path)
    frame.stood, frame.trail = past_marks(position, rules[0], room.path, position.quiet), EMPTY
    frame.n, frame.left, frame.quiet = numbers[i], MOST_EXTENSIONS, QUIET_PLIES
    shuffle(legal[i], numbers[i], streams, i, room.moves[0])
    first = np.int64(NO_ACTION)
    rank_moves(position, room.moves[0], room.ranks[0], frame.n, first, room.killers[0], room.history)
    for at in range(np.int64(frame.n)):
        bring_best(room.moves[0], room.ranks[0], at, frame.n)
    root.chosen = room.moves[0, 0]
    root.done = 1 if frame.n == 1 else 0
    open_root(room, root.depth + 1)


@kernel
def open_root(room, depth):
    """Begin a search of a given depth with the action that was best so far, and then in the order of before."""
    root, frame = room.root[0], room.frames[0]
    moves, ranks = room.moves[0], room.ranks[0]
    at = 0
    while moves[at] != root.chosen:
        at += 1
    for k in range(at, 0, -1):
        moves[k] = moves[k - 1]
    moves[0] = root.chosen
    for k in range(frame.n):
        ranks[k] = -k
    frame.alpha, frame.floor, frame.beta, frame.best = -INFINITY, -INFINITY, INFINITY, -INFINITY
    frame.depth, frame.at = depth, 0


@kernel
def close_root(room):
    """End a search of one depth and begin the next, unless that is too deep or could find no shorter mate."""
    root, frame = room.root[0], room.frames[0]
    root.depth, root.score = frame.depth, frame.best
    if frame.depth == root.most or abs(frame.best) >= MATE_VALUE - frame.depth:
        root.done = 1
    else:
        open_root(room, root.depth + 1)


@kernel
def ended_worth(position, level):
    """Return the worth of a game that is over to the side to move."""
    if position.winner == NOBODY:
        return 0
    return MATE_VALUE - level if position.winner == position.side else level - MATE_VALUE


@kernel
def enter_quiet(room, level):
    """Begin to follow captures and promotions; return False if what the side to move has is enough, or all there is."""
    frame, position = room.frames[level], room.positions[level]
    frame.best, frame.n = evaluate_places(position), 0
    if frame.best >= frame.beta or frame.quiet == 0:
        return False
    frame.alpha = max(frame.alpha, frame.best)
    frame.n = keep_noisy(position, room.moves[level], room.ranks[level], frame.listed)
    return frame.n > 0


@kernel
def look_up(room, level):
    """Take what the table knows of a node: return whether that is enough, and the action to try first."""
    frame = room.frames[level]
    row = find(room.table, frame.key, room.root[0].generation)
    if row < 0:
        return False, np.int64(NO_ACTION)
    entry = room.table[row]
    score = np.int64(entry.score)
    if score > _FAR:
        score -= level
    elif score < -_FAR:
        score += level
    enough = entry.depth == frame.depth
    if entry.bound == AT_LEAST:
        enough = enough and score >= frame.beta
    elif entry.bound == AT_MOST:
        enough = enough and score <= frame.alpha
    if enough:
        frame.best = score
    return enough, np.int64(entry.action)


@kernel
def enter(room, rules, level, depth, alpha, beta):
    """Begin with a node below the root; return False if its worth is known at once, in `best`."""
    above, frame, position = room.frames[level - 1], room.frames[level], room.positions[level]
    if position.termination:
        frame.best = ended_worth(position, level)
        return False
    frame.left = above.left
    frame.quiet = QUIET_PLIES
    if above.depth == 0:
        frame.quiet = above.quiet - 1
    elif position.check and above.turned and above.left > 0:
        frame.left -= 1
        depth += 1
    frame.alpha, frame.floor, frame.beta, frame.depth, frame.at = alpha, alpha, beta, max(depth, 0), 0
    if depth <= 0:
        return enter_quiet(room, level)
    frame.key = table_key(position, rules, depth, frame.left, frame.stood, frame.trail, LEVELS)
    known, first = look_up(room, level)
    if known:
        return False
    frame.best, frame.n = -INFINITY, frame.listed
    rank_moves(position, room.moves[level], room.ranks[level], frame.n, first, room.killers[level], room.history)
    return True


@kernel
def enter_child(room, rules, level):
    """Begin with what the action being tried leads to, in the window that it is asked for; return as `enter` does."""
    frame = room.frames[level]
    alpha = np.int64(frame.alpha)
    high = alpha + 1 if frame.scouting else np.int64(frame.beta)
    if frame.turned:
        return enter(room, rules, level + 1, frame.depth - 1, -high, -alpha)
    return enter(room, rules, level + 1, frame.depth - 1, alpha, high)


@kernel
def descend(room, rules, level):
    """Take the next action of a node; return as `enter` does."""
    root, frame, below = room.root[0], room.frames[level], room.frames[level + 1]
    bring_best(room.moves[level], room.ranks[level], np.int64(frame.at), frame.n)
    room.positions[level + 1] = room.positions[level]
    position, child = room.positions[level], room.positions[level + 1]
    action = room.moves[level, frame.at]
    below.listed = advance(child, rules, action, room.path, root.origin, room.moves[level + 1])
    root.nodes += 1
    frame.turned = child.side != position.side
    # The first action is asked what it is worth, the others whether they are better.
    frame.scouting = frame.depth > 0 and frame.at > 0 and frame.beta > frame.alpha + 1
    at = child.ply - root.origin
    below.stood, below.trail = leave_marks(position, child, rules, room.path, at, frame.stood, frame.trail)
    return enter_child(room, rules, level)


@kernel
def value_below(room, level):
    """Return what the action that was tried is worth to the side to move."""
    best = np.int64(room.frames[level + 1].best)
    return -best if room.frames[level].turned else best


@kernel
def look_again(room, level):
    """Tell whether an action turned out better than all before, so that its true worth is wanted."""
    frame = room.frames[level]
    if frame.scouting and frame.alpha < value_below(room, level) < frame.beta:
        frame.scouting = 0
        return True
    return False


@kernel
def take(room, level):
    """Take the worth of the action that was tried and go on to the next."""
    frame, score = room.frames[level], value_below(room, level)
    if score > frame.best:
        frame.best = score
        frame.chosen = room.moves[level, frame.at]
        frame.alpha = max(frame.alpha, score)
        if level == 0:
            room.root[0].chosen = frame.chosen
        position = room.positions[level]
        if score >= frame.beta and frame.depth > 0 and noise(position, frame.chosen) == 0:
            note_cut(room.killers[level], room.history, position.side, frame.chosen, frame.depth)
    frame.at += 1


@kernel
def close(room, level):
    """Write what a node came to into the table."""
    frame = room.frames[level]
    if frame.depth == 0:
        return
    bound, action, score = EXACT, frame.chosen, np.int64(frame.best)
    if frame.best >= frame.beta:
        bound = AT_LEAST
    elif frame.best <= frame.floor:
        bound, action = AT_MOST, NO_ACTION
    if score > _FAR:
        score += level
    elif score < -_FAR:
        score -= level
    store(room.table, frame.key, room.root[0].generation, frame.depth, bound, score, action)


@kernel
def search_on(room, rules, nodes):
    """Search until all is done or so many nodes have been made in all; return whether all is done."""
    root = room.root[0]
    while not root.done:
        level = np.int64(root.level)
        frame = room.frames[level]
        if frame.at < frame.n and frame.best < frame.beta:
            if root.nodes >= nodes:
                return False
            is_open = descend(room, rules[0], level)
        elif level == 0:
            close_root(room)
            continue
        else:
            close(room, level)
            level -= 1
            is_open = False
        while not is_open and look_again(room, level):
            is_open = enter_child(room, rules[0], level)
        if is_open:
            root.level = level + 1
        else:
            root.level = level
            take(room, level)
    return True
