import { routeActor } from '@/lib/access/actor';
import { deskContext } from '@/lib/review/desk-context';
import { exportReport } from '@/lib/review/incidents/export-report';

export const dynamic = 'force-dynamic';

const HEADERS = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' };

/** The report's rows with their verdicts, as a file; asked for by our own page alone. */
export async function POST(
  _request: Request,
  { params }: RouteContext<'/queue/incidents/[id]/reports/[report]/rows'>,
): Promise<Response> {
  const acting = await routeActor();
  if (acting === null) return new Response(null, { status: 401, headers: HEADERS });
  const csv = await exportReport(deskContext(acting), (await params).report);
  if (csv === null) return new Response(null, { status: 404, headers: HEADERS });
  return new Response(csv, {
    headers: {
      ...HEADERS,
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="report-rows.csv"',
    },
  });
}
