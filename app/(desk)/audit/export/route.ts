import { getTranslations } from 'next-intl/server';
import { routeActor } from '@/lib/access/actor';
import { deskContext } from '@/lib/review/desk-context';
import { EXPORT_FORMATS, exportAudit, type ExportFormat } from '@/lib/review/export-audit';
import { filterOf, readAuditAddress } from '../search-params';

export const dynamic = 'force-dynamic';

const MEDIA_TYPE: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
};
const HEADERS = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' };
/** Seconds after which a place is likely to be free. */
const RETRY_SECONDS = '10';

/** The audit as the page's address narrows it, as a file. A POST, since the export itself is recorded. */
export async function POST(request: Request): Promise<Response> {
  const t = await getTranslations('audit.export');
  const refuse = (status: number, text: string, more: Record<string, string> = {}) =>
    new Response(text, {
      status,
      headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8', ...more },
    });
  const acting = await routeActor();
  if (acting === null) return refuse(401, t('signedOut'));
  const { searchParams } = new URL(request.url);
  const format = EXPORT_FORMATS.find((each) => each === searchParams.get('format'));
  if (format === undefined) return refuse(400, t('unknownFormat'));
  const { format: _format, ...asked } = Object.fromEntries(searchParams);
  const read = readAuditAddress(asked);
  if (read.kind === 'misread') return refuse(400, t('misread', { names: read.names.join(', ') }));
  // Only the list leaves searches out: a file is checked for holes.
  const filter = { ...filterOf(read.address), hidden: null };
  const answer = await exportAudit(deskContext(acting), filter, format);
  switch (answer.kind) {
    case 'refused':
      return refuse(403, t('managersOnly'));
    case 'busy':
      return refuse(429, t('busy'), { 'retry-after': RETRY_SECONDS });
    case 'export':
      return new Response(answer.stream, {
        headers: {
          ...HEADERS,
          'content-type': MEDIA_TYPE[format],
          'content-disposition': `attachment; filename="${answer.name}"`,
        },
      });
    default:
      return answer satisfies never;
  }
}
