import { routeActor } from '@/lib/access/actor';
import { changesSince } from '@/lib/review/changes-since';
import { readContext } from '@/lib/review/read-context';

export const dynamic = 'force-dynamic';

/** Whether the queue has changed since a mark; asked twice a second by each queue that is seen. Rights are those of this moment. */
export async function GET(request: Request): Promise<Response> {
  const acting = await routeActor();
  if (acting === null) return new Response(null, { status: 401 });
  const since = new URL(request.url).searchParams.get('since') ?? '';
  return Response.json(await changesSince(readContext(acting.actor), since), {
    headers: { 'cache-control': 'no-store' },
  });
}
