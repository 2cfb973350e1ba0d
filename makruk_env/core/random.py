"""Random numbers for kernels: one stream a game, addressed by a counter, so that neither the number of games nor the
number of threads changes what a game draws (SplitMix64, Steele, Lea and Flood 2014)."""

from __future__ import annotations

import numpy as np

from makruk_env.core.jit import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32), np.uint64(11)
_UNIT = 1.0 / 9007199254740992.0


@kernel
def mix(word):
    """Return the word well stirred: a bijection of uint64."""
    word = (word ^ (word >> _S30)) * _MIX_A
    word = (word ^ (word >> _S27)) * _MIX_B
    return word ^ (word >> _S31)


@kernel
def draw(streams, i):
    """Return the next uint64 of stream i; streams: [B, 2] uint64, a stream's key and its counter."""
    streams[i, 1] += _GOLDEN
    return mix(streams[i, 0] ^ mix(streams[i, 1]))


@kernel
def draw_below(streams, i, n):
    """Return the next number in 0 .. n - 1 of stream i, n < 2**32."""
    return np.int64(((draw(streams, i) >> _S32) * np.uint64(n)) >> _S32)


@kernel
def draw_unit(streams, i):
    """Return the next float64 in [0, 1) of stream i."""
    return np.float64(draw(streams, i) >> _S11) * _UNIT


def new_streams(seed: int, count: int) -> np.ndarray:
    """Return `count` independent streams, [count, 2] uint64; stream i depends on `seed` and i alone."""
    keys = np.array(
        [np.random.SeedSequence((seed, i)).generate_state(1, np.uint64)[0] for i in range(count)], np.uint64
    )
    return np.stack([keys, np.zeros_like(keys)], axis=1)
