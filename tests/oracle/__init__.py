"""A plain second implementation of the rules, slow and independent, by which the fast core is judged."""

from .naive import Oracle
from .options import PRESETS
from .text import START_FEN

__all__ = ["PRESETS", "START_FEN", "Oracle"]
