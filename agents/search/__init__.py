"""Monte-Carlo tree search over many games in step, and of one position at length."""

from agents.search.analysis import Analysis, Line
from agents.search.search import Search
from agents.search.settings import SearchSettings

__all__ = ["Analysis", "Line", "Search", "SearchSettings"]
