import { asText } from './compare-content';
import { parsePart, splitPath, type Connector, type SubjectField, type TemplatePart } from './connector';
import { readPointer } from './json-pointer';

/** What a question may be built from: the execution's own values, as the ledger keeps them. */
export interface QuestionSubject extends Record<SubjectField, string | null> {
  system: string | null;
  /** Display fields by name or nested, read by JSON Pointer. */
  display: Record<string, unknown>;
}

/** The question as it goes out, still with references in place of secrets, so it can be kept as evidence. */
export interface Question {
  method: 'GET';
  url: string;
  headers: Record<string, string>;
}

/** Why a question cannot be asked about this execution; nothing was sent. */
export type QuestionFault = 'OTHER_SYSTEM' | 'VALUE_MISSING' | 'VALUE_REFUSED';

/** Why "nothing there" from this connector says nothing about the execution: what it asks may not be where the effect went. */
export type TargetDoubt = 'TARGET_UNNAMED' | 'OTHER_ACCOUNT';

export type QuestionResult = { ok: true; question: Question } | { ok: false; fault: QuestionFault };

/** Characters of a value put into an address; longer ones are no reference of a real system (SS-05). */
const LONGEST_VALUE = 500;

/**
 * Builds the one address that a connector asks about an execution. Each value fills exactly one encoded path segment
 * or query value; what could be read as more than that, now or after a second decoding, is refused.
 */
export function buildQuestion(connector: Connector, subject: QuestionSubject): QuestionResult {
  if (subject.system !== null && subject.system !== connector.system)
    return { ok: false, fault: 'OTHER_SYSTEM' };
  const base = new URL(connector.baseUrl);
  const prefix = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  const segments: string[] = [];
  for (const text of splitPath(connector.path)) {
    const value = valueOf(text, subject);
    if (value.fault !== null) return { ok: false, fault: value.fault };
    if (!value.fixed && !isOneSegment(value.text)) return { ok: false, fault: 'VALUE_REFUSED' };
    segments.push(value.fixed ? value.text : encode(value.text));
  }
  const query: string[] = [];
  for (const [name, text] of Object.entries(connector.query)) {
    const value = valueOf(text, subject);
    if (value.fault !== null) return { ok: false, fault: value.fault };
    query.push(`${encode(name)}=${encode(value.text)}`);
  }
  const url = `${base.origin}${prefix}${segments.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  if (!isUnder(url, base.origin, prefix, segments.length)) return { ok: false, fault: 'VALUE_REFUSED' };
  return { ok: true, question: { method: 'GET', url, headers: { ...connector.headers } } };
}

/**
 * Null when an empty answer speaks for the execution (R-064). The question goes out all the same: what is found agrees with
 * the execution by its content, and that shows where it is.
 */
export function doubtAboutTarget(
  connector: Pick<Connector, 'fixedAccount'>,
  subject: Pick<QuestionSubject, 'system' | 'account'>,
): TargetDoubt | null {
  if (subject.system === null) return 'TARGET_UNNAMED';
  if (connector.fixedAccount === undefined) return null;
  if (subject.account === null) return 'TARGET_UNNAMED';
  return subject.account === connector.fixedAccount ? null : 'OTHER_ACCOUNT';
}

type Value = { fault: QuestionFault } | { fault: null; text: string; fixed: boolean };

function valueOf(text: string, subject: QuestionSubject): Value {
  const part = parsePart(text);
  if (part === null) throw new Error(`bug: connector with an unchecked template part: ${text}`);
  if ('fixed' in part) return { fault: null, text: part.fixed, fixed: true };
  const value = subjectValue(part, subject);
  if (value === null || value === '') return { fault: 'VALUE_MISSING' };
  return isPlain(value) ? { fault: null, text: value, fixed: false } : { fault: 'VALUE_REFUSED' };
}

/** The execution's value that a placeholder names; null when it has none, or none that can be compared for certain. */
export function subjectValue(
  part: Exclude<TemplatePart, { fixed: string }>,
  subject: QuestionSubject,
): string | null {
  return 'subject' in part ? subject[part.subject] : asText(readDisplay(subject.display, part.display));
}

/** Display fields are kept flat under their pointer (`{"/amount": 10}`); a nested member is found as well. */
function readDisplay(display: Record<string, unknown>, pointer: string): unknown {
  return Object.hasOwn(display, pointer) ? display[pointer] : readPointer(display, pointer);
}

function isPlain(value: string): boolean {
  return value.length <= LONGEST_VALUE && !/[\p{Cc}\p{Cs}]/u.test(value);
}

/** False for what some server on the way could take for a step up or down, also when it decodes twice. */
function isOneSegment(value: string): boolean {
  const readings = [value, decodedOnce(value)].map((text) => text.normalize('NFKC'));
  return !readings.some((text) =>
    text.split(/[/\\]/).some((piece) => /^\.{1,2}(?:;.*)?$/.test(piece.trim())),
  );
}

function decodedOnce(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function encode(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The last look at the finished address: same origin, same base path, as many segments as the template has. */
function isUnder(text: string, origin: string, prefix: string, segments: number): boolean {
  const url = new URL(text);
  if (url.origin !== origin || url.hash !== '' || !url.pathname.startsWith(prefix)) return false;
  return url.href === text && url.pathname.slice(prefix.length).split('/').length === segments;
}
