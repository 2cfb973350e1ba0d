"""How games ended, and the alarm when nearly all are drawn."""

from __future__ import annotations

from dataclasses import replace

from makruk_env import Termination
from training.endings import LATE_GAMES, Endings, ending_of
from training.records import GameRecord

from .games import WHITE_MATES, played, random_game

WON = played(WHITE_MATES, ["a7a8"])
CUT = random_game(seed=4, plies=3, truncate=True)
REPEATED = replace(CUT, truncated=False, termination=int(Termination.REPETITION))


def after(*parts: tuple[GameRecord, int]) -> Endings:
    endings = Endings()
    for record, count in parts:
        endings.add([record] * count)
    return endings


def test_ends_by_name() -> None:
    assert [ending_of(record) for record in (WON, CUT, REPEATED)] == ["CHECKMATE", "TRUNCATED", "REPETITION"]


def test_the_alarm_tells_the_kinds_of_draws() -> None:
    alarm = after((REPEATED, 300), (WON, 20), (CUT, 180)).alarm
    assert alarm == (
        "draw collapse: 96% of the last 500 games were won by nobody (repetition 60%, truncated 36%)"
    )  # fmt: skip


def test_no_alarm_at_nine_in_ten_or_before_there_are_enough_games() -> None:
    assert after((REPEATED, 450), (WON, 50)).alarm is None
    assert after((REPEATED, 451), (WON, 49)).alarm is not None
    assert after((REPEATED, LATE_GAMES - 1)).alarm is None


def test_only_the_latest_games_count() -> None:
    endings = after((REPEATED, 1000), (WON, 60))
    assert endings.alarm is None
    assert endings.late == {"REPETITION": 440, "CHECKMATE": 60}
    assert endings.counts == {"REPETITION": 1000, "CHECKMATE": 60}


def test_it_goes_on_from_its_state() -> None:
    endings, again = after((WON, 40), (REPEATED, 470), (CUT, 7)), Endings()
    again.load_state_dict(endings.state_dict())
    for one in (endings, again):
        one.add([REPEATED] * 5)
    assert (again.counts, again.late, again.alarm) == (endings.counts, endings.late, endings.alarm)
