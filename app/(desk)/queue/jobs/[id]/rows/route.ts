import { routeActor } from '@/lib/access/actor';
import { exportBulkJob } from '@/lib/review/bulk/export-bulk-job';
import { deskContext } from '@/lib/review/desk-context';

export const dynamic = 'force-dynamic';

const HEADERS = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' };

/** The job's rows with what became of each, as a file. A POST, since the export is recorded. */
export async function POST(
  _request: Request,
  { params }: RouteContext<'/queue/jobs/[id]/rows'>,
): Promise<Response> {
  const acting = await routeActor();
  if (acting === null) return new Response(null, { status: 401, headers: HEADERS });
  const csv = await exportBulkJob(deskContext(acting), (await params).id);
  if (csv === null) return new Response(null, { status: 404, headers: HEADERS });
  return new Response(csv, {
    headers: {
      ...HEADERS,
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="bulk-job-rows.csv"',
    },
  });
}
