/** Seconds by which the provider's clock and ours may differ. */
const TOLERANCE = 30;
/** Seconds between the making of a token and its use: it is fetched at once. */
const TOKEN_AGE = 600;

/**
 * Whether the times of a checked token can be true: made just now, and nobody has shown who they are in the time to come.
 * How old the showing may be is another question, which the database answers by what was asked for.
 * @param now seconds since 1970
 */
export function timesCanBeTrue(token: Readonly<Record<string, unknown>>, now: number): boolean {
  const { iat, auth_time: shown = null } = token;
  const made = isTime(iat) && iat >= now - TOKEN_AGE && iat <= now + TOLERANCE;
  return made && (shown === null || (isTime(shown) && shown <= now + TOLERANCE));
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
