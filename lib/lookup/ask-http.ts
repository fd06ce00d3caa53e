import { setTimeout as pause } from 'node:timers/promises';
import type { HttpConnector } from '@/lib/domain/connector-http';
import type { HttpQuestion, QuestionSubject } from '@/lib/domain/connector-question';
import { readAnswer, type Reading } from '@/lib/domain/lookup-answer';
import { emptyFinding, type LookupErrorClass, type LookupFinding } from '@/lib/domain/lookup-finding';
import type { Proof } from '@/lib/domain/lookup-verdict';
import { parseRetryAfter } from '@/lib/domain/retry-after';
import type { Resolve } from './checked-address';
import { guardedFetch } from './guarded-fetch';

/** Milliseconds until the connector may be asked again; null when that is further away than the asker has patience for. */
export type NextTurn = () => Promise<number | null>;

export interface Asked {
  finding: LookupFinding;
  /** Milliseconds spent on the network. */
  tookMs: number;
  retryAfterSeconds: number | null;
  /** For restricted logs; null when there was an answer. */
  failure: { failure: LookupErrorClass; detail: string } | null;
}

export interface HttpAsking {
  connector: HttpConnector;
  /** With the secrets filled in. */
  headers: Record<string, string>;
  question: HttpQuestion;
  proof: Proof;
  subject: QuestionSubject;
  allowLoopback: boolean;
  resolve: Resolve | undefined;
  turn: NextTurn;
}

/**
 * Asks, and follows a list to its end. The recipe's time and size are for all pages together, and each page is a question
 * of its own for the rate; a list that needs more is one that was not read to its end.
 */
export async function askHttp(asking: HttpAsking): Promise<Asked> {
  const { connector } = asking;
  let url = asking.question.url;
  let reading: Reading = { asked: [url], items: [], count: 0 };
  let [tookMs, bytes] = [0, 0];
  for (;;) {
    const startedAt = performance.now();
    const result = await guardedFetch(
      {
        url,
        headers: asking.headers,
        timeoutMs: Math.max(1, Math.ceil(connector.timeoutMs - tookMs)),
        maxBytes: connector.maxBytes - bytes,
        allowLoopback: asking.allowLoopback,
      },
      asking.resolve,
    );
    tookMs += performance.now() - startedAt;
    if (!result.ok) {
      const isSilent = result.failure === 'UNREACHABLE';
      const finding = emptyFinding(isSilent ? 'INACCESSIBLE' : 'INCONCLUSIVE', result.failure);
      return { finding, tookMs, retryAfterSeconds: null, failure: result };
    }
    const { answer } = result;
    bytes += Buffer.byteLength(answer.text ?? '');
    const read = readAnswer(answer, connector, asking.proof, asking.subject, reading);
    if ('finding' in read) {
      return {
        finding: read.finding,
        tookMs,
        retryAfterSeconds: parseRetryAfter(answer.retryAfter, Date.now()),
        failure: null,
      };
    }
    const waitMs = await asking.turn();
    if (waitMs === null) {
      return {
        finding: emptyFinding('INCONCLUSIVE', 'MORE_PAGES'),
        tookMs,
        retryAfterSeconds: null,
        failure: null,
      };
    }
    await pause(waitMs);
    url = read.next;
    reading = { asked: [...reading.asked, url], ...read.reading };
  }
}
