"""An engine for the tests that plays makruk by the rules here, or fails in the way that its argument names."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"  # a few moves are made sooner than compiled code is loaded
sys.path.insert(0, str(Path(__file__).parents[2]))

from makruk_env import Board


def _is_first_time(mark: str) -> bool:
    """Tell whether a file is not there yet, and make it."""
    known = os.path.exists(mark)
    Path(mark).touch()
    return not known


def main() -> None:
    """Answer lines from standard input; with `log=FILE` also keep what was asked."""
    fault, _, log = sys.argv[1].partition("@")
    board = Board()
    for line in sys.stdin:
        words = line.split()
        if log:
            with open(log, "a", encoding="utf-8") as file:
                file.write(line)
        if words[0] == "uci" and fault != "mute":
            variants = "" if fault == "chess" else " var makruk"
            print(f"id name Fake\noption name UCI_Variant type combo default chess var chess{variants}\nuciok")
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "position":
            board = Board(" ".join(words[2:8]), "fairy")
            for move in words[9:]:
                board.push_uci(move)
        elif words[0] == "go":
            if fault == "crash" or (fault == "once" and board.ply > 12 and _is_first_time(f"{log}.crashed")):
                sys.exit(3)
            if fault == "hang":
                time.sleep(60)
            if fault == "chatter":
                while True:
                    print("info string still thinking")
            answers = {"illegal": "bestmove a1h8", "nonsense": "bestmove O-O", "none": "bestmove (none)"}
            print(answers.get(fault, f"info depth 1\nbestmove {board.legal_moves[0].uci()} ponder a1a1"))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
