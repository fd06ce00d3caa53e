import { readiness } from '@/lib/db/readiness';
import { pool } from '@/lib/db/pool';

export const dynamic = 'force-dynamic';

/** Database, migrations and worker, each by name; 503 until all three are there. */
export async function GET(): Promise<Response> {
  const found = await readiness(pool('pages'), process.env['ONCEOVER_LATEST_MIGRATION']);
  return Response.json(found, {
    status: found.status === 'ready' ? 200 : 503,
    headers: { 'cache-control': 'no-store' },
  });
}
