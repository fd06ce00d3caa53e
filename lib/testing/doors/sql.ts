// A SQL producer's scripts over a connection of the driver's: simple queries, no parameters, so nothing that psql lacks.
import pg from 'pg';
import { sqlstateOf } from '@/lib/db/sqlstate';
import type { Door, Told } from './door';
import { claimText, registerText, reportText, toldByAnswer, toldByError } from './sql-text';

/** A door of which only the way to run a script is its own. */
export function scriptDoor(run: (script: string) => Promise<Told>, close: () => Promise<void>): Door {
  return {
    claim: (sent) => run(claimText(sent)),
    register: (sent) => run(registerText(sent)),
    report: (verb, id, reported) => run(reportText(verb, id, reported)),
    close,
  };
}

export function sqlDoor(url: string): Door {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on('error', () => undefined); // a test that stops the server breaks idle connections
  const run = async (script: string): Promise<Told> => {
    try {
      const { rows } = await pool.query<Record<string, unknown>>(script);
      return toldByAnswer(JSON.stringify(Object.values(rows[0]!)[0]));
    } catch (error) {
      return toldByError(sqlstateOf(error), error instanceof Error ? error.message : String(error));
    }
  };
  return scriptDoor(run, () => pool.end());
}
