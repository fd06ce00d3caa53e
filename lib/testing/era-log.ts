// A log in memory from which events have left in several runs, sealed and signed as the product does it.
import {
  checkpointDigest,
  checkpointLine,
  FIRST_PREVIOUS,
  type CheckpointRecord,
} from '@/lib/audit/verifier/checkpoint.mjs';
import { auditHash } from '@/lib/audit/verifier/event-hash.mjs';
import { CHAIN_START } from '@/lib/audit/verifier/follow-chain.mjs';
import { anchorsDigest, type Retirement } from '@/lib/audit/verifier/retirements.mjs';
import { signRecord, type SigningKey } from '@/lib/audit/signer/signing-key';
import type { AuditRecord } from '@/lib/domain/audit-events';
import { treeOf } from './merkle-reference';
import { eventOf, headOf, type EventContent, type SignedLog } from './signed-log';

export interface Eras {
  /** Contents by era, each of them some; all but the last have left the log. */
  eras: readonly (readonly EventContent[])[];
  /** Of each era that has left: whether its retirement is told in the last era and not in the next one. */
  late: readonly boolean[];
  /** Whether a number is signed though it need not be. */
  isSigned: (number: number) => boolean;
  /** Whether the last event erases what somebody wrote first. */
  erases: boolean;
  /** How many records are from before there were trees; none unless given. */
  bare?: number;
  /** A clock that was wrong, by number. */
  turned?: (number: number, at: number) => number;
}

export interface EraLog extends SignedLog {
  events: AuditRecord[];
  retirements: Retirement[];
  records: CheckpointRecord[];
  /** What the checkpoints sign, in order. */
  numbers: number[];
}

type Item = { era: number; event: AuditRecord; tells: number | null };

/** More than an archive has to wait for, from one era to the next. */
const ERA_MS = 40 * 86_400_000;
const MINUTE_MS = 60_000;
const BEGIN = Date.parse('2025-01-01T00:00:00Z');
const trueTime = (era: number, number: number) => BEGIN + era * ERA_MS + number * MINUTE_MS;
export const instant = (at: number) => new Date(at).toISOString().replace('Z', '000Z');

/** The events in their order, not hashed yet: each run is told after the first event of the era in which it happened. */
function itemsOf({ eras, late, erases }: Eras): Item[] {
  const live = eras.length - 1;
  let isLate = false;
  const told = eras.map((): Item[] => []);
  for (let run = 0; run < live; run += 1) {
    isLate ||= late[run] === true;
    const era = isLate ? live : run + 1;
    const content = { actorName: 'Owner', body: '', operation: null, actorRoles: [] };
    told[era]!.push({ era, tells: run, event: { ...eventOf(content), event: 'audit.retired' } });
  }
  const items = eras.flatMap((contents, era) =>
    contents.flatMap((content, index) => [
      { era, tells: null, event: eventOf(content) },
      ...(index === 0 ? told[era]! : []),
    ]),
  );
  const written = items.findIndex(({ event }) => event.texts != null);
  if (!erases || written < 0) return items;
  items[written]!.event = { ...items[written]!.event, texts: null };
  const body = JSON.stringify({ texts: [`${written + 1}/text`] });
  const erasing = { actorName: 'Owner', body, operation: null, actorRoles: [] };
  return [...items, { era: live, tells: null, event: { ...eventOf(erasing), event: 'audit.text_erased' } }];
}

const sinceOf = (before: CheckpointRecord | undefined) =>
  Number(before?.tree?.since ?? Number(before?.number ?? 0) + 1);

export function eraLog(spec: Eras, key: SigningKey): EraLog {
  const items = itemsOf(spec);
  const live = spec.eras.length - 1;
  const tellerOf = (run: number) => items.findIndex(({ tells }) => tells === run) + 1;
  const [events, retirements, records]: [AuditRecord[], Retirement[], CheckpointRecord[]] = [[], [], []];
  const sign = (number: number, at: number, retired?: Retirement) => {
    const before = records.at(-1);
    const type = retired !== undefined ? 'retirement' : before === undefined ? 'key' : 'checkpoint';
    const range = retired && { ...told(retired), keepDays: '30' };
    records.push(
      signRecord(key, {
        ...{ type, sequence: String(records.length + 1), logId: events[0]!.hash, keyId: key.keyId },
        ...{ number: String(number), hash: events[number - 1]!.hash, signedAt: instant(at) },
        ...{ revokedKeyId: null, revokedAt: null, newKey: before === undefined ? key.publicKey : null },
        previous: before === undefined ? FIRST_PREVIOUS : checkpointDigest(before),
        ...(range && { retired: range }),
        ...(records.length < (spec.bare ?? 0)
          ? {}
          : { tree: treeOf(events, Number(before?.number ?? 0), number, sinceOf(before)) }),
      }),
    );
  };
  for (const [index, { era, event, tells }] of items.entries()) {
    const number = index + 1;
    const at = trueTime(era, number);
    const isEnd = era < live && items[number]?.era !== era;
    let { body } = event;
    if (tells !== null) {
      sign(Number(records.at(-1)!.number), at, retirements[tells]);
      body = bodyOf(retirements.slice(0, tells + 1));
    }
    const previousHash = events.at(-1)?.hash ?? CHAIN_START.hash;
    const occurredAt = instant(spec.turned?.(number, at) ?? at);
    const content = { ...event, number: String(number), occurredAt, body, previousHash };
    events.push({ ...content, hash: auditHash(content) });
    if (isEnd || spec.isSigned(number)) sign(number, at + MINUTE_MS / 2);
    if (isEnd) retirements.push(retirementOf(events, era, retirements.at(-1), tellerOf(era)));
  }
  const numbers = [...new Set(records.map((record) => Number(record.number)))];
  const lines = records.map((record) => checkpointLine(record).trimEnd());
  return { events, head: headOf(events), lines, retirements, records, numbers, whole: true };
}

function retirementOf(
  events: readonly AuditRecord[],
  era: number,
  before: Retirement | undefined,
  teller: number,
): Retirement {
  const end = events.at(-1)!;
  return {
    first: (before?.last ?? 0n) + 1n,
    last: BigInt(end.number),
    hash: end.hash,
    logId: events[0]!.hash,
    archive: `era-${era}.jsonl`,
    sha256: String(era).repeat(64).slice(0, 64),
    eventNumber: BigInt(teller),
  };
}

const told = ({ first, last, hash, archive, sha256 }: Retirement) => ({
  ...{ first: first.toString(), last: last.toString() },
  ...{ hash, archive, sha256 },
});

/** What the event of the last of these runs says. */
export const bodyOf = (retirements: readonly Retirement[]): string =>
  JSON.stringify({ ...told(retirements.at(-1)!), anchors: anchorsDigest(retirements) });

/** What the database still has. */
export const liveOf = (log: EraLog): EraLog => {
  const { last } = log.retirements.at(-1)!;
  return { ...log, whole: false, events: log.events.filter(({ number }) => BigInt(number) > last) };
};
