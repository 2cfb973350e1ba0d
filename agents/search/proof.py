"""What is proven of a node, for its side to move, or of an edge, for its mover."""

from __future__ import annotations

from makruk_env.core.jit import kernel

UNKNOWN, WIN, DRAW, LOSS = 0, 1, 2, 3


@kernel
def proof_value(proof):
    """Return the value of a proven node or edge: 1, 0 or -1."""
    if proof == WIN:
        return 1.0
    if proof == LOSS:
        return -1.0
    return 0.0


@kernel
def turned_proof(proof):
    """Return a proof as the other side sees it."""
    if proof == WIN:
        return LOSS
    if proof == LOSS:
        return WIN
    return proof
