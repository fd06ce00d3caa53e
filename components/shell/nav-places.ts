import { Inbox, Layers, ScrollText, Stamp, UserCog, type LucideIcon } from 'lucide-react';
import { type Role } from '@/lib/domain/actor';
import { type Messages } from '@/lib/domain/messages/catalogue';

/** The desk's places, in the order of the day's work. */
const NAV_PLACES = [
  { href: '/queue', name: 'queue', icon: Inbox, also: '/exceptions' },
  { href: '/executions', name: 'executions', icon: Layers, also: null },
  { href: '/approvals', name: 'approvals', icon: Stamp, also: null },
  { href: '/audit', name: 'audit', icon: ScrollText, also: null },
  { href: '/admin/people', name: 'administration', icon: UserCog, also: '/admin', role: 'ADMIN' },
] as const satisfies readonly {
  href: string;
  name: keyof Messages['common']['nav'];
  icon: LucideIcon;
  /** Another address that belongs to this place. */
  also: string | null;
  /** Who alone finds it there; absent: everybody. */
  role?: Role;
}[];

export type NavPlace = (typeof NAV_PLACES)[number];

/** The places of somebody with these roles. */
export function placesFor(roles: readonly string[]): readonly NavPlace[] {
  return NAV_PLACES.filter((place) => !('role' in place) || roles.includes(place.role));
}

const within = (pathname: string, root: string) => pathname === root || pathname.startsWith(`${root}/`);

/** Whether an address belongs to a place of the navigation. */
export function isPlace(pathname: string, place: NavPlace): boolean {
  return within(pathname, place.href) || (place.also !== null && within(pathname, place.also));
}
