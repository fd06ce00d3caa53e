import type { ArrivalAnswer } from '../protocol';
import { BASE_HEADERS } from './problem';
import { isHeaderValue, isStorable } from './stored-response';

const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/**
 * The stored answer again, marked as a replay. Rows may come from plain SQL, so headers are judged once more:
 * a header that cannot be sent is left out rather than turning a finished success into an error (B-73).
 */
export function replayResponse(replay: NonNullable<ArrivalAnswer['replay']>, executionId: string): Response {
  const headers = new Headers(BASE_HEADERS);
  for (const [name, value] of Object.entries(replay.headers)) {
    if (isStorable(name.toLowerCase()) && isHeaderValue(value)) headers.set(name, value);
  }
  const hasBody = replay.body !== null && !WITHOUT_BODY.includes(replay.status);
  if (hasBody && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
  headers.set('Idempotency-Replayed', 'true');
  headers.set('Onceover-Execution', executionId);
  return new Response(hasBody ? replay.body : null, { status: replay.status, headers });
}
