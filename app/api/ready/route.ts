import { signingStatus } from '@/lib/audit/signing-status';
import { readiness } from '@/lib/db/readiness';
import { pool } from '@/lib/db/pool';

export const dynamic = 'force-dynamic';

/**
 * Database, migrations and worker, each by name; 503 until all three are there. How far the audit is signed is told beside
 * them and stops no traffic: monitors raise the alarm.
 */
export async function GET(): Promise<Response> {
  const found = await readiness(pool('pages'), process.env['ONCEOVER_LATEST_MIGRATION']);
  const signing = found.database ? await signingStatus().catch(() => null) : null;
  return Response.json(
    { ...found, audit: signing?.state ?? 'unknown' },
    {
      status: found.status === 'ready' ? 200 : 503,
      headers: { 'cache-control': 'no-store' },
    },
  );
}
