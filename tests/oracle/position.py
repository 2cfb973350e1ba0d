"""Men on a board of 64 letters: how they move, attack and promote, with the first-move leaps."""

from collections.abc import Iterator
from typing import NamedTuple

from .options import Options

WHITE, BLACK = 0, 1
KHUN, MET, KHON, MA, RUEA, BIA = "Kk", "Mm", "Ss", "Nn", "Rr", "Pp"
EMPTY = "."
MEN = ("KMSNRP", "kmsnrp")

FORWARD = (1, -1)
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
MA_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def square_name(square: int) -> str:
    """Return a square's name, such as e3."""
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def square_at(name: str) -> int:
    """Return the number of a named square, a1 being 0 and h8 being 63."""
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def beyond(square: int, step: tuple[int, int]) -> int | None:
    """Return the square one step (files, ranks) away, or None off the board."""
    file, rank = square % 8 + step[0], square // 8 + step[1]
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else None


def ray(square: int, step: tuple[int, int]) -> tuple[int, ...]:
    """Return the squares met in order when a step is repeated to the edge of the board."""
    squares = []
    at = beyond(square, step)
    while at is not None:
        squares.append(at)
        at = beyond(at, step)
    return tuple(squares)


def capture_steps(man: str, side: int) -> tuple[tuple[int, int], ...]:
    """Return the single steps by which a man other than a ruea captures."""
    forward = FORWARD[side]
    if man in KHUN:
        return STRAIGHT + DIAGONAL
    if man in MET:
        return DIAGONAL
    if man in KHON:
        return (*DIAGONAL, (0, forward))
    if man in MA:
        return MA_STEPS
    return ((-1, forward), (1, forward))


# The squares that a man of either case reaches by one capturing step, from each square.
REACH = {
    man: [[t for step in capture_steps(man, side) if (t := beyond(s, step)) is not None] for s in range(64)]
    for side in (WHITE, BLACK)
    for man in MEN[side]
    if man not in RUEA
}
RAYS = [[ray(square, step) for step in STRAIGHT] for square in range(64)]


def reached_from(square: int, side: int) -> list[tuple[int, str]]:
    """Return every square from which some stepping man of a side attacks a square, with the letters of those men."""
    letters: dict[int, str] = {}
    for man in MEN[side]:
        if man not in RUEA:
            for origin in range(64):
                if square in REACH[man][origin]:
                    letters[origin] = letters.get(origin, "") + man
    return list(letters.items())


ATTACKERS = [[reached_from(square, side) for square in range(64)] for side in (WHITE, BLACK)]

# The men that may hold a first-move right, on the squares where they begin.
HOMES = {1: "N", 3: "K", 4: "M", 6: "N", 57: "n", 59: "m", 60: "k", 62: "n"}


def granted_homes(options: Options) -> frozenset[int]:
    """Return the home squares of the men to which the options give a first-move right."""
    men = ""
    if options["king_leap"] != "off":
        men += KHUN
    if options["met_leap"] or options["sut_met"]:
        men += MET
    if options["sut_ma"]:
        men += MA
    return frozenset(square for square, man in HOMES.items() if man in men)


class Move(NamedTuple):
    """A move of one man, or of a met or ma together with the bia before it."""

    origin: int
    target: int
    promotes: bool = False
    sut: bool = False

    def uci(self) -> str:
        """Return the move's text."""
        return square_name(self.origin) + square_name(self.target) + ("m" if self.promotes else "")


class Position:
    """The men, the side to move and the first-move rights."""

    __slots__ = ("board", "khuns", "options", "rights", "turn")

    def __init__(self, board: list[str], turn: int, rights: frozenset[int], options: Options) -> None:
        self.board = board
        self.turn = turn
        self.rights = rights
        self.options = options
        self.khuns = (board.index("K"), board.index("k"))

    def key(self) -> str:
        """Return what must recur for the position to be repeated: the men and the side to move."""
        return "".join(self.board) + str(self.turn)

    def men(self, side: int) -> list[str]:
        """Return a side's men as capital letters, the khun included."""
        return [man.upper() for man in self.board if man in MEN[side]]

    def has_bia(self) -> bool:
        """Tell whether any unpromoted bia is on the board."""
        return "P" in self.board or "p" in self.board

    def attacked(self, square: int, side: int) -> bool:
        """Tell whether a side attacks a square."""
        board = self.board
        for origin, men in ATTACKERS[side][square]:
            if board[origin] in men:
                return True
        ruea = RUEA[side]
        for squares in RAYS[square]:
            for origin in squares:
                man = board[origin]
                if man != EMPTY:
                    if man == ruea:
                        return True
                    break
        return False

    def in_check(self, side: int) -> bool:
        """Tell whether a side's khun is attacked."""
        return self.attacked(self.khuns[side], 1 - side)

    def legal_moves(self) -> Iterator[tuple[Move, "Position"]]:
        """Yield the moves that leave no own khun attacked, forbidden ones too, each with where it leads."""
        for move in self.moves():
            after = self.after(move)
            if not after.in_check(self.turn):
                yield move, after

    def has_legal_move(self) -> bool:
        """Tell whether the side to move has a legal move."""
        return next(self.legal_moves(), None) is not None

    def moves(self) -> Iterator[Move]:
        """Yield every move of the side to move, also those that leave its khun attacked."""
        board, own = self.board, MEN[self.turn]
        for origin, man in enumerate(board):
            if man not in own:
                continue
            if man in BIA:
                yield from self.bia_moves(origin)
            elif man in RUEA:
                for squares in RAYS[origin]:
                    for target in squares:
                        if board[target] not in own:
                            yield Move(origin, target)
                        if board[target] != EMPTY:
                            break
            else:
                for target in REACH[man][origin]:
                    if board[target] not in own:
                        yield Move(origin, target)
        for home in self.rights:
            if board[home] in own:
                yield from self.first_moves(home)

    def bia_moves(self, origin: int) -> Iterator[Move]:
        """Yield a bia's step and captures, promoting on the last three ranks or, if that is optional, perhaps not."""
        targets = [t for t in REACH[BIA[self.turn]][origin] if self.board[t] in MEN[1 - self.turn]]
        ahead = beyond(origin, (0, FORWARD[self.turn]))
        if ahead is not None and self.board[ahead] == EMPTY:
            targets.append(ahead)
        for target in targets:
            rank = target // 8 + 1 if self.turn == WHITE else 8 - target // 8
            if rank >= 6:
                yield Move(origin, target, promotes=True)
            if rank < 6 or (rank < 8 and self.options["promotion"] == "optional"):
                yield Move(origin, target)

    def first_moves(self, home: int) -> Iterator[Move]:
        """Yield the leaps and sut moves of an unmoved man that holds its right."""
        board, man, forward = self.board, self.board[home], FORWARD[self.turn]
        if man in KHUN:
            if not self.in_check(self.turn):
                for side_step in (-2, 2):
                    target = beyond(home, (side_step, forward))
                    if target is not None and board[target] == EMPTY:
                        yield Move(home, target)
            return
        second, third, fourth = home + 8 * forward, home + 16 * forward, home + 24 * forward
        bia_can_step = board[third] == BIA[self.turn] and board[fourth] == EMPTY
        if man in MET:
            if self.options["met_leap"] and board[third] == EMPTY:
                yield Move(home, third)
            if self.options["sut_met"] and bia_can_step and board[second] == EMPTY:
                yield Move(home, third, sut=True)
        elif self.options["sut_ma"] and bia_can_step:
            yield Move(home, third, sut=True)

    def after(self, move: Move) -> "Position":
        """Return the position that a move leads to."""
        board = self.board[:]
        man = board[move.origin]
        board[move.origin] = EMPTY
        if move.sut:
            board[move.target + 8 * FORWARD[self.turn]] = BIA[self.turn]
        board[move.target] = MET[self.turn] if move.promotes else man
        rights = self.rights
        if rights:
            rights -= {move.origin, move.target}
            if self.options["king_leap"] == "ouk" and man == RUEA[self.turn]:
                khun = self.khuns[1 - self.turn]
                if khun % 8 == move.target % 8 or khun // 8 == move.target // 8:
                    rights -= {khun}
        return Position(board, 1 - self.turn, rights, self.options)

    def is_stalemate(self) -> bool:
        """Tell whether the side to move has no legal move and is not in check."""
        return not self.in_check(self.turn) and not self.has_legal_move()

    def perft(self, depth: int) -> int:
        """Count the sequences of moves of a length; a move that gives a forbidden stalemate is none."""
        if depth == 0:
            return 1
        total = 0
        for _, after in self.legal_moves():
            if self.options["stalemate"] == "forbidden" and after.is_stalemate():
                continue
            total += 1 if depth == 1 else after.perft(depth - 1)
        return total
