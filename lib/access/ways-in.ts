import 'server-only';
import { pool as sharedPool, type Pool } from '@/lib/db/pool';
import { prismaOver } from '@/lib/db/prisma';
import type { Actor } from '@/lib/domain/actor';
import type { WaysIn } from '@/lib/domain/ways-in';
import { providerSettings } from './provider-settings.mjs';

/** How the acting person can show who they are, now and again. */
export async function waysIn(actor: Actor, pool: Pool = sharedPool('pages')): Promise<WaysIn> {
  const person = await prismaOver(pool).person.findUnique({
    where: { personId: actor.personId },
    select: { passwordHash: true, identities: { where: { endedAt: null }, select: { issuer: true } } },
  });
  const settings = providerSettings();
  return {
    password: person?.passwordHash != null,
    provider: settings?.name ?? null,
    byProvider: person?.identities.some(({ issuer }) => issuer === settings?.issuer) ?? false,
  };
}

/** The provider's name for the login page; null: none is configured. */
export function providerName(): string | null {
  return providerSettings()?.name ?? null;
}
