/** A run of text as it may be shown: as stored, or as the escape that stands for one invisible character. */
export interface VisibleRun {
  text: string;
  /** `U+200B` and the like; null for text that shows as it is. */
  escapeOf: string | null;
}

/**
 * Characters that show as nothing, as something else, or turn the text around them: controls, format characters
 * (bidirectional marks, zero-width joiners, tags, soft hyphen), separators, blanks that are not U+0020, fillers that
 * render empty, variation selectors, lone surrogates, private use, and everything unassigned.
 * Source: Unicode categories; fillers and selectors from Default_Ignorable_Code_Point, which the categories miss.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00a0\u034f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\ufe00-\ufe0f\uffa0\ufffc\ufffd\u{e0100}-\u{e01ef}]/u;

const SHORT_NAMES: Readonly<Record<number, string>> = { 0x09: '\\t', 0x0a: '\\n', 0x0d: '\\r' };

/**
 * Splits stored text into runs that can be shown without deceiving anybody.
 *
 * Joining every run's `text` gives what a reader sees; the stored text itself is never changed.
 * `keepLineBreaks` leaves U+000A as it is, for rationales shown as paragraphs.
 */
export function visibleRuns(stored: string, options: { keepLineBreaks?: boolean } = {}): VisibleRun[] {
  const runs: VisibleRun[] = [];
  let plain = '';
  for (const character of stored) {
    const shown = INVISIBLE.test(character) && !(options.keepLineBreaks === true && character === '\n');
    if (!shown) {
      plain += character;
      continue;
    }
    if (plain !== '') runs.push({ text: plain, escapeOf: null });
    plain = '';
    runs.push(escaped(character));
  }
  if (plain !== '') runs.push({ text: plain, escapeOf: null });
  // Blanks at the ends are significant in a key and vanish on a page.
  return markEdges(runs);
}

/** The same as one string, for places that take no markup: titles, labels, `aria-label`. */
export function visibleText(stored: string): string {
  return visibleRuns(stored)
    .map((run) => run.text)
    .join('');
}

/** True when a text shows nothing at all: such a text names nothing. */
export function isBlank(text: string): boolean {
  return [...text].every((character) => character === ' ' || INVISIBLE.test(character));
}

function escaped(character: string): VisibleRun {
  const point = character.codePointAt(0) ?? 0;
  const name = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return { text: SHORT_NAMES[point] ?? `\\u{${point.toString(16).toUpperCase()}}`, escapeOf: name };
}

function markEdges(runs: VisibleRun[]): VisibleRun[] {
  const first = runs[0];
  if (first === undefined) return runs;
  const leading = first.escapeOf === null ? (/^ +/.exec(first.text)?.[0].length ?? 0) : 0;
  if (leading > 0) {
    const rest = first.text.slice(leading);
    runs.splice(0, 1, ...blanks(leading), ...(rest === '' ? [] : [{ text: rest, escapeOf: null }]));
  }
  const end = runs.at(-1);
  const trailing = end !== undefined && end.escapeOf === null ? (/ +$/.exec(end.text)?.[0].length ?? 0) : 0;
  if (end !== undefined && trailing > 0) {
    const rest = end.text.slice(0, -trailing);
    runs.splice(-1, 1, ...(rest === '' ? [] : [{ text: rest, escapeOf: null }]), ...blanks(trailing));
  }
  return runs;
}

function blanks(count: number): VisibleRun[] {
  return Array.from({ length: count }, () => ({ text: '\u2420', escapeOf: 'U+0020' }));
}
