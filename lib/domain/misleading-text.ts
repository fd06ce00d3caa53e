import { hasLookAlikes } from './look-alikes';
import { visibleRuns } from './visible-text';

/** Levels of nesting that are walked; stored JSON has at most as many. */
const DEEPEST = 64;

/**
 * Whether any text within a view, at whatever depth, holds characters that do not show, or letters that look like others.
 * Line breaks and blanks at the ends are ordinary in what people write.
 */
export function textsThatMislead(about: unknown): { invisible: boolean; lookAlikes: boolean } {
  const texts = [...textsOf(about, 0)];
  return { invisible: texts.some(holdsInvisible), lookAlikes: texts.some(hasLookAlikes) };
}

const holdsInvisible = (text: string): boolean =>
  visibleRuns(text, { keepLineBreaks: true }).some(
    ({ escapeOf }) => escapeOf !== null && escapeOf !== 'U+0020',
  );

function* textsOf(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null && depth < DEEPEST)
    for (const [name, each] of Object.entries(value)) {
      // Names can be outside text as well: JSON pointers of what was asked.
      yield name;
      yield* textsOf(each, depth + 1);
    }
}
