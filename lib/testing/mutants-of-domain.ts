// Ways of breaking keys, JSON, fingerprints and the table of moves.
import type { Mutant } from './mutant';

const KEYS = 'lib/domain/keys.ts';
const PERSONAL = 'lib/domain/personal-keys.ts';
const STRICT = 'lib/domain/json-strict.ts';
const FINGERPRINT = 'lib/domain/fingerprint.ts';
const FIELDS = 'lib/domain/fields.ts';
const HASHES = 'lib/domain/field-hashes.ts';

export const MUTANTS_OF_DOMAIN: readonly Mutant[] = [
  // Keys
  {
    rule: 'R-004a',
    file: KEYS,
    find: `if (key.length > MAX_KEY_LENGTH)`,
    replace: `if (key.length > MAX_KEY_LENGTH + 1)`,
  },
  { rule: 'R-004a', file: KEYS, find: String.raw`/^[\x21-\x7e]+$/`, replace: String.raw`/^[\x20-\x7e]+$/` },
  { rule: 'R-004b', file: KEYS, find: `return invalid('REPEATED');`, replace: `return { ok: true, key };` },
  { rule: 'R-004b', file: KEYS, find: `.replace(/\\\\(["\\\\])/g, '$1')`, replace: '' },
  {
    rule: 'R-004b',
    file: KEYS,
    find: `const key = value.startsWith('"') ? unquote(value) : value;`,
    replace: `const key = value.startsWith('"') ? unquote(value) : value.toLowerCase();`,
  },
  { rule: 'R-004c', file: PERSONAL, find: `if (EMAIL.test(key)) return 'EMAIL';`, replace: '' },
  { rule: 'R-004c', file: PERSONAL, find: `if (isNationalId(key)) return 'NATIONAL_ID';`, replace: '' },
  {
    rule: 'R-004c',
    file: PERSONAL,
    find: `return dash === '-' || hasCheckDigit(key);`,
    replace: 'return true;',
  },
  {
    rule: 'R-005a',
    file: KEYS,
    find: 'flatMap((part) => sized(utf8ToBytes(part)))',
    replace: 'flatMap((part) => [utf8ToBytes(part)])',
  },
  {
    rule: 'R-005b',
    file: KEYS,
    find: 'if (name !== undefined) throw new TypeError(',
    replace: 'if (name === null) throw new TypeError(',
  },
  { rule: 'R-005b', file: KEYS, find: `if (part === '' && index !== mayBeEmpty)`, replace: 'if (index < 0)' },
  { rule: 'R-005c', file: KEYS, find: 'return `s1-${digest(', replace: 'return ` s1-${digest(' },
  // Strict JSON
  {
    rule: 'R-006a',
    file: STRICT,
    find: 'if (Object.hasOwn(level.container, name)) {',
    replace: 'if (false) {',
  },
  { rule: 'R-006a', file: STRICT, find: `if (text.includes('\\0'))`, replace: 'if (false)' },
  {
    rule: 'R-006a',
    file: STRICT,
    find: 'if (this.levels.length >= MAX_JSON_DEPTH) {',
    replace: 'if (this.levels.length > MAX_JSON_DEPTH) {',
  },
  {
    rule: 'R-006a',
    file: STRICT,
    find: `fatal: true, ignoreBOM: true`,
    replace: `fatal: false, ignoreBOM: true`,
  },
  { rule: 'R-006a', file: STRICT, find: 'allowTrailingComma: false', replace: 'allowTrailingComma: true' },
  {
    rule: 'R-006a',
    file: 'lib/domain/exact-number.ts',
    find: 'given.digits === kept.digits',
    replace: 'true',
  },
  {
    rule: 'R-006b',
    file: STRICT,
    find: 'Object.create(null) as Record<string, JsonValue>',
    replace: '{} as Record<string, JsonValue>',
  },
  { rule: 'R-011a', file: STRICT, find: 'this.text.slice(start, end))', replace: 'JSON.stringify(value))' },
  // Fingerprints
  {
    rule: 'R-006d',
    file: 'lib/domain/json-value.ts',
    find: 'return Number.isFinite(value) ? null',
    replace: 'return true ? null',
  },
  { rule: 'R-006d', file: FINGERPRINT, find: "value.normalize('NFC')", replace: "value.normalize('NFKC')" },
  {
    rule: 'R-006e',
    file: FINGERPRINT,
    find: 'withoutFields(payload, policy.exclude, policy.include)',
    replace: 'withoutFields(payload, policy.exclude, [])',
  },
  {
    rule: 'R-006e',
    file: FINGERPRINT,
    find: `if (typeof value === 'number' && Number.isInteger(value)) return value;`,
    replace: `if (typeof value === 'number') return value;`,
  },
  {
    rule: 'R-006e',
    file: FIELDS,
    find: 'isJsonObject(at) && !Object.hasOwn(at, last)',
    replace: 'isJsonObject(at) && at[last] == null',
  },
  {
    rule: 'R-006e',
    file: 'lib/domain/time.ts',
    find: `const sign = parts[8] === '-' ? -1 : 1;`,
    replace: 'const sign = 1;',
  },
  {
    rule: 'R-008a',
    file: HASHES,
    find: 'utf8ToBytes(`${pointer}\\0${canonicalJson(value)}`)',
    replace: 'utf8ToBytes(canonicalJson(value))',
  },
  { rule: 'R-008a', file: HASHES, find: 'if (count > MAX_FIELD_HASHES) break;', replace: '' },
  {
    rule: 'R-008b',
    file: FINGERPRINT,
    find: 'paths.map(fieldPointer).map(',
    replace: `['', ...paths.map(fieldPointer)].map(`,
  },
  // Words of the protocol
  {
    rule: 'R-018b',
    file: 'lib/domain/retry-after.ts',
    find: 'Math.max(1, Math.min(Math.ceil(seconds)',
    replace: 'Math.max(0, Math.min(Math.ceil(seconds)',
  },
  {
    rule: 'R-018c',
    file: 'lib/domain/problem-codes.ts',
    find: `title: 'The result is in doubt and must be settled first',\n    retryable: false`,
    replace: `title: 'The result is in doubt and must be settled first',\n    retryable: true`,
  },
  {
    rule: 'R-025',
    file: 'lib/domain/problem-codes.ts',
    find: 'Object.hasOwn(PROBLEMS, value)',
    replace: 'value in PROBLEMS',
  },
  {
    rule: 'R-034a',
    file: 'lib/domain/retry-after.ts',
    find: 'ASCTIME.test(text) ? `${text} GMT` : null',
    replace: 'text',
  },
  {
    rule: 'R-045b',
    file: 'lib/domain/transitions.ts',
    find: `{ from: 'UNKNOWN', to: 'FAILED_FINAL', by: 'person' },`,
    replace: '',
  },
  {
    rule: 'R-031a',
    file: 'lib/domain/transitions.ts',
    find: `{ from: 'UNKNOWN', to: 'SUCCEEDED', by: 'executor' },`,
    replace: `{ from: 'UNKNOWN', to: 'SUCCEEDED', by: 'executor' }, { from: 'UNKNOWN', to: 'FAILED_FINAL', by: 'executor' },`,
  },
  {
    rule: 'R-033a',
    file: 'lib/domain/transitions.ts',
    find: `{ from: 'RECEIVED', to: 'FAILED_FINAL', by: 'cancel' },`,
    replace: `{ from: 'RECEIVED', to: 'FAILED_FINAL', by: 'cancel' }, { from: 'UNKNOWN', to: 'FAILED_FINAL', by: 'cancel' },`,
  },
  {
    rule: 'R-040b',
    file: 'lib/domain/transitions.ts',
    find: `{ from: 'SUCCEEDED', to: 'EXPIRED', by: 'retention' },`,
    replace: `{ from: 'SUCCEEDED', to: 'EXPIRED', by: 'retention' }, { from: 'UNKNOWN', to: 'EXPIRED', by: 'retention' },`,
  },
  {
    rule: 'R-042a',
    file: 'lib/domain/states.ts',
    find: `if (options.before === 'SUCCEEDED') return 'CONFIRMED_COMPLETE';`,
    replace: '',
  },
];
