"""The order in which alpha-beta tries moves, and which of them it follows beyond its depth.

The sooner the best move is tried, the fewer others have to be looked at: first the table's move, then captures by the
fattest victim and the leanest attacker (MVV-LVA) and promotions, then the two killers of the level, then the rest by
their history. Order never changes what a search of a given depth comes to, only how long it takes.
"""

from __future__ import annotations

import numpy as np

from agents.heuristics import BIA_VALUE, KHON_VALUE, MA_VALUE, MET_VALUE, RUEA_VALUE
from makruk_env.core.actions import ACTION_FROM, ACTION_TO, COUNT_START, NUM_PAIRS
from makruk_env.core.bits import EMPTY
from makruk_env.core.jit import kernel
from makruk_env.core.movegen import attacked_by
from makruk_env.core.position import kind_at, men_of
from makruk_env.core.random import draw_below
from makruk_env.core.tables import FLIP, NUM_KINDS, SQUARE, ZONE

WORTH = np.array([0, MET_VALUE, KHON_VALUE, MA_VALUE, RUEA_VALUE, BIA_VALUE], np.int64)
"""[6]: what the men are worth as victims, by kind."""
WORTH.setflags(write=False)
assert len(WORTH) == NUM_KINDS
PROMOTION_GAIN = MET_VALUE - BIA_VALUE
TABLE_RANK, NOISY_RANK, FIRST_KILLER_RANK, SECOND_KILLER_RANK = 1 << 28, 1 << 24, (1 << 20) + 1, 1 << 20
MOST_HISTORY = 1 << 19
"""Below the killers. A history draws nearer to it with each cut and never reaches it."""
NO_ACTION = -1


@kernel
def shuffle(legal, n, streams, i, moves):
    """Copy the first `n` of `legal` to `moves` in an order drawn from stream i."""
    for k in range(n):
        moves[k] = legal[k]
    for k in range(n - 1, 0, -1):
        other = draw_below(streams, i, k + 1)
        moves[k], moves[other] = moves[other], moves[k]


@kernel
def capture_worth(position, action):
    """Return what an action captures, in hundredths of a bia; 0 if nothing, or with the promotion declined."""
    if action >= NUM_PAIRS:
        return 0
    kind = kind_at(position, SQUARE[ACTION_TO[action] ^ FLIP[position.side]])
    return WORTH[kind] if kind >= 0 else 0


@kernel
def noise(position, action):
    """Return what an action wins on the spot, by capture and promotion, in hundredths of a bia."""
    if action >= COUNT_START:
        return 0
    side = position.side
    flip = FLIP[side]
    stop = SQUARE[ACTION_TO[action] ^ flip]
    gain = WORTH[kind_at(position, stop)] if stop & men_of(position, 1 - side) else 0
    if stop & ZONE[side] and action < NUM_PAIRS and SQUARE[ACTION_FROM[action] ^ flip] & position.bia:
        gain += PROMOTION_GAIN
    return gain


@kernel
def worth_of_mover(position, action):
    """Return what the man is worth that an action moves."""
    return WORTH[kind_at(position, SQUARE[ACTION_FROM[action] ^ FLIP[position.side]])]


@kernel
def rank_moves(position, moves, ranks, n, table_action, killers, history):
    """Write to `ranks` how soon each of the first `n` of `moves` is to be tried: the highest first.

    killers: [2] int16, quiet actions that refuted others at this level; history: [2, A] int32, by side.
    """
    side = position.side
    for k in range(n):
        action = moves[k]
        gain = noise(position, action)
        if action == table_action:
            ranks[k] = TABLE_RANK
        elif gain:
            ranks[k] = NOISY_RANK + 16 * gain - worth_of_mover(position, action)
        elif action == killers[0]:
            ranks[k] = FIRST_KILLER_RANK
        elif action == killers[1]:
            ranks[k] = SECOND_KILLER_RANK
        else:
            ranks[k] = history[side, action]


@kernel
def keep_noisy(position, moves, ranks, n):
    """Bring what is followed beyond the depth to the front of `moves`, rank it, and return how many these are.

    Captures and promotions; not those where the man may be taken back and is worth more than what it wins. That test
    looks at the position alone, never at the window, so that what a leaf is worth does not depend on who asks.
    """
    side = position.side
    guarded, known = EMPTY, False
    kept = 0
    for k in range(n):
        action = moves[k]
        gain = noise(position, action)
        if gain == 0:
            continue
        worth = worth_of_mover(position, action)
        if worth > gain:
            if not known:
                guarded, known = attacked_by(position, 1 - side, position.white | position.black), True
            if guarded & SQUARE[ACTION_TO[action] ^ FLIP[side]]:
                continue
        moves[k] = moves[kept]
        moves[kept] = action
        ranks[kept] = 16 * gain - worth
        kept += 1
    return kept


@kernel
def bring_best(moves, ranks, at, n):
    """Swap the highest ranked of moves[at:n] to `at`; among equals the first."""
    best = at
    for k in range(at + 1, n):
        if ranks[k] > ranks[best]:
            best = k
    moves[at], moves[best] = moves[best], moves[at]
    ranks[at], ranks[best] = ranks[best], ranks[at]


@kernel
def note_cut(killers, history, side, action, depth):
    """Remember a quiet action that made all others of its node needless."""
    if action != killers[0]:
        killers[1] = killers[0]
        killers[0] = action
    before, step = np.int64(history[side, action]), min(32 * np.int64(depth) * depth, MOST_HISTORY // 8)
    history[side, action] = before + step * (MOST_HISTORY - before) // MOST_HISTORY
