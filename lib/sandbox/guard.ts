/**
 * Why the sandbox must not run in this environment, or null. It makes false customers and payments, so it runs only
 * where the demo is wanted: never with DEMO=off, and in a production process only with DEMO=on.
 */
export function sandboxRefusal(env: Readonly<Record<string, string | undefined>>): string | null {
  if (env.DEMO === 'off') return 'DEMO is off';
  if (env.NODE_ENV === 'production' && env.DEMO !== 'on') return 'this is a production installation';
  return null;
}
