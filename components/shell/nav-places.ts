import { Inbox, Layers, ScrollText, Stamp, type LucideIcon } from 'lucide-react';
import { type Messages } from '@/lib/domain/messages/catalogue';

/** The desk's places, in the order of the day's work. */
export const NAV_PLACES = [
  { href: '/queue', name: 'queue', icon: Inbox, also: '/exceptions' },
  { href: '/executions', name: 'executions', icon: Layers, also: null },
  { href: '/approvals', name: 'approvals', icon: Stamp, also: null },
  { href: '/audit', name: 'audit', icon: ScrollText, also: null },
] as const satisfies readonly {
  href: string;
  name: keyof Messages['common']['nav'];
  icon: LucideIcon;
  /** Another address that belongs to this place. */
  also: string | null;
}[];

export type NavPlace = (typeof NAV_PLACES)[number];

const within = (pathname: string, root: string) => pathname === root || pathname.startsWith(`${root}/`);

/** Whether an address belongs to a place of the navigation. */
export function isPlace(pathname: string, place: NavPlace): boolean {
  return within(pathname, place.href) || (place.also !== null && within(pathname, place.also));
}
