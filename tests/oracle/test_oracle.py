"""The oracle against published and recomputed figures: move counts, counts as written in a FEN, and ends of counts."""

import random

import pytest

from . import PRESETS, START_FEN, Oracle

CENTRE = "rnsmksnr/8/pp1ppp1p/2p2p2/2P2P2/PP1PPP1P/8/RNSKMSNR w {} - 0 3"

PERFT = [
    ("fairy", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", [23, 529, 12_012]),
    ("fairy", "rnsmksnr/8/1ppppppp/p7/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 2", [25, 576, 14_290]),
    ("fairy", "r1smks1r/3n4/ppp1pppp/3p4/3P4/PPP1PPPP/4N3/R1SKMS1R w - - 0 4", [22, 508, 11_565]),
    ("fairy", CENTRE.format("-"), [21, 444, 9_558]),
    ("fairy", "rnsmksnr/8/ppppp1pp/2P5/5p2/PP1PPPPP/8/RNSKMSNR w - - 0 3", [26, 665, 17_062]),
    ("cambodian", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1", [25, 625, 15_031]),
    ("cambodian", CENTRE.format("DEde"), [23, 532, 12_148]),
    ("cambodian", "rnsmksnr/8/1ppppppp/p7/7P/PPPPPPP1/8/RNSKMSNR w DEde - 0 2", [27, 729, 19_038]),
    ("ouk", START_FEN, [25, 625, 15_031]),
    ("sut", START_FEN, [28, 784, 21_207]),
    ("sut", CENTRE.format("BDEGbdeg"), [25, 630, 15_582]),
    ("optional", "r1s1ks1r/8/1p2p1p1/p1PP1p1P/P2pP1P1/1P3P2/8/R1SK1S1R w - - 0 1", [35, 952, 32_626]),
    ("optional", "4k3/2P3P1/1P2P3/8/8/3p2p1/2p4p/4K3 w - - 0 1", [8, 60, 423, 3_552]),
]

# Both sides step to and fro; the half-move with which the count makes it a draw.
SHUFFLES = [
    ("fairy", "k7/8/8/8/8/8/8/2R3K1 w - - 0 1", ["c1c2", "a8a7", "c2c1", "a7a8"], 28),
    ("cambodian", "k7/8/8/8/8/8/8/2R3K1 w - - 0 1", ["c1c2", "a8a7", "c2c1", "a7a8"], 26),
    ("fairy", "k4r2/8/8/8/8/8/8/2R4K w - - 0 1", ["c1c2", "f8f7", "c2c1", "f7f8"], 130),
]

COUNT_FIELDS = [
    ("fairy", "8/3k4/8/2K1S1P1/8/8/8/8 w - - 0 1", "g5g6m", "b - 88 8"),
    ("fairy", "8/2K3k1/5m2/4S1S1/8/8/8/8 w - 128 97 1", "e5f6", "b - 44 8"),
    ("fairy", "3k4/2m5/8/4MP2/3KS3/8/8/8 w - - 0 1", "f5f6m", "b - 128 0"),
    ("fairy", "3k4/2m5/5M2/4M3/3KS3/8/8/8 w - 128 36 1", "d4d5", "b - 128 37"),
    ("cambodian", "8/3k4/8/2K1S1P1/8/8/8/8 w - - 0 1", "g5g6m", "b - 86 8"),
    ("cambodian", "8/4k3/8/5P2/8/2RMK3/8/8 w - 126 41 50", "f5f6m", "b - 30 10"),
    ("cambodian", "8/8/4k3/5P2/8/2RMK3/8/8 b - 126 42 50", "e6f5", "w - 30 7"),
]

# White's men, the limit that they set and the number of all men once Black is bare.
ARMIES = [
    ("RR", "3KM3", 8, 5),
    ("R", "3K4", 16, 3),
    ("SNN", "1M1KM3", 44, 7),
    ("RR", "1M1KM1MM", 8, 8),
]


def play(game: Oracle, *texts: str) -> Oracle:
    """Play some texts, of which only the last may end the game."""
    for text in texts:
        assert game.outcome is None
        game.push(text)
    return game


def shuffle_length(game: Oracle, moves: list[str]) -> int:
    """Return how many half-moves of a repeated round are played until the game ends."""
    for played in range(1000):
        if game.outcome is not None:
            return played
        game.push(moves[played % len(moves)])
    raise AssertionError("the shuffle never ends")


@pytest.mark.parametrize(("rules", "fen", "counts"), PERFT)
def test_perft(rules: str, fen: str, counts: list[int]) -> None:
    game = Oracle(fen, {"promotion": "optional"} if rules == "optional" else rules)
    assert [game.perft(depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("rules", "fen", "moves", "half_move"), SHUFFLES)
def test_shuffle_is_drawn_by_the_count(rules: str, fen: str, moves: list[str], half_move: int) -> None:
    assert shuffle_length(Oracle(fen, rules, repetition=0), moves) == half_move


@pytest.mark.parametrize(("rules", "fen", "move", "fields"), COUNT_FIELDS)
def test_count_fields_after_a_move(rules: str, fen: str, move: str, fields: str) -> None:
    written = play(Oracle(fen, rules), move).fen().split()
    assert " ".join([written[1], *written[2:5]]) == fields


@pytest.mark.parametrize("by_khun", [False, True])
@pytest.mark.parametrize("count_end", ["last_reply", "exceed", "reach"])
@pytest.mark.parametrize(("fighters", "first_rank", "limit", "everyone"), ARMIES)
def test_moves_left_to_the_chaser(
    fighters: str, first_rank: str, limit: int, everyone: int, count_end: str, by_khun: bool
) -> None:
    """The chaser has L - N moves after baring the counter, one more if the khun took the last bia itself."""
    rank = f"{fighters}{8 - len(fighters)}"
    if by_khun:
        game = play(Oracle(f"7k/7P/8/8/{rank}/8/8/{first_rank} b - - 0 1", count_end=count_end, repetition=0), "h8h7")
        moves = ["d1d2", "h7g7", "d2d1", "g7h7"]
    else:
        game = play(Oracle(f"7k/8/8/8/{rank}/8/2n5/{first_rank} w - - 0 1", count_end=count_end, repetition=0), "d1c2")
        moves = ["h8h7", "c2d1", "h7h8", "d1c2"]
    if game.outcome is None:
        assert game.count == ("PIECES", 1, everyone, limit)
    white_moves = (shuffle_length(game, moves) + by_khun) // 2
    expected = limit - everyone + by_khun - (count_end == "reach")
    if limit == everyone:
        expected = {"last_reply": 1, "exceed": int(by_khun), "reach": 0}[count_end]
    assert game.outcome == (None, "PIECES_COUNT")
    assert white_moves == expected


STOPPABLE = "3k4/2m5/8/8/3KS3/4R3/8/8 w - - 0 1"


def test_a_declared_board_count_is_started_and_stopped() -> None:
    game = play(Oracle(STOPPABLE), "start")
    assert game.count == ("BOARD", 0, 0, 64)
    assert game.fen() == "3k4/2m5/8/8/3KS3/4R3/8/8 w - 128 0 1 start"
    assert not {"start", "stop"} & set(game.legal())
    play(game, "e3e2")
    assert game.count == ("BOARD", 0, 1, 64)
    assert not {"start", "stop"} & set(game.legal())
    play(game, "d8e8", "stop")
    assert game.fen() == "4k3/2m5/8/8/3KS3/8/4R3/8 w - 128 2 2 stop"
    play(game, "e2e3")
    assert game.fen() == "4k3/2m5/8/8/3KS3/4R3/8/8 b - - 0 2"


def test_a_stop_at_once_ends_the_count_before_the_move() -> None:
    game = play(Oracle("3k4/2m5/8/8/3KS3/4R3/8/8 w - 128 126 1", "pychess"), "stop")
    assert game.fen() == "3k4/2m5/8/8/3KS3/4R3/8/8 w - - 0 1 stop"
    assert "start" not in game.legal()


def test_a_stop_is_void_once_the_limit_is_spoken() -> None:
    game = play(Oracle("3k4/2m5/8/8/3KS3/4R3/8/8 w - 128 126 1"), "stop", "e3e2")
    assert game.count == ("BOARD", 0, 64, 64)
    assert play(game, "d8e8").outcome == (None, "BOARD_COUNT")


@pytest.mark.parametrize("mated", ["7k/1R6/8/8/8/8/m7/2RK4", "2m4k/1R6/8/8/8/8/8/2RK4"])
@pytest.mark.parametrize(
    ("counter_mates", "stops", "outcome"),
    [
        ("draw", False, (None, "COUNTER_MATED")),
        ("draw", True, (None, "COUNTER_MATED")),
        ("draw_unless_stopped", False, (None, "COUNTER_MATED")),
        ("draw_unless_stopped", True, (0, "CHECKMATE")),
        ("win", False, (0, "CHECKMATE")),
    ],
)
def test_a_mate_by_the_counter(mated: str, counter_mates: str, stops: bool, outcome: tuple[int | None, str]) -> None:
    game = Oracle(f"{mated} w - 128 4 10", counter_mates=counter_mates)
    assert play(game, *["stop"] * stops, "c1c8").outcome == outcome


@pytest.mark.parametrize(("stalemate", "winner"), [("draw", None), ("loss", 0), ("win", 1)])
def test_stalemate(stalemate: str, winner: int | None) -> None:
    game = Oracle("k7/2K5/8/2M5/8/8/8/7R w - - 0 1", stalemate=stalemate)
    assert play(game, "c5b6").outcome == (winner, "STALEMATE")


def test_a_forbidden_stalemate_is_no_move_but_may_be_set_up() -> None:
    assert "c5b6" not in Oracle("k7/2K5/8/2M5/8/8/8/7R w - - 0 1", stalemate="forbidden").legal()
    game = Oracle("k7/2K5/1M6/8/8/8/8/7R b - - 0 1", stalemate="forbidden")
    assert game.outcome == (None, "STALEMATE")


@pytest.mark.parametrize(
    ("perpetual_check", "outcome"),
    [("draw", (None, "REPETITION")), ("loss", (1, "PERPETUAL_CHECK")), ("forbidden", None)],
)
def test_perpetual_check(perpetual_check: str, outcome: tuple[int | None, str] | None) -> None:
    game = Oracle("7k/8/8/8/8/8/8/K5R1 w - - 0 1", pieces_count="off", perpetual_check=perpetual_check)
    play(game, *["g1h1", "h8g8", "h1g1", "g8h8"] * 2)
    assert game.outcome == outcome
    if outcome is None:
        assert "g1h1" not in game.legal()
        assert "g1g2" in game.legal()


@pytest.mark.parametrize(
    ("board", "drawn"),
    [
        ("k7/8/8/m7/8/8/8/KMMM4", True),
        ("k7/8/8/m7/8/8/8/KM1M1M2", False),
        ("k7/8/8/m7/8/r7/7K/1M1M1M1M", True),
        ("k7/8/8/m7/8/r7/7K/1M1MM2M", False),
        ("k7/rs6/8/8/8/8/8/2RR3K", True),
        ("k7/rp6/8/8/8/8/8/2R4K", False),
    ],
)
def test_pairings_drawn_by_table(board: str, drawn: bool) -> None:
    game = Oracle(f"{board} b - - 0 1", material={"table"})
    assert (game.outcome == (None, "MATERIAL")) == drawn


def test_first_moves() -> None:
    game = Oracle(rules="sut")
    assert {"e1e3", "b1b3", "g1g3", "d1b2", "d1f2"} <= set(game.legal())
    play(game, "e1e3")
    assert game.fen() == "rnsmksnr/8/pppppppp/8/4P3/PPPPMPPP/8/RNSK1SNR b BDGbdeg - 0 1"
    game = Oracle("4k3/8/8/8/8/1r6/8/2MK3M b D - 0 1", "ouk", king_leap="ouk")
    assert play(game, "b3b2").fen().split()[2] == "D"
    assert play(game, "h1g2", "b2b1").fen().split()[2] == "-"


@pytest.mark.parametrize("rules", PRESETS)
def test_every_state_round_trips(rules: str) -> None:
    draw = random.Random(7)
    game = Oracle(rules=rules, repetition=0, max_plies=0)
    for _ in range(150):
        again = Oracle(game.fen(), rules, repetition=0, max_plies=0)
        assert (again.fen(), again.legal(), again.count) == (game.fen(), game.legal(), game.count)
        if game.outcome is not None:
            break
        texts = game.legal()
        declarations = [text for text in texts if text in ("start", "stop")]
        promotions = [text for text in texts if text.endswith("m")]
        game.push(draw.choice(draw.choice([texts, declarations or texts, promotions or texts])))
