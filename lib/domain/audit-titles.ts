import { AUDIT_EVENTS, type AuditEventName } from './audit-events';
import { CATALOGUE } from './messages/catalogue';
import { LOCALES } from './messages/locales';
import { SYSTEM_ACTORS } from './system-actors';

/** Codes that a list of events prints in words. */
export interface NamedCodes {
  readonly events: readonly AuditEventName[];
  readonly refusals: readonly string[];
  /** Parts of the system, by their actor ids. */
  readonly actors: readonly string[];
  /** Codes that stand in an event's stored text: states, verdicts, decisions, relations. */
  readonly codes: readonly string[];
}

/** The shortest text that is looked for in titles: a letter is in nearly all of them. */
const SHORTEST = 2;

/**
 * The codes whose words, in any language, hold the text (R-088i): the list prints the words, and stores the codes. For the
 * server alone: it reads every catalogue.
 */
export function namedCodes(text: string): NamedCodes {
  const wanted = plain(text);
  if (Array.from(wanted).length < SHORTEST) return { events: [], refusals: [], actors: [], codes: [] };
  const holds = (words: string | undefined) => words !== undefined && plain(words).includes(wanted);
  return {
    events: AUDIT_EVENTS.filter((event) => LOCALES.some((locale) => holds(titleOf(event, locale)))),
    refusals: codesOf(({ audit }) => audit.refusal, holds),
    actors: Object.entries(SYSTEM_ACTORS)
      .filter(([, word]) => LOCALES.some((locale) => holds(CATALOGUE[locale].audit.actor[word])))
      .map(([actor]) => actor),
    codes: [
      ...new Set([
        ...codesOf(({ glossary }) => labelsOf(glossary.state), holds),
        ...codesOf(({ glossary }) => labelsOf(glossary.kind), holds),
        ...codesOf(({ glossary }) => glossary.verdict, holds),
        ...codesOf(({ glossary }) => glossary.relation, holds),
        ...codesOf(({ lookup }) => lookup.outcome, holds),
      ]),
    ],
  };
}

/** Quotation marks and case are the reader's affair. */
const plain = (words: string) =>
  words
    .toLowerCase()
    .replace(/[“”"'‘’]/g, '')
    .trim();

function titleOf(event: AuditEventName, locale: (typeof LOCALES)[number]): string | undefined {
  const [area = '', act = ''] = event.split('.');
  const titles: Readonly<Record<string, Readonly<Record<string, string>>>> = CATALOGUE[locale].audit.event;
  return titles[area]?.[act];
}

function codesOf(
  words: (messages: (typeof CATALOGUE)['en']) => Readonly<Record<string, string>>,
  holds: (text: string) => boolean,
): string[] {
  return LOCALES.flatMap((locale) => Object.entries(words(CATALOGUE[locale])))
    .filter(([, text]) => holds(text))
    .map(([code]) => code)
    .filter((code, index, all) => all.indexOf(code) === index);
}

const labelsOf = (entries: Readonly<Record<string, { readonly label: string }>>) =>
  Object.fromEntries(Object.entries(entries).map(([code, { label }]) => [code, label]));
