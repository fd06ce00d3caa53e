import { parseStrictJson } from '@/lib/domain/json-strict';
import { isJsonPointer } from '@/lib/domain/json-pointer';
import type { JsonValue } from '@/lib/domain/json-value';
import { operationPolicyContent, type OperationPolicyContent } from '@/lib/domain/operation-policy';
import { MEMBER_KINDS, type ListedMember, type MemberKind } from '@/lib/domain/operation-policy-sections';
import { leastRetention, type WaysToArrive } from '@/lib/domain/retention';
import { GUIDE_FIELDS, GUIDE_LANGUAGES, spanParts, UNITS, type OperationDraft } from './operation-draft';

/** What is wrong with a field: a key of `policies.problem`, and what its words need. */
export type Problem =
  | { readonly code: 'missing' | 'authority' | 'date' | 'proof' | 'lease' | 'span' | 'invalid' }
  | { readonly code: 'number'; readonly min: number; readonly max: number }
  | { readonly code: 'long'; readonly max: number }
  | { readonly code: 'line'; readonly line: number }
  | { readonly code: 'retention'; readonly way: keyof WaysToArrive; readonly seconds: number };

/** What of a policy says which fields count, and which are shown. */
export type ContentRules = Pick<
  OperationPolicyContent,
  'includeFields' | 'excludeFields' | 'fieldDefaults' | 'fieldTypes' | 'displayFields'
>;

/** By member, and by `guide.en.purpose`. */
export type Problems = ReadonlyMap<string, Problem>;

export interface ReadDraft {
  /** Null while anything is missing or wrong. */
  readonly content: OperationPolicyContent | null;
  readonly problems: Problems;
}

class Wrong extends Error {
  constructor(readonly problem: Problem) {
    super(problem.code);
  }
}
const wrong = (problem: Problem): never => {
  throw new Wrong(problem);
};

/** Members that may be left empty; every other one has to say something. */
export const OPTIONAL: readonly ListedMember[] = [
  ...(['valueField', 'valueCurrency', 'protectionDocument', 'protectionKeyScope'] as const),
  ...(['protectionValidUntil', 'protectionCheckedBy', 'protectionCheckedAt'] as const),
  ...(['dedupeWindowSeconds', 'conflictTolerance', 'connectorId'] as const),
];
const PROOF: readonly ListedMember[] = [
  ...(['protectionDocument', 'protectionKeyScope', 'protectionValidUntil'] as const),
  ...(['protectionCheckedBy', 'protectionCheckedAt'] as const),
];
const LONGEST: Partial<Record<ListedMember, number>> = {
  valueCurrency: 10,
  protectionDocument: 2_000,
  protectionKeyScope: 500,
  protectionCheckedBy: 200,
  valueField: 300,
};
const COUNTS: Partial<Record<ListedMember, { min: number; max: number }>> = {
  maxAttempts: { min: 1, max: 100 },
  conflictTolerance: { min: 1, max: 1_000_000 },
};

/** What a draft says, by the domain's own schema, and all that is wrong with it. `base`: instants keep their time of day. */
export function readDraft(draft: OperationDraft, base: OperationPolicyContent): ReadDraft {
  const problems = new Map<string, Problem>();
  const content: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(draft.members) as [ListedMember, string | boolean][]) {
    try {
      content[member] = typeof value === 'boolean' ? value : read(member, value, base);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      problems.set(member, error.problem);
    }
  }
  content['guide'] = readGuide(draft, problems);
  if (problems.size === 0) judgeTogether(content as OperationPolicyContent, problems);
  const parsed = operationPolicyContent.safeParse(content);
  if (!parsed.success && problems.size === 0)
    for (const issue of parsed.error.issues) problems.set(String(issue.path[0]), { code: 'invalid' });
  return { content: problems.size === 0 && parsed.success ? parsed.data : null, problems };
}

/** The fields' rules alone, for the preview; null while a line of them cannot be read. */
export function readRules({ members }: OperationDraft): ContentRules | null {
  try {
    const of = (member: keyof ContentRules) => read(member, String(members[member]), null);
    return {
      includeFields: of('includeFields'),
      excludeFields: of('excludeFields'),
      fieldDefaults: of('fieldDefaults'),
      fieldTypes: of('fieldTypes'),
      displayFields: of('displayFields'),
    } as ContentRules;
  } catch (error) {
    if (error instanceof Wrong) return null;
    throw error;
  }
}

function readGuide({ guide }: OperationDraft, problems: Map<string, Problem>): OperationDraft['guide'] {
  if (guide === null) return null;
  for (const language of GUIDE_LANGUAGES)
    for (const field of GUIDE_FIELDS) {
      const text = guide[language][field];
      if (text.trim() === '') problems.set(`guide.${language}.${field}`, { code: 'missing' });
      else if (text.length > 2_000) problems.set(`guide.${language}.${field}`, { code: 'long', max: 2_000 });
    }
  return guide;
}

/** Rules over several members: a whole proof or none, and the ways in which a request can arrive. */
function judgeTogether(content: OperationPolicyContent, problems: Map<string, Problem>): void {
  const missing = PROOF.filter((member) => content[member] === null);
  if (missing.length > 0 && missing.length < PROOF.length)
    for (const member of missing) problems.set(member, { code: 'proof' });
  const { seconds, tooShortFor } = leastRetention(content, content.retentionSeconds);
  if (tooShortFor !== null)
    problems.set('retentionSeconds', { code: 'retention', way: tooShortFor, seconds });
}

function read(member: ListedMember, text: string, base: OperationPolicyContent | null): unknown {
  const kind: MemberKind = MEMBER_KINDS[member];
  switch (kind) {
    case 'span':
      return readSpan(member, text);
    case 'paths':
      return linesIn(text).map(([line, at]) => (isPath(line) ? line : wrong({ code: 'line', line: at })));
    case 'codes':
      return linesIn(text).map(([line, at]) =>
        line.length > 100 ? wrong({ code: 'line', line: at }) : line,
      );
    case 'values':
      return table(text, (value) => {
        const reading = parseStrictJson(value);
        return reading.ok ? reading.value : undefined;
      });
    case 'types':
      return table(text, (value) => (/^(instant|decimal|nfc)$/.test(value) ? value : undefined));
    case 'outcomes':
      return text.trim() === '' ? null : table(text, readOutcome, false);
    case 'count':
      return readCount(member, text.trim());
    default:
      return readText(member, kind, text.trim(), base);
  }
}

function readText(
  member: ListedMember,
  kind: MemberKind,
  text: string,
  base: OperationPolicyContent | null,
): unknown {
  if (text === '') return OPTIONAL.includes(member) ? null : wrong({ code: 'missing' });
  const max = LONGEST[member];
  if (max !== undefined && text.length > max) return wrong({ code: 'long', max });
  if (kind === 'authority' && !/^[a-z][a-z0-9-]{0,62}$/.test(text)) return wrong({ code: 'authority' });
  if (kind !== 'instant') return text;
  const before = base?.[member];
  if (typeof before === 'string' && before.startsWith(text)) return before;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text))) return wrong({ code: 'date' });
  return `${text}T00:00:00.000000Z`;
}

function readCount(member: ListedMember, text: string): number | null {
  if (text === '' && OPTIONAL.includes(member)) return null;
  const bounds = COUNTS[member] ?? { min: 0, max: 1_000_000 };
  const count = Number(text);
  return /^\d{1,7}$/.test(text) && count >= bounds.min && count <= bounds.max
    ? count
    : wrong({ code: 'number', ...bounds });
}

/** Members that may be no time at all. */
const MAY_BE_ZERO: readonly ListedMember[] = [
  ...(['graceSeconds', 'negativeProofHorizonSeconds', 'retransmissionSeconds'] as const),
  ...(['offlineReturnSeconds', 'manualReprocessingSeconds', 'investigationSeconds'] as const),
];
const WITHIN_A_DAY: readonly ListedMember[] = ['leaseSeconds', 'graceSeconds'];

function readSpan(member: ListedMember, text: string): number | null {
  const { amount, unit } = spanParts(text);
  if (amount.trim() === '') return OPTIONAL.includes(member) ? null : wrong({ code: 'missing' });
  const seconds = Number(amount.trim()) * UNITS[unit];
  if (
    !/^\d{1,9}$/.test(amount.trim()) ||
    seconds > 315_360_000 ||
    (seconds === 0 && !MAY_BE_ZERO.includes(member))
  )
    return wrong({ code: 'span' });
  if (seconds > 86_400 && WITHIN_A_DAY.includes(member)) return wrong({ code: 'lease' });
  return seconds;
}

/** Lines with their numbers; blank ones are nothing. */
function linesIn(text: string): (readonly [string, number])[] {
  return text
    .split('\n')
    .map((line, at) => [line.trim(), at + 1] as const)
    .filter(([line]) => line !== '');
}

const isPath = (path: string) => path.length <= 300 && (!path.startsWith('/') || isJsonPointer(path));

/** `name = value` a line; a name that comes twice is wrong as well. */
function table(text: string, valueOf: (value: string) => JsonValue | undefined, paths = true) {
  const entries = new Map<string, JsonValue>();
  for (const [line, at] of linesIn(text)) {
    const sign = line.indexOf(' = ');
    const name = line.slice(0, Math.max(0, sign)).trim();
    const value = sign > 0 ? valueOf(line.slice(sign + 3).trim()) : undefined;
    if (value === undefined || entries.has(name) || (paths && !isPath(name)))
      wrong({ code: 'line', line: at });
    else entries.set(name, value);
  }
  return Object.fromEntries(entries);
}

function readOutcome(text: string): JsonValue | undefined {
  const found = /^(FINAL|RETRYABLE|FIX_FIRST)(?:: *(\S.{0,999}))?$/.exec(text);
  if (found?.[1] === undefined) return undefined;
  return found[2] === undefined ? { class: found[1] } : { class: found[1], condition: found[2] };
}
