// What somebody with every right can do to a log that was signed, and where it must show first.
import type { AuditRecord } from '@/lib/domain/audit-events';
import { headOf, rehash, startOf, type SignedLog } from './signed-log';

const indexOf = (log: SignedLog, number: number) => number - Number(startOf(log).number) - 1;
const eventAt = (log: SignedLog, number: number) => log.events[indexOf(log, number)]!;

/** Numbers of events whose text is gone, and no event of these tells of its erasure. */
function lostTexts(events: readonly AuditRecord[]): number[] {
  const erased = events.filter(({ event }) => event === 'audit.text_erased').map(({ body }) => body);
  return events
    .filter(({ body, texts }) => body.includes('"commitments":{"text"') && texts == null)
    .map(({ number }) => Number(number))
    .filter((number) => !erased.some((body) => body.includes(`"${number}/text"`)));
}

export const flip = (text: string, place: number, bit: number): string => {
  const at = place % text.length;
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) + text.slice(at + 1);
};
const storable = (text: string) => !/\p{Surrogate}|\0/u.test(text);
const TEXTS = [
  'eventId',
  'occurredAt',
  'event',
  'outcome',
  'actorKind',
  'actorId',
  'actorName',
  'body',
  'httpRequestId',
  'previousHash',
  'hash',
] as const;

export interface Tampered {
  log: SignedLog;
  firstBad: bigint;
}
export type Tamper = (
  log: SignedLog,
  at: number,
  pick: number,
  numbers: readonly number[],
) => Tampered | null;

/** By what was done to the event with a number: what is left, and the first number that cannot be right. */
export const TAMPERINGS: Record<string, Tamper> = {
  'one bit of a text': (log, at, pick) => {
    const event = eventAt(log, at);
    const name = TEXTS[pick % TEXTS.length]!;
    if (event[name] === '') return null;
    const changed = flip(event[name], pick >>> 4, (pick >>> 12) % 8);
    if (!storable(changed)) return null;
    const events = log.events.with(indexOf(log, at), { ...event, [name]: changed });
    return { log: { ...log, events }, firstBad: BigInt(at) };
  },
  'one bit of what somebody wrote': (log, at, pick) => {
    const event = eventAt(log, at);
    const value = event.texts?.['text']?.value ?? '';
    if (value === '') return null;
    const changed = flip(value, pick >>> 4, (pick >>> 12) % 8);
    if (!storable(changed)) return null;
    const texts = { text: { ...event.texts!['text']!, value: changed } };
    return {
      log: { ...log, events: log.events.with(indexOf(log, at), { ...event, texts }) },
      firstBad: BigInt(at),
    };
  },
  'what somebody wrote taken away, with no event that tells of it': (log, at) => {
    const event = eventAt(log, at);
    if (event.texts == null) return null;
    const events = log.events.with(indexOf(log, at), { ...event, texts: null });
    return { log: { ...log, events }, firstBad: BigInt(at) };
  },
  'a text that nobody committed to, planted in its midst': (log, at, pick) => {
    const event = eventAt(log, at);
    const planted = { value: 'planted', salt: '0f'.repeat(32) };
    const texts = { ...event.texts, [pick % 2 === 0 ? 'reason' : 'rationale']: planted };
    return {
      log: { ...log, events: log.events.with(indexOf(log, at), { ...event, texts }) },
      firstBad: BigInt(at),
    };
  },
  'an absent text made empty, or taken away': (log, at) => {
    const event = eventAt(log, at);
    const operation = event.operation === null ? '' : null;
    return {
      log: { ...log, events: log.events.with(indexOf(log, at), { ...event, operation }) },
      firstBad: BigInt(at),
    };
  },
  'one bit of a number': (log, at, pick) => {
    const number = BigInt(at) ^ (1n << BigInt(pick % 6));
    const first = startOf(log).number + 1n;
    if (number >= first && number <= log.head.number) return null;
    const event = { ...eventAt(log, at), number: number.toString() };
    const events = log.events.toSpliced(indexOf(log, at), 1);
    return {
      log: { ...log, events: number < first ? [event, ...events] : [...events, event] },
      firstBad: number < first ? number : BigInt(at),
    };
  },
  removal: (log, at) => ({
    log: { ...log, events: log.events.toSpliced(indexOf(log, at), 1) },
    firstBad: BigInt(at),
  }),
  'two that changed places': (log, at, pick) => {
    const other = Number(startOf(log).number) + 1 + (pick % log.events.length);
    if (other === at) return null;
    const [one, two] = [eventAt(log, at), eventAt(log, other)];
    const events = log.events
      .with(indexOf(log, at), { ...two, number: one.number })
      .with(indexOf(log, other), { ...one, number: two.number });
    return { log: { ...log, events }, firstBad: BigInt(Math.min(at, other)) };
  },
  'cutting off, head and all': (log, at) => {
    const events = log.events.slice(0, indexOf(log, at));
    const lost = Math.min(...lostTexts(events).filter((number) => number < at));
    return {
      log: { ...log, events, head: headOf(events, startOf(log)) },
      firstBad: BigInt(Math.min(at, lost)),
    };
  },
  'a log written anew, head and all': (log, at, _, numbers) => {
    const changed = log.events.with(indexOf(log, at), { ...eventAt(log, at), actorName: 'Somebody Else' });
    const events = rehash(changed, startOf(log));
    // Where exactly cannot be told: between the last checkpoint that agrees and the first that does not.
    const agreed = numbers.filter((number) => number < at).at(-1) ?? 0;
    return { log: { ...log, events, head: headOf(events) }, firstBad: BigInt(agreed + 1) };
  },
};
