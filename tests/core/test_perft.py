"""Move counts of known positions, found alike by Fairy-Stockfish and by a plain implementation of the rules."""

import pytest

from makruk_env import Board, Rules

ROWS = [
    ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", "forced", [23, 529, 12_012, 273_026, 6_223_994]),
    ("rnsmksnr/8/1ppppppp/p7/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 2", "forced", [25, 576, 14_290, 329_789]),
    ("r1smks1r/3n4/ppp1pppp/3p4/3P4/PPP1PPPP/4N3/R1SKMS1R w - - 0 4", "forced", [22, 508, 11_565, 275_266]),
    ("rnsmksnr/8/pp1ppp1p/2p2p2/2P2P2/PP1PPP1P/8/RNSKMSNR w - - 0 3", "forced", [21, 444, 9_558, 206_271]),
    ("rnsmksnr/8/ppppp1pp/2P5/5p2/PP1PPPPP/8/RNSKMSNR w - - 0 3", "forced", [26, 665, 17_062, 432_413]),
    ("r1s1ks1r/8/1p2p1p1/p1PP1p1P/P2pP1P1/1P3P2/8/R1SK1S1R w - - 0 1", "optional", [35, 952, 32_626]),
    ("4k3/2P3P1/1P2P3/8/8/3p2p1/2p4p/4K3 w - - 0 1", "optional", [8, 60, 423, 3_552]),
]


@pytest.mark.parametrize(("fen", "promotion", "counts"), ROWS)
def test_perft(fen: str, promotion: str, counts: list[int]) -> None:
    board = Board(fen, Rules.preset("ttakji", promotion=promotion))
    assert [board.perft(depth) for depth in range(1, len(counts) + 1)] == counts
    assert board.fen() == fen


def test_perft_of_no_plies_is_one_and_of_fewer_an_error() -> None:
    assert Board().perft(0) == 1
    with pytest.raises(ValueError, match="-1"):
        Board().perft(-1)
