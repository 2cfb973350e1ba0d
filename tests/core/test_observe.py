"""What the mover sees: men of both sides, counts, and the symmetries of the board."""

import random

import numpy as np
import pytest

from makruk_env import NUM_PLANES, Board, CountKind, Rules
from makruk_env.core.actions import COUNT_START, COUNT_STOP, MIRRORED_ACTION
from makruk_env.core.observe import PLANE_NAMES

START = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"
STARTS = [
    START,
    "r1s1ks1r/8/1p2p1p1/p1PP1p1P/P2pP1P1/1P3P2/8/R1SK1S1R w - - 3 20",
    "4k3/1P4p1/2P5/3s4/4S3/5p2/6P1/R3K3 b - - 0 31",
    "3k4/2m5/8/8/3KS3/4R3/8/8 w - - 0 40",
    "3k4/2m5/8/8/3KS3/4R3/8/8 b - 128 41 40",
    "3k4/8/8/8/3KS3/4R3/8/8 b - 32 10 60",
]
KINDS = "kmsnrp"
PRESETS = ["ttakji", "fairy", "wiki_classic", "pychess", "cambodian"]


def at(name: str) -> int:
    return PLANE_NAMES.index(name)


def plane(board: Board, name: str) -> float:
    """Return the value of a plane that is the same everywhere."""
    values = np.unique(board.observation()[at(name)])
    assert len(values) == 1
    return float(values[0])


def turned(fen: str) -> str:
    """Turn a FEN by 180 degrees and swap the colours."""
    men, side, *rest = fen.split()
    return " ".join([men[::-1].swapcase(), "b" if side == "w" else "w", *rest])


def mirrored(fen: str) -> str:
    """Swap left and right in a FEN."""
    men, *rest = fen.split()
    return " ".join(["/".join(rank[::-1] for rank in men.split("/")), *rest])


def endless(rules: str) -> Rules:
    """Return a preset without a cap on the plies, which White and Black reach at different move numbers."""
    return Rules.preset(rules, max_plies=0)


def test_planes_have_names() -> None:
    assert len(PLANE_NAMES) == len(set(PLANE_NAMES)) == NUM_PLANES
    assert Board().observation().shape == (NUM_PLANES, 8, 8)
    assert Board().observation().dtype == np.float32


@pytest.mark.parametrize("fen", [START, turned(START), *STARTS[1:]])
def test_men_stand_where_the_fen_says_seen_by_the_mover(fen: str) -> None:
    expected = np.zeros((12, 8, 8), np.float32)
    men, side, *_ = fen.split()
    for row, text in enumerate(men.split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
                continue
            rank, own = 7 - row, letter.isupper() == (side == "w")
            here = (rank, file) if side == "w" else (7 - rank, 7 - file)
            expected[(0 if own else 6) + KINDS.index(letter.lower()), *here] = 1
            file += 1
    assert (Board(fen).observation()[:12] == expected).all()


def test_the_first_observation_shows_all_men() -> None:
    assert Board().observation()[:12].sum(axis=(1, 2)).tolist() == [1, 1, 2, 2, 2, 8] * 2


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("fen", STARTS)
def test_a_turned_game_is_the_same_game(fen: str, rules: str) -> None:
    """The same actions, played from the position turned and with colours swapped, show and allow the same."""
    draw = random.Random(3)
    for _ in range(4):
        board, other = Board(fen, endless(rules)), Board(turned(fen), endless(rules))
        assert board.turn != other.turn
        for _ply in range(150):
            assert (board.observation() == other.observation()).all()
            assert (board.action_mask() == other.action_mask()).all()
            if board.outcome is not None:
                break
            action = draw.choice(board.legal_actions())
            board.push(action)
            other.push(action)
        ends = board.outcome, other.outcome
        assert (ends[0] is None) == (ends[1] is None)
        if ends[0] and ends[1]:
            assert ends[0].termination == ends[1].termination
            assert (ends[0].winner is None) == (ends[1].winner is None)
            assert ends[0].winner is None or ends[0].winner != ends[1].winner


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("fen", STARTS)
def test_a_mirrored_game_is_the_mirrored_game(fen: str, rules: str) -> None:
    draw = random.Random(4)
    for _ in range(4):
        board, other = Board(fen, rules), Board(mirrored(fen), rules)
        for _ply in range(150):
            assert (board.observation() == other.observation()[:, :, ::-1]).all()
            assert (board.action_mask() == other.action_mask()[MIRRORED_ACTION]).all()
            if board.outcome is not None:
                break
            action = draw.choice(board.legal_actions())
            board.push(action)
            other.push(int(MIRRORED_ACTION[action]))
        assert board.outcome == other.outcome


def test_the_usual_array_is_not_its_own_mirror_image() -> None:
    assert (Board().observation() != Board(mirrored(START)).observation()).any()


@pytest.mark.parametrize(
    ("fen", "kind", "counts", "number", "limit"),
    [
        ("3k4/8/8/8/3KS3/4R3/8/8 b - 32 10 60", CountKind.PIECES, True, 5, 16),
        ("3k4/8/8/8/3KS3/4R3/8/8 w - 32 11 60", CountKind.PIECES, False, 6, 16),
        ("3k4/2m5/8/8/3KS3/4R3/8/8 w - 128 40 40", CountKind.BOARD, True, 20, 64),
        ("3k4/2m5/8/8/3KS3/4R3/8/8 b - 128 41 40", CountKind.BOARD, False, 21, 64),
        ("3k4/2m5/8/8/3KS3/4R3/8/8 b - 128 40 40", CountKind.BOARD, True, 20, 64),
    ],
)
def test_count_planes(fen: str, kind: CountKind, counts: bool, number: int, limit: int) -> None:
    board = Board(fen)
    assert plane(board, "pieces count runs") == (kind == CountKind.PIECES)
    assert plane(board, "board count runs") == (kind == CountKind.BOARD)
    assert plane(board, "mover counts") == counts
    assert plane(board, "count number / 64") * 64 == number
    assert plane(board, "count left / 64") * 64 == limit - number


def test_no_count_no_count_planes() -> None:
    board = Board("3k4/2m5/8/8/3KS3/4R3/8/8 w - - 0 40")
    for name in ("pieces count runs", "board count runs", "mover counts", "count number / 64", "count left / 64"):
        assert plane(board, name) == 0


def test_declarations_show_until_the_move() -> None:
    board = Board("3k4/2m5/8/8/3KS3/4R3/8/8 w - - 0 40")
    declared = ["count started in this turn", "count stopped in this turn"]
    assert [plane(board, name) for name in declared] == [0, 0]
    board.push(COUNT_START)
    assert [plane(board, name) for name in declared] == [1, 0]
    board.push_uci("e3e2")
    assert [plane(board, name) for name in declared] == [0, 0]
    board.push_uci("d8e8")
    board.push(COUNT_STOP)
    assert [plane(board, name) for name in declared] == [0, 1]
    board.push_uci("e2e3")
    assert [plane(board, name) for name in declared] == [0, 0]


def test_repetition_and_checks_show() -> None:
    rules = Rules.preset("ttakji", repetition=4, pieces_count="off", max_plies=100)
    board = Board("7k/8/8/8/8/8/8/K5R1 w - - 0 1", rules)
    round_trip = ["g1h1", "h8g8", "h1g1", "g8h8"]
    told = []
    for _ in range(3):
        told.append([plane(board, "stood once before"), plane(board, "stood twice or more before")])
        for text in round_trip:
            board.push_uci(text)
    assert told == [[0, 0], [1, 0], [0, 1]]
    board = Board("7k/8/8/8/8/8/8/K5R1 w - - 0 1", rules)
    for text in round_trip:
        board.push_uci(text)
    # White's last two moves were checks, none of Black's was; the turn is White's.
    assert plane(board, "own run of checks / 8") * 8 == 2
    assert plane(board, "opponent's run of checks / 8") == 0
    board.push_uci("g1h1")
    assert plane(board, "own run of checks / 8") == 0
    assert plane(board, "opponent's run of checks / 8") * 8 == 3


def test_first_move_rights_show_where_the_men_stand() -> None:
    board = Board(rules="sut")
    name = at("first-move rights")
    assert np.argwhere(board.observation()[name]).tolist() == [[r, f] for r in (0, 7) for f in (1, 3, 4, 6)]
    board.push_uci("e1e3")
    assert np.argwhere(board.observation()[name]).tolist() == [[0, 1], [0, 3], [0, 4], [0, 6], [7, 1], [7, 4], [7, 6]]


def test_plies_left_and_the_board_show() -> None:
    board = Board(rules=Rules.preset("ttakji", max_plies=10))
    for text in ("e3e4", "e6e5"):
        board.push_uci(text)
    assert plane(board, "plies left to the cap, share") == np.float32(0.8)
    assert plane(board, "board") == 1
    assert plane(Board(rules=endless("ttakji")), "plies left to the cap, share") == 0


@pytest.mark.parametrize(
    "rules",
    [
        endless("ttakji"),
        Rules.preset("ttakji", max_plies=0, pieces_count="declared", counter_mates="draw_unless_stopped"),
        Rules.preset("ttakji", max_plies=0, stalemate="forbidden", promotion="optional"),
        endless("fairy"),
        endless("cambodian"),
        Rules.preset("sut", max_plies=0, met_leap=True),
    ],
    ids=lambda rules: rules.name,
)
def test_equal_observation_means_equal_legal_set(rules: Rules) -> None:
    """Positions of random endings, of either colour, seldom meet but in small ones: so those are drawn from."""
    draw = random.Random(5)
    known: dict[bytes, list[int]] = {}
    met = 0
    for fen in (
        "3k4/2m5/8/8/3K4/4R3/8/8 w - - 0 1",
        "8/8/8/3k4/8/P7/8/K7 w - - 0 1",
        "k7/8/K7/8/8/8/8/M6R w - - 0 1",
        "4k3/8/8/8/8/8/8/3KM3 w DEe - 0 1",
        "4k3/8/8/8/8/4P3/8/3KM3 w DE - 0 1",
    ):
        for _ in range(60):
            board = Board(fen, rules)
            while board.outcome is None and len(board.actions) < 60:
                actions = board.legal_actions()
                seen = board.observation().tobytes()
                met += seen in known
                assert known.setdefault(seen, actions) == actions, board.fen()
                board.push(draw.choice(actions))
    assert met > 200
