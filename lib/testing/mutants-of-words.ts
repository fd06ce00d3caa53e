// Ways of breaking what people read: stored text, the two languages, what an exception shows.
import type { Mutant } from './mutant';

const TEXT = 'lib/domain/visible-text.ts';
const CATALOGUE = 'lib/domain/messages/catalogue.ts';
const PREFERENCES = 'components/shell/preferences.ts';
const IMPACT = 'lib/domain/caller-impact.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_WORDS: readonly Mutant[] = [
  // Stored text
  mutant('R-009a', TEXT, '[\\p{Cc}\\p{Cf}', '[\\p{Cf}'),
  mutant('R-009b', TEXT, '[\\p{Cc}\\p{Cf}', '[\\p{Cc}\\u200b-\\u200d\\ufeff'),
  mutant('R-009c', TEXT, '\\u3164', ''),
  mutant('R-009d', TEXT, 'return markEdges(runs);', 'return runs;'),
  mutant('R-009e', TEXT, '\\u3000\\u3164', '\\u3000\\uac00-\\ud7a3\\u3164'),
  mutant(
    'R-009f',
    TEXT,
    "options.keepLineBreaks === true && character === '\\n'",
    'options.keepLineBreaks === true',
  ),
  mutant('R-009g', TEXT, '    runs.push(escaped(character));\n', ''),

  // Two languages
  mutant('R-097a', 'lib/domain/messages/ko/login.json', '"submitting"', '"sending"'),
  mutant('R-097b', CATALOGUE, 'common: koCommon,', 'common: { ...koCommon, product: "{what}" },'),
  mutant('R-097c', 'lib/domain/messages/ko/login.json', '"로그인하는 중…"', '"Signing in…"'),
  mutant('R-097d', CATALOGUE, '  queue: koQueue,\n', ''),
  mutant('R-097e', 'lib/domain/exception-kinds.ts', "'ORPHAN_EFFECT',", "'ORPHAN_EFFECT', 'LOST_EFFECT',"),
  mutant(
    'R-097f',
    'lib/domain/messages/locales.ts',
    'b.weight - a.weight || a.order - b.order',
    'a.order - b.order',
  ),
  mutant(
    'R-097g',
    PREFERENCES,
    'isLocale(cookie) ? cookie : negotiateLocale(acceptLanguage)',
    'negotiateLocale(acceptLanguage)',
  ),
  mutant(
    'R-097h',
    PREFERENCES,
    "  } catch {\n    return 'UTC';\n",
    '  } catch {\n    return cookie ?? "UTC";\n',
  ),

  // What an exception shows
  mutant('R-047b', 'lib/review/get-exception.ts', "'NO_EXECUTION' : ", 'null : '),
  mutant(
    'R-080a',
    IMPACT,
    "case 'CONFIRM_NOT_APPLIED':\n      return after('FAILED_RETRYABLE');",
    "case 'CONFIRM_NOT_APPLIED':\n      return after('RECEIVED');",
  ),
  mutant(
    'R-080b',
    IMPACT,
    "return after('SUCCEEDED', { resultId: choice.resultId ?? subject.resultId });",
    "return after('SUCCEEDED');",
  ),
  mutant('R-081a', 'lib/domain/exposure.ts', 'Math.max(1, effectsPossible)', 'effectsPossible + 1'),
  mutant(
    'R-047a',
    'lib/domain/exception-attempts.ts',
    'attempt.startedAt <= exception.openedAt',
    "attempt.startedAt !== ''",
  ),
  mutant('R-047a', 'lib/domain/exception-attempts.ts', 'about: sender ?? begun', 'about: begun'),
  mutant('R-081a', 'lib/domain/exposure.ts', 'Math.max(effectsStarted, effectsFound)', 'effectsStarted'),
  mutant('R-088b', 'lib/domain/audit-body.ts', "value.trim() !== '' ? value", "value !== '' ? value"),
  mutant('R-088b', 'lib/domain/audit-body.ts', 'if (Array.isArray(value)) for', 'if (name === value) for'),
  mutant('R-088b', 'lib/domain/audit-words.ts', '!CODE.test(value) || ', ''),
  mutant('R-097e', 'lib/domain/audit-words.ts', "'audit.refusal.*'", "'audit.refusals.*'"),
];
