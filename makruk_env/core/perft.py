"""Perft: the number of move sequences of a given length, the classical proof of a move generator."""

from __future__ import annotations

from makruk_env.core.apply import move_men
from makruk_env.core.jit import kernel
from makruk_env.core.movegen import count_moves, legal_moves


@kernel
def perft(stack, rules, moves, depth):
    """Count the move sequences of `depth` >= 1 plies from stack[depth]; nothing but the moves of the men is looked at.

    stack: [depth + 1] POSITION; moves: [depth + 1, MAX_MOVES] int16; the rows below `depth` are overwritten.
    """
    position = stack[depth]
    if depth == 1:
        return count_moves(position, rules)
    total = 0
    n = legal_moves(position, rules, moves[depth])
    for i in range(n):
        stack[depth - 1] = position
        move_men(stack[depth - 1], rules, moves[depth, i])
        total += perft(stack, rules, moves, depth - 1)
    return total
