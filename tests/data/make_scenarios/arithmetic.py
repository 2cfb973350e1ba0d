"""The sums behind the ends of a count: n is the last number spoken, L the limit, N all men on the board.

last_reply  over after the chaser's move once n >= L       exceed  over after the counter's move once n > L
reach       over after the counter's move once n >= L
"""

from __future__ import annotations

from collections.abc import Iterator

COUNT_ENDS = ("last_reply", "exceed", "reach")


def chaser_moves(men: int, limit: int, count_end: str, khun_took: bool) -> int:
    """Return how many moves the chaser has once a pieces count has begun at n = N = `men`.

    khun_took: the bare khun began it by taking the last bia, so that the chaser moves first and has one move more.
    """
    if men >= limit:
        first_of_both = int(khun_took and men == limit)
        return {"last_reply": 1, "exceed": first_of_both, "reach": 0}[count_end]
    return limit - men + khun_took - (count_end == "reach")


def plies_from_start(men: int, limit: int, count_end: str, khun_took: bool) -> int:
    """Return how many moves of both sides follow the one that began a pieces count; 0: it was over at once."""
    at_once = {"last_reply": False, "exceed": men > limit, "reach": men >= limit}[count_end]
    if at_once:
        return 0
    replies = chaser_moves(men, limit, count_end, khun_took)
    if count_end == "last_reply":
        return 2 * replies - khun_took
    return 2 * replies + (not khun_took)


def plies_left(number: int, limit: int, count_end: str, counter_to_move: bool) -> int:
    """Return how many moves of both sides are left to a count that has run to n = `number`; 0: it is over."""
    last_number = limit + (count_end == "exceed")
    if count_end == "last_reply":
        if number >= limit:
            return 0 if counter_to_move else 1
        return 2 * (limit - number) + (not counter_to_move)
    if number >= last_number:
        return 0
    return 2 * (last_number - number) - counter_to_move


def fields(number: int, limit: int, count_end: str, counter_to_move: bool) -> str:
    """Return fields 4 and 5 of a FEN: 2L, for "reach" 2L - 2; 2n with the counter to move, else 2n - 1."""
    return f"{2 * limit - 2 * (count_end == 'reach')} {2 * number - (not counter_to_move)}"


def around_the_limit(limit: int) -> Iterator[tuple[int, str, bool]]:
    """Yield numbers one before, at and one after the last one, how the count ends, and whether the counter is to move.

    Left out are counts that cannot be: where the counter's own move ends the game he is not to move after it.
    """
    for count_end in COUNT_ENDS:
        last_number = limit + (count_end == "exceed")
        for number in (last_number - 1, last_number, last_number + 1):
            yield number, count_end, False
            if number < last_number or count_end == "last_reply":
                yield number, count_end, True
