import type { Pool, Queryable } from '@/lib/db/pool';
import { transaction, type Transaction } from '@/lib/db/transaction';
import { cutAfterMs, type RunOnceDatabase, type Sql } from './database';
import { StatementGate } from './statement-gate';

/** The program's own `pg` pool, logged in as a SQL producer. The work gets the transaction's connection only (B-13). */
export function pgDatabase(pool: Pool): RunOnceDatabase<Queryable> {
  return {
    transaction(bounds, inside) {
      const gate = new StatementGate();
      return transaction(
        pool,
        null,
        (tx) => {
          const gated: Queryable = {
            query: (text, values) => gate.pass(() => tx.query(text, values), textOf(text)),
          };
          return inside({ sql: sqlOver(tx), run: (work) => gate.during(() => work(gated)) });
        },
        {
          attempts: 1,
          isolation: bounds.isolation,
          waitMs: Math.max(1, bounds.msLeft()),
          limitMs: cutAfterMs(bounds),
          commitMs: bounds.commitMs,
        },
      );
    },
  };
}

/** pg itself takes a statement as an object too. */
function textOf(query: unknown): string | null {
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : query;
  return typeof text === 'string' ? text : null;
}

function sqlOver(tx: Transaction): Sql {
  return async <Row>(text: TemplateStringsArray, ...values: readonly unknown[]) => {
    const numbered = text.reduce((sql, part, index) => `${sql}$${index}${part}`);
    const { rows } = await tx.query<Row & Record<string, unknown>>(numbered, values);
    return rows;
  };
}
