// A process of the desk for races: for each word of the test one act of one person, in a transaction of its own.
import { makePool } from '@/lib/db/pool';
import { sqlstateOf } from '@/lib/db/sqlstate';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import { input, sayAndWait } from './conversation';

export interface DeskAct {
  context: TransactionContext;
  /** A function of the desk, jsonb in and out. */
  name: string;
  input: object;
}

const { url } = input<{ url: string }>();
const pool = makePool({ connectionString: url, name: 'desk-acts', max: 1 });

/** One try alone: a deadlock must show, not be repeated. */
async function carryOut({ context, name, input: form }: DeskAct): Promise<object> {
  try {
    return await transaction(
      pool,
      context,
      async (tx) => {
        const { rows } = await tx.query<{ answer: object }>(`select review.${name}($1::jsonb) as answer`, [
          JSON.stringify(form),
        ]);
        return rows[0]?.answer ?? {};
      },
      { attempts: 1 },
    );
  } catch (error) {
    return { outcome: 'failed', sqlstate: sqlstateOf(error) ?? String(error) };
  }
}

let word = await sayAndWait('ready');
while (word !== '') {
  const answer = await carryOut(JSON.parse(word) as DeskAct);
  word = await sayAndWait('done', { answer });
}
process.exit(0);
