"""The page to play on: games against agents in a browser, kept over restarts, with a look inside the search."""
