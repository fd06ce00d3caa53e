/** The page that uses a one-time link; the secret stands behind `#`, which no server and no log ever sees. */
export function linkAddress(secret: string): string {
  return `${window.location.origin}/login/link#${secret}`;
}
