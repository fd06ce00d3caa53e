import type { ActivityView } from './exception-view';
import type { PersonRef } from './person-ref';

/** What people add to an exception while they work on it together. */
export interface Together {
  /** Whether the reader hears of every act on it. */
  readonly watching: boolean;
  readonly ticket: Ticket | null;
  /** People of the tenant, whom a comment can call. */
  readonly mentionable: readonly PersonRef[];
}

export interface Ticket {
  readonly address: string;
  readonly label: string;
  /** RFC 3339, UTC. */
  readonly linkedAt: string;
  readonly linkedBy: PersonRef;
}

/** An https address without a name or password in it. */
export function isTicketAddress(text: string): boolean {
  if (!/^https:\/\/\S+$/.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === '' && password === '' && hostname !== '';
}

/** What was written to the reader when they got it last; null once somebody else has it, or where nothing was. */
export function handedOver(activity: readonly ActivityView[], me: string): ActivityView | null {
  const given = activity.findLastIndex(({ event }) => event === 'assigned');
  // The note is kept by the same act, just before it.
  const note = activity[given - 1];
  return note?.event === 'commented' && note.detail['handedTo'] === me ? note : null;
}

/** Since when its deferral is over and nobody has done anything about it; null otherwise. */
export function cameBack(activity: readonly ActivityView[]): string | null {
  const back = activity.findLastIndex(({ event }) => event === 'resumed');
  if (back < 0) return null;
  return activity.slice(back + 1).some(({ actor }) => actor.kind === 'person') ? null : activity[back]!.at;
}
