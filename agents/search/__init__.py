"""Monte-Carlo tree search over many games in step."""

from agents.search.search import Search
from agents.search.settings import SearchSettings

__all__ = ["Search", "SearchSettings"]
