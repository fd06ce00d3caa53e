/** Alphabets whose letters can be taken for each other's. Hangul, kana and Han beside Latin are ordinary and never confused. */
const ALPHABETS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Lisu}/u,
];

/** Cyrillic, Greek and Armenian letters that many fonts draw like Latin ones. Source: Unicode confusables.txt, single letters. */
const LIKE_LATIN = /^[аАВсСеЕһНіІјЈкКоОӏМрРԛԚѕЅТхХуУԝԜгѵѴԁνΝοΟΑΒΕΖΗΙΚΜΡΤΥΧιαγυρκօսցհոԼՏ]+$/u;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * True when a text can be read as another one although everything in it is visible: letters of several alphabets in one
 * word (`pаyment` with a Cyrillic letter), words of foreign letters alone that look Latin, full-width and styled letters and
 * digits (`ｐａｙ`, `𝗽𝗮𝘆`), letters that are stored as their parts. Pages on which somebody decides warn of it.
 */
export function hasLookAlikes(stored: string): boolean {
  return (stored.match(WORD) ?? []).some(
    (word) => mixesAlphabets(word) || isForeignLatin(word) || isStyled(word) || isTakenApart(word),
  );
}

const mixesAlphabets = (word: string): boolean =>
  ALPHABETS.filter((alphabet) => alphabet.test(word)).length > 1;

/** One letter alone is an ordinary word in its own language. */
const isForeignLatin = (word: string): boolean => Array.from(word).length > 1 && LIKE_LATIN.test(word);

/** Drawn like the composed letters, and another text: nobody types it so, some systems name files like that. */
const isTakenApart = (word: string): boolean => word.normalize('NFC') !== word;

const isStyled = (word: string): boolean =>
  Array.from(word).some((character) => {
    const plain = character.normalize('NFKC');
    return plain !== character && /^[A-Za-z0-9]+$/.test(plain);
  });
