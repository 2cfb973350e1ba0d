"""Monte-Carlo tree search over many games in step."""

from agents.search.search import Search, SearchSettings

__all__ = ["Search", "SearchSettings"]
