// Hears everything that is sent through a pool, and changes nothing of it.
import type pg from 'pg';

export interface SentStatement {
  text: string;
  values: readonly unknown[];
}

/** The list grows with each statement; the tester empties it. */
export function tapStatements(pool: pg.Pool): SentStatement[] {
  const sent: SentStatement[] = [];
  const tapped = new WeakSet<object>();
  pool.on('acquire', (client) => {
    if (tapped.has(client)) return;
    tapped.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((given: string | pg.QueryConfig, ...more: unknown[]) => {
      if (typeof given === 'string') sent.push({ text: given, values: (more[0] as unknown[]) ?? [] });
      else sent.push({ text: given.text, values: (given.values ?? more[0] ?? []) as unknown[] });
      return query(given, ...more);
    }) as typeof client.query;
  });
  return sent;
}
