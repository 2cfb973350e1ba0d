// Where squares lie in the picture of 800 x 800.

export const FILES = "abcdefgh";

export const squares = [...Array(64).keys()].map((k) => FILES[k % 8] + (1 + Math.floor(k / 8)));

export function corner(square, turned) {
  const file = FILES.indexOf(square[0]);
  const rank = Number(square[1]) - 1;
  return turned ? [100 * (7 - file), 100 * rank] : [100 * file, 100 * (7 - rank)];
}

export function squareAt(x, y, turned) {
  const column = Math.floor(x / 100);
  const row = Math.floor(y / 100);
  if (column < 0 || column > 7 || row < 0 || row > 7) return null;
  return turned ? FILES[7 - column] + (row + 1) : FILES[column] + (8 - row);
}
