import { routeActor } from '@/lib/access/actor';
import { deskContext } from '@/lib/review/desk-context';
import { lookAt } from '@/lib/review/together/look-at';

export const dynamic = 'force-dynamic';

const HEADERS = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' };

/** The reader looks at this exception, or (`?leaves`) away from it. Answers who else looks; asked by our own page alone. */
export async function POST(
  request: Request,
  { params }: RouteContext<'/exceptions/[id]/presence'>,
): Promise<Response> {
  const acting = await routeActor();
  if (acting === null) return new Response(null, { status: 401, headers: HEADERS });
  const { pool, context } = deskContext(acting);
  const looks = !new URL(request.url).searchParams.has('leaves');
  const others = await lookAt(pool, context, (await params).id, looks);
  if (others === null) return new Response(null, { status: 404, headers: HEADERS });
  return Response.json(others, { headers: HEADERS });
}
