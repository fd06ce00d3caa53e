import { createLedgerClient } from '@/lib/ledger/client';
import type { JsonValue } from '@/lib/domain/json-value';
import type { Answer, ClaimAnswer, Refused, Unavailable } from '@/lib/ledger/client/types';
import type { Execution } from '@/lib/ledger/client/wire';
import type { ReportVerb } from '@/lib/ledger/protocol';
import { contentOf, told, toldMembers, type Door, type Reported, type Sent, type Told } from './door';

/** The TypeScript library's single calls. */
export function clientDoor(apiUrl: string, token: string): Door {
  const client = createLedgerClient({ baseUrl: apiUrl, token, retry: { maxAttempts: 1 } });
  const request = ({ content, requestId = 'request-1', ...sent }: Sent) =>
    ({ ...sent, requestId, payload: content ?? contentOf(sent) }) as Parameters<typeof client.claim>[0];
  const calls: Record<ReportVerb, (id: string, body: never) => Promise<Answer<Execution>>> = {
    'effect-started': client.effectStarted,
    heartbeat: client.heartbeat,
    complete: client.complete,
    fail: client.fail,
    unknown: client.reportUnknown,
    cancel: client.cancel,
  };
  return {
    claim: (sent) => orThrown(async () => toldByClaim(await client.claim(request(sent)))),
    register: (sent) =>
      orThrown(async () => toldByExecution(await client.register(request(sent)), 'REGISTERED')),
    report: async (verb, id, reported) =>
      toldByExecution(await calls[verb](id, reportBody(reported) as never), 'OK'),
    close: async () => undefined,
  };
}

function reportBody({ response, ...members }: Reported): object {
  if (response?.body === undefined) return { ...members, response };
  return { ...members, response: { ...response, body: JSON.parse(response.body) as JsonValue } };
}

/** An impossible key is a mistake in the program and throws before anything is sent. */
async function orThrown(call: () => Promise<Told>): Promise<Told> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith('the key cannot be used'))
      return { word: 'IDEMPOTENCY_KEY_INVALID' };
    throw error;
  }
}

function toldByClaim(answer: ClaimAnswer): Told {
  switch (answer.kind) {
    case 'CLAIMED': {
      const { disposition: word, executionId, fencingToken, attempt, leaseExpiresAt } = answer;
      return { word, executionId, fencingToken, attempt, leaseExpiresAt };
    }
    case 'REPLAYED': {
      const { status, headers, bodyText, executionId } = answer;
      const replay = { status, location: headers['location'] ?? null, body: bodyText };
      return { word: 'REPLAYED', executionId, replay };
    }
    case 'RESULT_REUSED': {
      const { executionId, resultId, resultUrl } = answer;
      return told({ word: 'RESULT_REUSED', executionId, resultId, resultUrl });
    }
    case 'DUPLICATE_HELD': {
      const { executionId, retryAfterSeconds, owner } = answer;
      return told({ word: 'REQUEST_IN_PROGRESS', executionId, retryAfterSeconds, owner });
    }
    default:
      return toldByRefusal(answer);
  }
}

function toldByExecution(answer: Answer<Execution>, word: string): Told {
  return answer.kind === 'OK' ? toldMembers(word, answer.value) : toldByRefusal(answer);
}

function toldByRefusal(answer: Refused | Unavailable): Told {
  if (answer.kind === 'UNAVAILABLE') {
    if (answer.code === null) throw new Error(`no answer of the ledger: ${answer.message}`);
    return told({ word: answer.code, retryAfterSeconds: answer.retryAfterSeconds });
  }
  return toldMembers(answer.code, answer.problem);
}
