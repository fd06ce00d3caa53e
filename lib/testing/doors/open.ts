import { clientDoor } from './client';
import type { Door, Ledger } from './door';
import { httpDoor } from './http';
import { hasPsql, psqlDoor } from './psql';
import { sqlDoor } from './sql';

export type DoorName = 'SQL' | 'psql' | 'HTTP' | 'TypeScript';

/** All ways in. psql is one where it is installed; the same scripts go through the connection named SQL in any case. */
export const DOORS: readonly DoorName[] = [
  'SQL',
  ...(hasPsql() ? (['psql'] as const) : []),
  'HTTP',
  'TypeScript',
];

export function openDoor(name: DoorName, ledger: Ledger): Door {
  switch (name) {
    case 'SQL':
      return sqlDoor(ledger.sqlUrl);
    case 'psql':
      return psqlDoor(ledger.sqlUrl);
    case 'HTTP':
      return httpDoor(ledger.apiUrl, ledger.token);
    case 'TypeScript':
      return clientDoor(ledger.apiUrl, ledger.token);
    default: {
      const impossible: never = name;
      throw new Error(`bug: unknown door ${String(impossible)}`);
    }
  }
}
