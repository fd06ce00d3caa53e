// What somebody with every right can say that has left a log, and where it must show first.
import { signRecord, type SigningKey } from '@/lib/audit/signer/signing-key';
import { checkpointDigest, checkpointLine } from '@/lib/audit/verifier/checkpoint.mjs';
import type { Retirement } from '@/lib/audit/verifier/retirements.mjs';
import { bodyOf, instant, type EraLog } from './era-log';
import { treeOf } from './merkle-reference';
import { headOf, rehash, type SignedLog } from './signed-log';
import { flip, type Tampered } from './tamperings';

type FalseEra = (log: EraLog, at: number, pick: number, key: SigningKey) => Tampered | null;

const bitOf = (text: string, pick: number) => flip(text, pick, (pick >>> 8) % 4);
const withRow = (log: EraLog, run: number, change: Partial<Retirement>): EraLog => ({
  ...log,
  retirements: log.retirements.with(run, { ...log.retirements[run]!, ...change }),
});
const chosen = ({ retirements }: EraLog, pick: number) => pick % retirements.length;

/** The first event that is there and vouches for a run, with the run that it tells of. */
function teller(
  { retirements, events }: EraLog,
  run: number,
): { number: bigint; tells: Retirement; run: number } {
  const first = BigInt(events[0]?.number ?? 0);
  const at = retirements.findIndex(({ eventNumber }, index) => index >= run && eventNumber >= first);
  return { number: retirements[at]!.eventNumber, tells: retirements[at]!, run: at };
}

/** An event at the end that tells of a run, made as the database would. */
function told(log: EraLog, row: Omit<Retirement, 'eventNumber'>, whole: boolean): SignedLog {
  const eventNumber = log.head.number + 1n;
  const retirements = [...log.retirements, { ...row, eventNumber }];
  const event = { ...log.events.at(-1)!, event: 'audit.retired', texts: null, body: bodyOf(retirements) };
  const [telling] = rehash([event], log.head);
  const events = [...log.events, telling!].filter(({ number }) => whole || BigInt(number) > row.last);
  return { ...log, events, retirements, head: headOf(events) };
}

/** The run that would come next, up to a number. */
const nextRun = (log: EraLog, at: number): Omit<Retirement, 'eventNumber'> => ({
  first: log.retirements.at(-1)!.last + 1n,
  last: BigInt(at),
  hash: log.events.find(({ number }) => number === String(at))!.hash,
  logId: log.retirements[0]!.logId,
  archive: 'false.jsonl',
  sha256: 'f'.repeat(64),
});

/** The signer's word for a run, so many days after what it signed last. */
function sealed(log: EraLog, row: Omit<Retirement, 'eventNumber'>, days: number, key: SigningKey): EraLog {
  const before = log.records.at(-1)!;
  const { first, last, hash, archive, sha256 } = row;
  const record = signRecord(key, {
    ...{ ...before, type: 'retirement', newKey: null, previous: checkpointDigest(before) },
    ...(before.tree && { tree: treeOf([], 0, 0, Number(before.tree.since)) }),
    sequence: String(log.records.length + 1),
    signedAt: instant(Date.parse(before.signedAt) + days * 86_400_000),
    retired: { first: String(first), last: String(last), hash, archive, sha256, keepDays: '30' },
  });
  const lines = [...log.lines, checkpointLine(record).trimEnd()];
  return { ...log, lines, records: [...log.records, record] };
}

/** Whether a further run could end there: it is later than those that left, and the event of the last of them stays. */
const canEnd = ({ whole, retirements }: EraLog, at: number) => {
  const { last, eventNumber } = retirements.at(-1)!;
  return last < BigInt(at) && (whole === true || eventNumber > BigInt(at));
};
const canLeave = (log: EraLog, at: number) => log.numbers.includes(at) && canEnd(log, at);

/** One run more, as it should be. */
export function oneRunMore(log: EraLog, at: number, key: SigningKey): SignedLog | null {
  if (!canLeave(log, at)) return null;
  const row = nextRun(log, at);
  return told(sealed(log, row, 31, key), row, log.whole === true);
}

export const FALSE_ERAS: Record<string, FalseEra> = {
  'one bit of an anchor’s hash': (log, _, pick) => {
    const run = chosen(log, pick);
    const { hash, last } = log.retirements[run]!;
    return { log: withRow(log, run, { hash: bitOf(hash, pick) }), firstBad: last };
  },
  'one bit of what an anchor says of its archive': (log, _, pick) => {
    const run = chosen(log, pick);
    const { sha256, archive, last } = log.retirements[run]!;
    const change = pick % 2 === 0 ? { sha256: bitOf(sha256, pick) } : { archive: bitOf(archive, pick) };
    return { log: withRow(log, run, change), firstBad: last };
  },
  'an anchor of another log': (log, _, pick) => {
    const run = chosen(log, pick);
    const { logId } = log.retirements[run]!;
    return { log: withRow(log, run, { logId: bitOf(logId, pick) }), firstBad: teller(log, run).tells.last };
  },
  'a run that begins elsewhere': (log, _, pick) => {
    const run = chosen(log, pick);
    const { first, last } = log.retirements[run]!;
    return { log: withRow(log, run, { first: first + 1n + BigInt(pick % 3) }), firstBad: last };
  },
  'an anchor taken away': (log, _, pick) => {
    const run = chosen(log, pick);
    const { first } = log.retirements[run]!;
    const isLast = run === log.retirements.length - 1;
    const by = teller(log, run);
    const firstBad = !log.whole && isLast ? first : by.run === run ? by.number : by.tells.last;
    return { log: { ...log, retirements: log.retirements.toSpliced(run, 1) }, firstBad };
  },
  'an anchor that was moved on': (log, at) => {
    if (!canEnd(log, at)) return null;
    const last = BigInt(at);
    const moved = withRow(log, log.retirements.length - 1, { last, hash: nextRun(log, at).hash });
    const events = log.events.filter(({ number }) => log.whole || BigInt(number) > last);
    return { log: { ...moved, events }, firstBad: last };
  },
  'a run that the signer gave no word for': (log, at) =>
    canEnd(log, at) ? { log: told(log, nextRun(log, at), log.whole === true), firstBad: BigInt(at) } : null,
  'a run that no event tells of': (log, at, _, key) => {
    if (!canLeave(log, at)) return null;
    const row = { ...nextRun(log, at), eventNumber: log.head.number + 1n };
    const signed = sealed(log, row, 31, key);
    const events = log.events.filter(({ number }) => log.whole || BigInt(number) > row.last);
    const head = headOf(events, { number: row.last, hash: row.hash });
    return { log: { ...signed, events, head, retirements: [...log.retirements, row] }, firstBad: row.last };
  },
  'a run that the signer let go too early': (log, at, pick, key) => {
    if (!canLeave(log, at)) return null;
    const row = nextRun(log, at);
    return { log: told(sealed(log, row, pick % 29, key), row, log.whole === true), firstBad: BigInt(at) };
  },
  'a run whose archive is not the one that the signer let go': (log, at, pick, key) => {
    if (!canLeave(log, at)) return null;
    const row = nextRun(log, at);
    const change = pick % 2 === 0 ? { sha256: 'e'.repeat(64) } : { archive: 'other.jsonl' };
    const signed = sealed(log, { ...row, ...change }, 31, key);
    return { log: told(signed, row, log.whole === true), firstBad: BigInt(at) };
  },
};
