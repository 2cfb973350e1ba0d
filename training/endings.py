"""How the games of a run ended, and the alarm when nearly all of late are drawn."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence

import numpy as np

from makruk_env.core.position import NOBODY
from makruk_env.rules import Termination
from training.records import GameRecord

LATE_GAMES = 500
"""How many of the latest games are looked at."""
ALARM_SHARE = 0.9
"""Share of undecided games among them above which learning has likely stopped: "draw" is then the best guess."""
KINDS = ("TRUNCATED", *(kind.name for kind in Termination))
"""The names of all ends: a `Termination`'s own, at its number, and of games that were cut off."""


def ending_of(record: GameRecord) -> str:
    """Return the name of a game's end."""
    return KINDS[record.termination]


class Endings:
    """Counts ends. counts: of all games of the run; late: of the latest `LATE_GAMES`, by name."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._late: deque[tuple[str, bool]] = deque(maxlen=LATE_GAMES)  # its end, and whether somebody won

    @property
    def late(self) -> Counter[str]:
        """How the latest games ended."""
        return Counter(kind for kind, _ in self._late)

    def add(self, records: Sequence[GameRecord]) -> None:
        """Take in games that ended."""
        self.counts.update(map(ending_of, records))
        self._late.extend((ending_of(record), record.winner != NOBODY) for record in records)

    @property
    def alarm(self) -> str | None:
        """What to say if more than `ALARM_SHARE` of the latest games, once there are so many, were won by nobody."""
        kinds = Counter(kind.lower() for kind, won in self._late if not won)
        share = kinds.total() / LATE_GAMES
        if len(self._late) < LATE_GAMES or share <= ALARM_SHARE:
            return None
        told = ", ".join(f"{kind} {count / LATE_GAMES:.0%}" for kind, count in kinds.most_common())
        return f"draw collapse: {share:.0%} of the last {LATE_GAMES} games were won by nobody ({told})"

    def state_dict(self) -> dict[str, np.ndarray]:
        """Return the counts and the latest ends as arrays."""
        return {
            "endings": np.array([self.counts[kind] for kind in KINDS]),
            "late_kinds": np.array([KINDS.index(kind) for kind, _ in self._late], np.int8),
            "late_won": np.array([won for _, won in self._late], np.bool_),
        }

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """Become what `state_dict` was taken from."""
        self.counts = Counter({kind: int(n) for kind, n in zip(KINDS, state["endings"], strict=True) if n})
        late = zip(state["late_kinds"].tolist(), state["late_won"].tolist(), strict=True)
        self._late = deque(((KINDS[kind], won) for kind, won in late), LATE_GAMES)
