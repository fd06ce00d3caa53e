import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { safeParse } from '@/lib/domain/safe-parse';
import { NEW_TOUR, type TourState } from '@/lib/domain/tour';
import type { DeskContext } from './desk-context';
import type { ReadContext } from './read-context';

const INPUT = z.strictObject({
  state: z.enum(['RUNNING', 'LEFT', 'DONE']),
  place: z.number().int().min(0).max(20),
});

/** How far this person has come. By primary key. */
export async function getTour({ actor, db }: ReadContext): Promise<TourState> {
  const { rows } = await db.query<{ tour: TourState | null }>('select review.tour_of($1::uuid) as tour', [
    actor.personId,
  ]);
  return rows[0]?.tour ?? NEW_TOUR;
}

/** Their own alone. A preference and no act: the audit holds what people did, not what they were shown around in. */
export async function keepTour({ actor, pool }: DeskContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = safeParse(INPUT, raw);
  if (!parsed.success) return { outcome: 'refused', code: 'INVALID_INPUT' };
  const { state, place } = parsed.data;
  await pool.query('select review.keep_tour($1::uuid, $2, $3::smallint)', [actor.personId, state, place]);
  return { outcome: 'done', repeated: false };
}
