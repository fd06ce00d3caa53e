import { currentActor } from '@/lib/access/actor';
import { changesSince } from '@/lib/review/changes-since';
import { readContext } from '@/lib/review/read-context';

export const dynamic = 'force-dynamic';

/**
 * Whether the queue has changed since a mark; asked twice a second by each queue that is seen. Rights are those of this moment.
 * It changes nothing and another origin cannot read it, so that no origin is asked for.
 */
export async function GET(request: Request): Promise<Response> {
  const actor = await currentActor();
  if (actor === null) return new Response(null, { status: 401 });
  const since = new URL(request.url).searchParams.get('since') ?? '';
  return Response.json(await changesSince(readContext(actor), since), {
    headers: { 'cache-control': 'no-store' },
  });
}
