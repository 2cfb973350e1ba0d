"""Judges beside the core, ply by ply: the naive oracle, and Fairy-Stockfish through pyffish.

python -m tests.judges oracle --plies 500000      every preset, and random combinations of options
python -m tests.judges pyffish --plies 1000000    fairy and cambodian

print how often each count, limit, end and special move occurred, and exit with 1 at the first difference, or when
something that the rules provide for never occurred.
"""
