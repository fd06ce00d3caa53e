import { notFound } from 'next/navigation';
import { readHead } from '@/lib/audit/audit-records';
import { type RetiredRange } from '@/lib/audit/retirements';
import { hasRoleFor } from '@/lib/domain/permissions';
import { type ReadContext } from '@/lib/review/read-context';
import { NUMBER } from './event-number';
import { NotGivenYet } from './not-given-yet';
import { RetiredEvent } from './retired-event';

interface MissingEventProps {
  ctx: ReadContext;
  number: string;
  retired: readonly RetiredRange[];
}

/** Why there is nothing to show: it has left, nothing has the number yet, or it is not this reader's to see. */
export async function MissingEvent({ ctx, number, retired }: MissingEventProps) {
  if (!NUMBER.test(number) || !hasRoleFor(ctx.actor, 'audit.read')) notFound();
  const range = rangeOf(retired, BigInt(number));
  if (range !== undefined) return <RetiredEvent number={number} range={range} />;
  const { last } = await readHead(ctx.db);
  if (BigInt(number) <= last) notFound();
  return <NotGivenYet last={last.toString()} />;
}

const rangeOf = (retired: readonly RetiredRange[], number: bigint): RetiredRange | undefined =>
  retired.find(({ first, last }) => first <= number && number <= last);
