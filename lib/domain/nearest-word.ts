/** Edits beyond which two words are not taken for each other: one in three letters, and at least two. */
const farthest = (word: string) => Math.max(2, Math.floor(word.length / 3));

/** Letters; nobody misspells a longer word into one of ours. */
const LONGEST = 60;

/** The word that somebody most likely meant: one that begins like it, else the one with the fewest edits; null when none is near. */
export function nearestWord(typed: string, words: readonly string[]): string | null {
  if (typed.length > LONGEST) return null;
  const wanted = typed.toLowerCase();
  const begins = wanted.length < 2 ? undefined : words.find((word) => word.toLowerCase().startsWith(wanted));
  if (begins !== undefined) return begins;
  let best: string | null = null;
  let fewest = farthest(wanted) + 1;
  for (const word of words) {
    const edits = editsBetween(wanted, word.toLowerCase());
    if (edits < fewest) [best, fewest] = [word, edits];
  }
  return best;
}

/** Letters added, taken, changed or swapped with their neighbour. */
function editsBetween(one: string, other: string): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_unused, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let edits = Math.min(
        (above[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && swapped) edits = Math.min(edits, (before[column - 2] ?? 0) + 1);
      line.push(edits);
    }
    [before, above] = [above, line];
  }
  return above[other.length] ?? 0;
}
