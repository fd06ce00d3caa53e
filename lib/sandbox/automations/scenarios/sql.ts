import { type Automation } from '../automation';
import { type Intent } from '../intent';
import { type Scenario } from '../scenario';
import { SqlProducer } from '../sql-producer';
import { intendRecord } from './steps';

const viaSql = { principal: 'north-sql', visible: true } as const;

/** Programs that write SQL as the role `north_sql`; no code of the ledger's client runs in them. */
export const SQL_PRODUCERS: readonly Scenario[] = [
  {
    ...viaSql,
    name: 'sql-record',
    kind: null,
    run: (automation) =>
      withProducer(automation, (producer, intent) => producer.runByFunctions(automation, intent)),
  },
  {
    ...viaSql,
    name: 'sql-record-answer-lost',
    kind: 'UNKNOWN_RESULT',
    run: (automation) =>
      withProducer(automation, (producer, intent) => producer.loseAnswer(automation, intent)),
  },
];

async function withProducer(
  automation: Automation,
  work: (producer: SqlProducer, intent: Intent) => Promise<void>,
) {
  const { northSqlUrl } = automation.order;
  if (northSqlUrl === null) return;
  const producer = await SqlProducer.connect(northSqlUrl);
  try {
    await work(producer, await intendRecord(automation));
  } finally {
    await producer.close();
  }
}
