/** Milliseconds until a silent server counts as not answering. */
const ANSWER_WITHIN = 4_000;

/**
 * Asks first: Next answers a failed refresh with a full navigation, and a failed read with the error page; either would
 * throw away what is on the screen. A missing worker is no reason to show old data.
 */
export async function canReadAnew(): Promise<boolean> {
  try {
    const answer = await fetch('/api/ready', {
      cache: 'no-store',
      signal: AbortSignal.timeout(ANSWER_WITHIN),
    });
    const found = (await answer.json()) as { database?: unknown };
    return found.database === true;
  } catch {
    return false;
  }
}
