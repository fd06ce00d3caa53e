import fc from 'fast-check';
import type { EventContent } from './signed-log';

// PostgreSQL keeps neither U+0000 nor half a surrogate pair.
const words = fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll('\0', ''));
/** What an event may say: texts that look alike, run together or are read differently by others. */
export const arbitraryContent: fc.Arbitrary<EventContent> = fc.record({
  actorName: fc.oneof(words, fc.constantFrom('각', '각'.normalize('NFD'), '')),
  body: fc.oneof(
    words,
    fc.constantFrom('{"a": 9007199254740993}', '{"a": 1.10, "a": 1.1}', '{"b":"\\ud83d\\ude00"}'),
  ),
  operation: fc.option(words, { nil: null }),
  actorRoles: fc.array(words, { maxLength: 2 }),
  written: fc.option(words, { nil: null }),
});
