"""Move counts of known positions, found alike by Fairy-Stockfish and by a plain implementation of the rules."""

import pytest

from makruk_env import Board

OPTIONAL = "ttakji:promotion=optional"
START = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"
LEAPS = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1"
SUT = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w BDEGbdeg - 0 1"
ROWS = [
    (START, "ttakji", [23, 529, 12_012, 273_026, 6_223_994, 142_078_049]),
    ("rnsmksnr/8/1ppppppp/p7/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 2", "ttakji", [25, 576, 14_290, 329_789, 8_211_263]),
    ("r1smks1r/3n4/ppp1pppp/3p4/3P4/PPP1PPPP/4N3/R1SKMS1R w - - 0 4", "fairy", [22, 508, 11_565, 275_266, 6_481_679]),
    ("rnsmksnr/8/pp1ppp1p/2p2p2/2P2P2/PP1PPP1P/8/RNSKMSNR w - - 0 3", "ttakji", [21, 444, 9_558, 206_271]),
    ("rnsmksnr/8/ppppp1pp/2P5/5p2/PP1PPPPP/8/RNSKMSNR w - - 0 3", "ttakji", [26, 665, 17_062, 432_413]),
    (LEAPS, "cambodian", [25, 625, 15_031, 361_719, 8_597_966, 204_583_970]),
    ("rnsmksnr/8/pp1ppp1p/2p2p2/2P2P2/PP1PPP1P/8/RNSKMSNR w DEde - 0 3", "cambodian", [23, 532, 12_148, 277_928]),
    ("rnsmksnr/8/1ppppppp/p7/7P/PPPPPPP1/8/RNSKMSNR w DEde - 0 2", "cambodian", [27, 729, 19_038, 497_256]),
    (LEAPS, "ouk", [25, 625, 15_031]),
    (SUT, "sut", [28, 784, 21_207]),
    ("rnsmksnr/8/pp1ppp1p/2p2p2/2P2P2/PP1PPP1P/8/RNSKMSNR w BDEGbdeg - 0 3", "sut", [25, 630, 15_582]),
    ("r1s1ks1r/8/1p2p1p1/p1PP1p1P/P2pP1P1/1P3P2/8/R1SK1S1R w - - 0 1", OPTIONAL, [35, 952, 32_626]),
    ("4k3/2P3P1/1P2P3/8/8/3p2p1/2p4p/4K3 w - - 0 1", OPTIONAL, [8, 60, 423, 3_552]),
]


@pytest.mark.parametrize(("fen", "rules", "counts"), ROWS)
def test_perft(fen: str, rules: str, counts: list[int]) -> None:
    board = Board(fen, rules)
    assert [board.perft(depth) for depth in range(1, len(counts) + 1)] == counts
    assert board.fen() == fen


def test_perft_of_no_plies_is_one_and_of_fewer_an_error() -> None:
    assert Board().perft(0) == 1
    with pytest.raises(ValueError, match="-1"):
        Board().perft(-1)
