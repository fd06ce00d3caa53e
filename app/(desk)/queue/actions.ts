'use server';

import type { BulkAnswer, LinkPreview } from '@/lib/domain/bulk-acts';
import { actOnMany } from '@/lib/review/act-on-many';
import { pageAct } from '@/lib/review/page-act';
import { previewLinks } from '@/lib/review/preview-links';

export async function actOnManyAction(input: unknown): Promise<BulkAnswer> {
  return pageAct(actOnMany, input);
}
export async function previewLinksAction(exceptionIds: unknown): Promise<LinkPreview> {
  return pageAct((ctx, ids) => previewLinks({ actor: ctx.actor, db: ctx.pool }, ids), exceptionIds);
}
