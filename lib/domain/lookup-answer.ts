import { parsePart, type Connector } from './connector';
import { subjectValue, type QuestionSubject } from './connector-question';
import { readPointer } from './json-pointer';
import { emptyFinding, findAmong, type LookupErrorClass, type LookupFinding } from './lookup-finding';
import type { Proof } from './lookup-verdict';

/** An HTTP answer within its limits; `text` is null when the body was not UTF-8. */
export interface HttpAnswer {
  status: number;
  /** Lower-case media type without parameters; null when none was sent. */
  mediaType: string | null;
  text: string | null;
}

/**
 * Reads one answer by the connector's rules. Only a 200 in JSON of the described shape, or a 404 that the
 * connector takes for "not found", says anything; everything else is out of reach or unclear, never "not found".
 */
export function readAnswer(
  answer: HttpAnswer,
  connector: Connector,
  proof: Proof,
  subject: QuestionSubject,
): LookupFinding {
  const finding = read(answer, connector, proof, subject);
  if (finding.outcome !== 'NOT_FOUND' || proof !== 'ABSENCE' || connector.absentId === undefined)
    return finding;
  const part = parsePart(connector.absentId);
  if (part === null || 'fixed' in part)
    throw new Error(`bug: connector with an unchecked id: ${connector.absentId}`);
  return { ...finding, resultId: subjectValue(part, subject) };
}

function read(
  answer: HttpAnswer,
  connector: Connector,
  proof: Proof,
  subject: QuestionSubject,
): LookupFinding {
  const { status } = answer;
  if (status === 404 && connector.notFound.status404) {
    // A page in HTML is a gateway's 404, not the API's.
    return answer.mediaType === null || isJson(answer.mediaType)
      ? emptyFinding('NOT_FOUND', null)
      : unclear('UNREADABLE');
  }
  if (status === 401 || status === 403 || status === 407)
    return emptyFinding('INACCESSIBLE', 'NO_PERMISSION');
  if (status === 429) return emptyFinding('INACCESSIBLE', 'RATE_LIMITED');
  if (status === 408 || status >= 500) return emptyFinding('INACCESSIBLE', 'SERVER_ERROR');
  if (status >= 300 && status < 400) return unclear('REDIRECT');
  if (status !== 200) return unclear('UNEXPECTED_STATUS');
  return readDocument(answer, connector, proof, subject);
}

function readDocument(
  answer: HttpAnswer,
  connector: Connector,
  proof: Proof,
  subject: QuestionSubject,
): LookupFinding {
  if (answer.text === null || answer.mediaType === null || !isJson(answer.mediaType))
    return unclear('UNREADABLE');
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {
    return unclear('UNREADABLE');
  }
  if (isThere(body, connector.errorAt)) return unclear('ERROR_IN_ANSWER');
  if (isThere(body, connector.moreAt)) return unclear('MORE_PAGES');
  const items = connector.items === undefined ? [body] : readPointer(body, connector.items);
  if (!Array.isArray(items)) return unclear('UNEXPECTED_SHAPE');
  const finding = findAmong(items, connector, proof, subject);
  const mayBeEmpty = connector.items !== undefined && connector.notFound.emptyList;
  return finding.outcome === 'NOT_FOUND' && !mayBeEmpty ? unclear('UNEXPECTED_SHAPE') : finding;
}

function isThere(body: unknown, pointer: string | undefined): boolean {
  if (pointer === undefined) return false;
  const value = readPointer(body, pointer);
  return value !== undefined && value !== null && value !== false && value !== '';
}

function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || /^application\/[a-z0-9.+-]{1,80}\+json$/.test(mediaType);
}

function unclear(errorClass: LookupErrorClass): LookupFinding {
  return emptyFinding('INCONCLUSIVE', errorClass);
}
