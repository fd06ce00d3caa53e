import { asText } from './compare-content';
import type { ConnectorMatch } from './connector';
import type { HttpConnector } from './connector-http';
import { nextPage } from './connector-paging';
import { subjectValue, type QuestionSubject } from './connector-question';
import { placeholderOf } from './connector-template';
import { readList, readPlace } from './json-place';
import { emptyFinding, findAmong, type LookupErrorClass, type LookupFinding } from './lookup-finding';
import type { Proof } from './lookup-verdict';

/** An HTTP answer within its limits; `text` is null when the body was not UTF-8. */
export interface HttpAnswer {
  status: number;
  /** Lower-case media type without parameters; null when none was sent. */
  mediaType: string | null;
  text: string | null;
  /** The `Link` header. */
  link?: string | null;
  /** A refusal because of too many questions, by its headers. */
  isThrottled?: boolean;
}

/** What was read of a list so far. */
export interface Reading {
  /** The addresses asked, this one included. */
  asked: readonly string[];
  items: readonly unknown[];
  /** With those that the recipe does not pick. */
  count: number;
}

/** What follows from an answer: the finding, or the next page of the list. */
export type ReadOn = { finding: LookupFinding } | { next: string; reading: Omit<Reading, 'asked'> };

/**
 * Reads one answer by the connector's rules. Only a 200 in JSON of the described shape, or a 404 or 410 that the
 * connector takes for "not there", says anything; everything else is out of reach or unclear, never "not found".
 */
export function readAnswer(
  answer: HttpAnswer,
  connector: HttpConnector,
  proof: Proof,
  subject: QuestionSubject,
  reading: Reading,
): ReadOn {
  const read = answer.status === 200 ? readDocument(answer, connector, proof, subject, reading) : null;
  if (read !== null && 'next' in read) return read;
  const finding = read?.finding ?? findingOfStatus(answer, connector, proof, reading);
  return { finding: withAbsentId(finding, connector, proof, subject) };
}

/** What is gone, as it should be, keeps the id under which it was asked for. */
export function withAbsentId(
  finding: LookupFinding,
  { absentId }: Pick<ConnectorMatch, 'absentId'>,
  proof: Proof,
  subject: QuestionSubject,
): LookupFinding {
  if (finding.outcome !== 'NOT_FOUND' || proof !== 'ABSENCE' || absentId === undefined) return finding;
  return { ...finding, resultId: subjectValue(placeholderOf(absentId), subject) };
}

function findingOfStatus(
  { status, mediaType, isThrottled }: HttpAnswer,
  { notFound }: HttpConnector,
  proof: Proof,
  { asked }: Reading,
): LookupFinding {
  if (status === 404 || status === 410) {
    // A page in HTML is a gateway's word, not the API's; and a list that vanished while it was read was there.
    if (mediaType !== null && !isJson(mediaType)) return unclear('UNREADABLE');
    if (asked.length > 1) return unclear('MORE_PAGES');
    if (status === 404)
      return notFound.status404 ? emptyFinding('NOT_FOUND', null) : unclear('NOTHING_SHOWN');
    return notFound.status410 && proof === 'ABSENCE' ? emptyFinding('NOT_FOUND', null) : unclear('GONE');
  }
  if (status === 429 || isThrottled === true) return emptyFinding('INACCESSIBLE', 'RATE_LIMITED');
  if (status === 401 || status === 403 || status === 407)
    return emptyFinding('INACCESSIBLE', 'NO_PERMISSION');
  if (status === 408 || status >= 500) return emptyFinding('INACCESSIBLE', 'SERVER_ERROR');
  return unclear(status >= 300 && status < 400 ? 'REDIRECT' : 'UNEXPECTED_STATUS');
}

function readDocument(
  answer: HttpAnswer,
  connector: HttpConnector,
  proof: Proof,
  subject: QuestionSubject,
  reading: Reading,
): ReadOn {
  const body = documentOf(answer);
  if (body === undefined) return { finding: unclear('UNREADABLE') };
  if (isThere(body, connector.errorAt)) return { finding: unclear('ERROR_IN_ANSWER') };
  if (connector.items === undefined) {
    if (isThere(body, connector.moreAt)) return { finding: unclear('MORE_PAGES') };
    const finding = findAmong([body], connector, proof, subject);
    return { finding: finding.outcome === 'NOT_FOUND' ? unclear('UNEXPECTED_SHAPE') : finding };
  }
  const page = readList(body, connector.items);
  if (page === null) return { finding: unclear('UNEXPECTED_SHAPE') };
  const items = [...reading.items, ...page.picked];
  const count = reading.count + page.all.length;
  const isCounted = isAll(connector, body, count);
  const end = isCounted ? 'END' : endOf(connector, body, page.all, answer.link ?? null, reading.asked);
  if (end !== 'END' && end !== 'LOST') return { next: end.url, reading: { items, count } };
  const isWhole = end === 'END' && isCounted !== false;
  return { finding: judgeList(items, isWhole, connector, proof, subject) };
}

/** Where the list goes on, by the recipe; `LOST` when it does and cannot or may not be followed. */
function endOf(
  connector: HttpConnector,
  body: unknown,
  items: readonly unknown[],
  link: string | null,
  asked: readonly string[],
): ReturnType<typeof nextPage> {
  const { paging, moreAt, fullPage, baseUrl } = connector;
  if (paging === undefined)
    return isThere(body, moreAt) || (fullPage !== undefined && items.length >= fullPage) ? 'LOST' : 'END';
  const flag = moreAt === undefined ? undefined : readPlace(body, moreAt);
  const more = flag === undefined ? null : isThere(body, moreAt);
  if (paging.by === 'last' && more === null) return 'LOST';
  const next = nextPage(paging, baseUrl, asked, { body, items, link, more });
  return typeof next === 'object' && asked.length >= paging.pages ? 'LOST' : next;
}

/** Whether as many things were read as the answer counts; null when the recipe knows no count. */
function isAll({ totalAt }: HttpConnector, body: unknown, count: number): boolean | null {
  if (totalAt === undefined) return null;
  const total = asText(readPlace(body, totalAt));
  return total !== null && Number(total) === count;
}

/** A list that was not read to its end proves nothing, but for one thing: two effects are two, whatever else there is. */
export function judgeList(
  items: readonly unknown[],
  isWhole: boolean,
  connector: ConnectorMatch & { notFound: { emptyList: boolean } },
  proof: Proof,
  subject: QuestionSubject,
): LookupFinding {
  const finding = findAmong(items, connector, proof, subject);
  if (!isWhole && finding.outcome !== 'MULTIPLE') return unclear('MORE_PAGES');
  return finding.outcome === 'NOT_FOUND' && !connector.notFound.emptyList
    ? unclear('NOTHING_SHOWN')
    : finding;
}

/** Undefined when it is no JSON in UTF-8. */
function documentOf({ text, mediaType }: HttpAnswer): unknown {
  if (text === null || mediaType === null || !isJson(mediaType)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isThere(body: unknown, place: string | undefined): boolean {
  if (place === undefined) return false;
  const value = readPlace(body, place);
  return value !== undefined && value !== null && value !== false && value !== '';
}

function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || /^application\/[a-z0-9.+-]{1,80}\+json$/.test(mediaType);
}

function unclear(errorClass: LookupErrorClass): LookupFinding {
  return emptyFinding('INCONCLUSIVE', errorClass);
}
