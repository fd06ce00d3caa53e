import 'server-only';
import type { DeskReader } from './desk-context';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether there is such an exception in the person's tenants: asked before the first byte, so that "no" is a 404. */
export async function hasException({ actor, pool }: DeskReader, exceptionId: string): Promise<boolean> {
  if (!UUID.test(exceptionId)) return false;
  const { rows } = await pool.query(
    'select from review.exceptions where exception_id = $1 and tenant_id = any($2::text[])',
    [exceptionId, actor.tenantIds],
  );
  return rows.length > 0;
}
