import { setTimeout as sleep } from 'node:timers/promises';
import { fingerprintOf } from '@/lib/domain/fingerprint';
import { isTerminal } from '@/lib/domain/states';
import { createLedgerClient, type Execution, type LedgerClient } from '@/lib/ledger/client';
import { Automation, claimOf, describe, makeRequestId } from './automation';
import { type Intent } from './intent';
import { findEffect, performEffect } from './perform-effect';
import { Pace } from './pace';
import { type Order } from './protocol';
import { type Reporter } from './reporter';
import { SqlProducer } from './sql-producer';
import { WorkBookReader, type Work, type WorkBook } from './work-book';

const POLL_MS = 3_000;
/** Each settled intent is looked for this often; at most some dozens are open. */
const SETTLE_EVERY_ROUNDS = 10;
/** Each look of the SQL program is a connection of its own. */
const SQL_EVERY_ROUNDS = 5;

/**
 * The automation that finishes what a person allowed: it takes up retries with the same key and reissues with the new
 * one, asks again for results that are still in doubt, and notices what is settled.
 */
export class Executor {
  static readonly JOB = 'executor';
  private readonly clients: { principal: string; client: LedgerClient }[];
  private readonly pace = new Pace(() => Date.now());
  private readonly reader: WorkBookReader;

  constructor(
    private readonly order: Order,
    private readonly reporter: Reporter,
  ) {
    this.reader = new WorkBookReader(order.dataDir);
    this.clients = order.producers.map(({ principal, token }) => ({
      principal,
      client: createLedgerClient({ baseUrl: order.ledgerUrl, token, owner: `executor/${process.pid}` }),
    }));
  }

  async runForever(): Promise<never> {
    for (let round = 0; ; round += 1) {
      try {
        await this.runRound(round);
      } catch (error) {
        // One bad round must not end the executor: the next one starts from what the ledger says then.
        console.error('sandbox executor:', error);
      }
      await sleep(POLL_MS);
    }
  }

  /** One look at everything that waits. */
  private async runRound(round: number): Promise<void> {
    const book = this.reader.read();
    for (const { principal, client } of this.clients) {
      await this.finishWaiting(book, client);
      const own = book.list().filter((work) => work.intent.principal === principal && !work.settled);
      for (const work of own) {
        if (work.intent.retransmitted && this.pace.isDue(work.intent.key, work.intent.at))
          await this.retransmit(client, work);
        if (round % SETTLE_EVERY_ROUNDS === 0) await this.noticeSettled(client, work);
      }
    }
    if (this.order.northSqlUrl !== null && round % SQL_EVERY_ROUNDS === 0)
      await this.finishWaitingInSql(book, this.order.northSqlUrl);
  }

  private async finishWaiting(book: WorkBook, client: LedgerClient): Promise<void> {
    for (const query of [{ state: 'FAILED_RETRYABLE' }, { state: 'RECEIVED' }] as const) {
      const page = await client.listWaiting({ ...query, limit: 100 });
      if (page.kind !== 'OK') continue;
      for (const execution of page.value.items) {
        const intent = await this.intentOf(book, client, execution);
        if (intent === null || (intent.neglected && !isTouched(execution))) continue;
        // The same row without a change since our last try would only be refused again.
        if (this.pace.mayTry(execution.executionId, execution.updatedAt))
          await this.finish(client, intent, execution.attempt);
      }
    }
  }

  /** The input of a waiting execution: its own, or of its original the content that the new fingerprint names. */
  private async intentOf(book: WorkBook, client: LedgerClient, execution: Execution): Promise<Intent | null> {
    const own = book.find(execution.operation, execution.key);
    if (own !== undefined) return { ...own.intent, requestId: makeRequestId() };
    if (execution.reissueOf === null) return null;
    const original = await client.get(execution.reissueOf);
    if (original.kind !== 'OK') return null;
    return reissuedIntent(book, original.value.key, execution);
  }

  private async finish(client: LedgerClient, intent: Intent, attemptsSoFar: number): Promise<void> {
    const reachable = attemptsSoFar >= intent.unreachableAttempts;
    const { operation, key, payload } = intent;
    const outcome = await client.once(claimOf(intent, this.order.leaseSeconds), async ({ signal }) => {
      const request = { operation, key, payload, reachable, signal };
      // An earlier attempt may have left an effect; a system without request keys would make another one.
      const looksFirst = reachable && operation !== 'create-payment';
      const earlier = looksFirst ? await findEffect(this.order.systems, request) : null;
      return earlier ?? (await performEffect(this.order.systems, request));
    });
    const executionId = 'executionId' in outcome ? outcome.executionId : null;
    const event = outcome.kind === 'REFUSED' ? 'refused' : 'step';
    await this.reporter.step('finish', {
      operation,
      reference: key,
      executionId,
      event,
      note: describe(outcome),
    });
  }

  private async retransmit(client: LedgerClient, work: Work): Promise<void> {
    await this.finish(
      client,
      { ...work.intent, requestId: makeRequestId() },
      work.intent.unreachableAttempts,
    );
  }

  private async noticeSettled(client: LedgerClient, { intent }: Work): Promise<void> {
    const found = await client.find(intent.operation, intent.key);
    if (found.kind !== 'OK') return;
    const [execution] = found.value.items;
    const { operation, key } = intent;
    if (execution === undefined) {
      // A ledger that was emptied, or a claim that never came: two minutes are long enough for any first claim.
      const old = Date.now() - new Date(intent.at).getTime() > 120_000;
      if (old) await this.reporter.report({ type: 'settled', operation, key, state: 'GONE' });
    } else if ((isTerminal(execution.state) && !execution.underReview) || execution.supersededBy !== null) {
      await this.reporter.report({ type: 'settled', operation, key, state: execution.state });
    }
  }

  private async finishWaitingInSql(book: WorkBook, url: string): Promise<void> {
    const producer = await SqlProducer.connect(url);
    try {
      for (const row of await producer.listWaiting()) {
        const own = book.find(row.operation, row.key)?.intent;
        const intent = own ?? (row.reissueOf === null ? null : reissuedIntent(book, row.reissueOf, row));
        if (intent === null || !this.pace.mayTry(`sql ${row.key}`, row.version)) continue;
        const [anyone] = this.clients;
        if (anyone === undefined) return;
        await producer.runByFunctions(new Automation(this.order, anyone.client, this.reporter), intent);
      }
    } finally {
      await producer.close();
    }
  }
}

/** True when the row changed after it was made: somebody decided about it. */
function isTouched(execution: Execution): boolean {
  return execution.updatedAt !== execution.createdAt;
}

interface Reissued {
  operation: string;
  key: string;
  fingerprint: string;
}

function reissuedIntent(book: WorkBook, originalKey: string, reissue: Reissued): Intent | null {
  const original = book.find(reissue.operation, originalKey);
  const content = original?.contents.find(({ payload }) => fingerprintOf(payload) === reissue.fingerprint);
  if (original === undefined || content === undefined) return null;
  const { key } = reissue;
  return {
    ...original.intent,
    ...content,
    key,
    requestId: makeRequestId(),
    neglected: false,
    unreachableAttempts: 0,
  };
}
