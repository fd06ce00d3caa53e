import { routeActor } from '@/lib/access/actor';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { REPORT_BYTES } from '@/lib/domain/report-limits';
import { deskContext } from '@/lib/review/desk-context';
import { judgeProviderReport, reportDoor } from '@/lib/review/incidents/judge-report';
import { actOfPage } from '@/lib/review/page-act';
import { readUpload } from './read-upload';

export const dynamic = 'force-dynamic';

/** Bytes of the form around the file. */
const FORM_BYTES = 128 * 1024;

const answered = (answer: CommandAnswer, status = 200) =>
  Response.json(answer, { status, headers: { 'cache-control': 'private, no-store' } });

/** R-056 Takes a provider's report. A route and not an action: what is too large is refused before it is read. */
export async function POST(
  request: Request,
  { params }: RouteContext<'/queue/incidents/[id]/reports'>,
): Promise<Response> {
  const acting = await routeActor();
  if (acting === null) return answered({ outcome: 'refused', code: 'SIGNED_OUT' }, 401);
  const ctx = deskContext(acting);
  const { id: incidentId } = await params;
  const barred = await reportDoor(ctx, incidentId);
  if (barred !== null)
    return answered({ outcome: 'refused', code: barred }, barred === 'NOT_FOUND' ? 404 : 403);
  const upload = await readUpload(request, REPORT_BYTES + FORM_BYTES);
  if (upload.kind === 'too-large')
    return answered(
      { outcome: 'refused', code: 'REPORT_UNREADABLE', file: { fault: 'TOO_LARGE', line: null } },
      413,
    );
  const { file, form } = upload;
  return answered(
    await actOfPage(ctx, (by, input) => judgeProviderReport(by, input, file), { ...form, incidentId }),
  );
}
