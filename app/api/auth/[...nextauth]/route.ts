import type { NextRequest } from 'next/server';
import { handleAuth } from '@/lib/access/auth-handler';
import { pool } from '@/lib/db/pool';

export const dynamic = 'force-dynamic';

async function handle(
  request: NextRequest,
  route: { params: Promise<{ nextauth: string[] }> },
): Promise<Response> {
  const { nextauth } = await route.params;
  return handleAuth(request, nextauth, pool('pages'));
}

export { handle as GET, handle as POST };
