import { isProblem } from './answer-forms';
import type { Problem } from './wire';

/** The problem that an answer holds; null when somebody else than the ledger answered (a gateway, a wrong address). */
export function readProblem(headers: Headers, text: string): Problem | null {
  if (!/^application\/problem\+json\b/i.test(headers.get('content-type') ?? '')) return null;
  const body = readJson(text);
  return isProblem(body) ? body : null;
}

/** The parsed text, or undefined when it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
