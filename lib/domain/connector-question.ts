import { encode, isOneSegment, isPlain } from './address-part';
import { asText } from './compare-content';
import type { Connector } from './connector';
import type { HttpConnector } from './connector-http';
import type { PostgresConnector } from './connector-postgres';
import {
  parsePart,
  placeholderOf,
  splitPath,
  type Placeholder,
  type SubjectField,
} from './connector-template';
import { readPointer } from './json-pointer';
import { parsePhrase, quoted, type SearchPhrase } from './search-phrase';

/** What a question may be built from: the execution's own values, as the ledger keeps them. */
export interface QuestionSubject extends Record<SubjectField, string | null> {
  system: string | null;
  /** Display fields by name or nested, read by JSON Pointer. */
  display: Record<string, unknown>;
}

/** A question by HTTP as it goes out, still with references in place of secrets, so it can be kept as evidence. */
export interface HttpQuestion {
  method: 'GET';
  url: string;
  headers: Record<string, string>;
}

/** A question in SQL; `url` is the reference to the connection. */
export interface SqlQuestion {
  method: 'SELECT';
  url: string;
  sql: string;
  parameters: string[];
}

export type Question = HttpQuestion | SqlQuestion;

/** Why a question cannot be asked about this execution; nothing was sent. */
export type QuestionFault = 'OTHER_SYSTEM' | 'VALUE_MISSING' | 'VALUE_REFUSED';

/** Why "nothing there" from this connector says nothing about the execution: what it asks may not be where the effect went. */
export type TargetDoubt = 'TARGET_UNNAMED' | 'OTHER_ACCOUNT';

export type QuestionResult<Q extends Question = Question> =
  { ok: true; question: Q } | { ok: false; fault: QuestionFault };

/** Characters of one query value, quoting included. */
const LONGEST_PHRASE = 2_000;

/** Builds the one question that a connector asks about an execution. */
export function buildQuestion(connector: Connector, subject: QuestionSubject): QuestionResult {
  return connector.kind === 'http'
    ? buildHttpQuestion(connector, subject)
    : buildSqlQuestion(connector, subject);
}

/**
 * The address of an HTTP question. Each value fills exactly one encoded path segment or query value, or one quoted text
 * of a search phrase; what could be read as more than that, now or after a second decoding, is refused.
 */
export function buildHttpQuestion(
  connector: HttpConnector,
  subject: QuestionSubject,
): QuestionResult<HttpQuestion> {
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
  for (const [name, template] of Object.entries(connector.query)) {
    const value = typeof template === 'string' ? valueOf(template, subject) : phraseOf(template, subject);
    if (value.fault !== null) return { ok: false, fault: value.fault };
    query.push(`${encode(name)}=${encode(value.text)}`);
  }
  const url = `${base.origin}${prefix}${segments.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  if (!isUnder(url, base.origin, prefix, segments.length)) return { ok: false, fault: 'VALUE_REFUSED' };
  return { ok: true, question: { method: 'GET', url, headers: { ...connector.headers } } };
}

/** A question in SQL: the text is the recipe's own, and each value a parameter beside it. */
export function buildSqlQuestion(
  connector: PostgresConnector,
  subject: QuestionSubject,
): QuestionResult<SqlQuestion> {
  if (subject.system !== null && subject.system !== connector.system)
    return { ok: false, fault: 'OTHER_SYSTEM' };
  const parameters: string[] = [];
  for (const text of connector.parameters) {
    const value = filled(placeholderOf(text), subject);
    if (value.fault !== null) return { ok: false, fault: value.fault };
    parameters.push(value.text);
  }
  return {
    ok: true,
    question: { method: 'SELECT', url: connector.connection, sql: connector.sql, parameters },
  };
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
  return 'fixed' in part ? { fault: null, text: part.fixed, fixed: true } : filled(part, subject);
}

function filled(part: Placeholder, subject: QuestionSubject): Value {
  const value = subjectValue(part, subject);
  if (value === null || value === '') return { fault: 'VALUE_MISSING' };
  return isPlain(value) ? { fault: null, text: value, fixed: false } : { fault: 'VALUE_REFUSED' };
}

/** A search phrase with each value as a text of its own in the system's language. */
function phraseOf({ phrase, quoting }: SearchPhrase, subject: QuestionSubject): Value {
  const parts = parsePhrase(phrase);
  if (parts === null) throw new Error(`bug: connector with an unchecked phrase: ${phrase}`);
  let text = '';
  for (const part of parts) {
    if ('fixed' in part) {
      text += part.fixed;
      continue;
    }
    const value = filled(part, subject);
    if (value.fault !== null) return value;
    const literal = quoted(value.text, quoting);
    if (literal === null) return { fault: 'VALUE_REFUSED' };
    text += literal;
  }
  return text.length > LONGEST_PHRASE ? { fault: 'VALUE_REFUSED' } : { fault: null, text, fixed: false };
}

/** The execution's value that a placeholder names; null when it has none, or none that can be compared for certain. */
export function subjectValue(part: Placeholder, subject: QuestionSubject): string | null {
  return 'subject' in part ? subject[part.subject] : asText(readDisplay(subject.display, part.display));
}

/** Display fields are kept flat under their pointer (`{"/amount": 10}`); a nested member is found as well. */
function readDisplay(display: Record<string, unknown>, pointer: string): unknown {
  return Object.hasOwn(display, pointer) ? display[pointer] : readPointer(display, pointer);
}

/** The last look at the finished address: same origin, same base path, as many segments as the template has. */
function isUnder(text: string, origin: string, prefix: string, segments: number): boolean {
  const url = new URL(text);
  if (url.origin !== origin || url.hash !== '' || !url.pathname.startsWith(prefix)) return false;
  return url.href === text && url.pathname.slice(prefix.length).split('/').length === segments;
}
