import type { CommandAnswer } from '@/lib/domain/command-answer';

/** Makes the occasion and answers the act, which can be tried again after it failed. */
export type Prepare = () => Promise<() => Promise<unknown>>;

export const ORIGIN = { requestId: 'r', sourceAddress: null, userAgent: null, previousSecret: null };

/** Throws for a refusal: the act has to come about once the audit can be written. */
export async function cameAbout(answer: Promise<CommandAnswer>): Promise<void> {
  const { outcome } = await answer;
  if (outcome !== 'done' && outcome !== 'requested')
    throw new Error(`refused: ${JSON.stringify(await answer)}`);
}
