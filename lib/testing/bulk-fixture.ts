// Batches of doubtful payments as the queue sends them.
import { randomUUID } from 'node:crypto';
import { actOnMany } from '@/lib/review/act-on-many';
import { previewLinks } from '@/lib/review/preview-links';
import { BULK_SLICE, type LinkCandidate } from '@/lib/domain/bulk-acts';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { LookingContext } from '@/lib/review/desk-context';
import { lookUpNow } from '@/lib/review/look-up-now';
import type { DeskFixture } from './desk-fixture';

/** Payments that the outside system knows, each looked at. */
export async function paidPayments(desk: DeskFixture, by: LookingContext, count: number) {
  const payments: Awaited<ReturnType<DeskFixture['unknownPayment']>>[] = [];
  for (let n = 0; n < count; n += 1) payments.push(await desk.unknownPayment());
  // The stub has each payment under its own reference alone.
  desk.answer((request, response) => {
    const reference = new URL(request.url ?? '', 'http://stub').searchParams.get('reference') ?? '';
    const items = payments.some(({ key }) => key === reference) ? [desk.payment(reference)] : [];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }));
  });
  for (const { exceptionId } of payments) {
    const looked = await lookUpNow(by, { exceptionId });
    if (looked.outcome !== 'done') throw new Error(JSON.stringify(looked));
  }
  return payments;
}

export async function preview(by: LookingContext, exceptionIds: readonly string[]): Promise<LinkCandidate[]> {
  const answer = await previewLinks({ actor: by.actor, db: by.pool }, exceptionIds);
  if (answer.outcome !== 'previewed') throw new Error(JSON.stringify(answer));
  return [...answer.rows];
}

/** What the form sends of a previewed row. */
export const linkRow = (seen: LinkCandidate) => ({
  exceptionId: seen.exceptionId,
  exceptionVersion: seen.exceptionVersion,
  executionVersion: seen.executionVersion,
  evidenceId: seen.found!.evidenceId,
  lookAgain: seen.lookAgain,
  operationId: randomUUID(),
});

type Row = { exceptionId: string; operationId: string };

/** Sends the batch slice by slice, as the page does; the answers by exception. */
export async function sendBatch(
  by: LookingContext,
  act: Record<string, unknown>,
  rows: readonly Row[],
): Promise<Map<string, CommandAnswer>> {
  const answers = new Map<string, CommandAnswer>();
  const operationId = randomUUID();
  for (let from = 0; from < rows.length; from += BULK_SLICE) {
    const only = rows.slice(from, from + BULK_SLICE).map((row) => row.operationId);
    const answer = await actOnMany(by, { ...act, operationId, only, rows });
    if (answer.outcome !== 'answered') throw new Error(JSON.stringify(answer));
    for (const each of answer.rows)
      answers.set(rows.find((row) => row.operationId === each.operationId)!.exceptionId, each.answer);
  }
  return answers;
}
