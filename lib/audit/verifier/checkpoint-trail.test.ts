import { describe, expect, it } from 'vitest';
import { signedLog, signNumbers } from '@/lib/testing/signed-log';
import { makeSigningKey, signingKeyOf, signRecord } from '../signer/signing-key';
import { checkpointDigest, checkpointLine, parseCheckpoint, type CheckpointRecord } from './checkpoint.mjs';
import { CheckpointTrail, type TrailSource } from './checkpoint-trail.mjs';

const [old, next, stranger] = [1, 2, 3].map(() => signingKeyOf(makeSigningKey())) as [Key, Key, Key];
type Key = ReturnType<typeof signingKeyOf>;
const contents = Array.from({ length: 8 }, (_, n) => ({
  actorName: 'P',
  body: `{"n": ${n}}`,
  operation: null,
  actorRoles: [],
}));
const { events } = signedLog(contents, [], old);
const base = signNumbers(events, [2, 4], old);

type Content = Omit<CheckpointRecord, 'signature' | 'newSignature'>;
/** One more record after these, by a key, with some members of its own. */
function after(
  records: CheckpointRecord[],
  key: Key,
  own: Partial<Content> = {},
  newKey?: Key,
): CheckpointRecord[] {
  const last = records.at(-1)!;
  const content: Content = {
    type: 'checkpoint',
    sequence: String(records.length + 1),
    logId: last.logId,
    number: '6',
    hash: events[5]!.hash,
    signedAt: '2026-12-01T00:00:00.000000Z',
    keyId: key.keyId,
    previous: checkpointDigest(last),
    newKey: newKey?.publicKey ?? null,
    revokedKeyId: null,
    revokedAt: null,
    ...own,
  };
  return [...records, signRecord(key, content, newKey)];
}

async function walk(records: CheckpointRecord[], more: Omit<TrailSource, 'lines'> = { keys: null }) {
  const trail = new CheckpointTrail({
    lines: records.map((each) => checkpointLine(each).trimEnd()),
    ...more,
  });
  for (const { number, hash } of events) {
    const fault = await trail.meet({ number: BigInt(number), hash });
    if (fault !== null) return { event: fault };
  }
  return { fault: trail.fault, agreed: trail.agreed?.number };
}
const pin = (key: Key, revokedAt: string | null = null) => [
  { keyId: key.keyId, publicKey: key.publicKey, revokedAt },
];
const rotated = after(base, old, { type: 'rotation' }, next);

describe('the line of checkpoints', () => {
  it('R-087l is followed over a rotation, from the one key that is known', async () => {
    const all = after(rotated, next, { number: '8', hash: events[7]!.hash });
    expect(await walk(all, { keys: pin(old) })).toEqual({ fault: null, agreed: 8n });
    expect(await walk(all)).toEqual({ fault: null, agreed: 8n });
  });

  it.each<[string, CheckpointRecord[], Omit<TrailSource, 'lines'>, object]>([
    [
      'a first key that is not the known one',
      base,
      { keys: pin(stranger) },
      { line: 1, reason: 'KEY_UNKNOWN' },
    ],
    ['a stranger’s checkpoint', after(base, stranger), { keys: null }, { line: 3, reason: 'KEY_UNKNOWN' }],
    [
      'the old key after its rotation',
      after(rotated, old),
      { keys: null },
      { line: 4, reason: 'KEY_RETIRED' },
    ],
    [
      'a checkpoint dated after the key’s revocation, where no rotation is shown',
      after(base, old, { signedAt: '2026-12-02T00:00:00.000000Z' }),
      { keys: pin(old, '2026-12-01T00:00:00.000000Z') },
      { line: 3, reason: 'KEY_REVOKED' },
    ],
    [
      'the same presented alone',
      after(base, old, { signedAt: '2026-12-02T00:00:00.000000Z' }).slice(2),
      { keys: pin(old, '2026-12-01T00:00:00.000000Z'), sparse: true },
      { line: 1, reason: 'KEY_REVOKED' },
    ],
    [
      'a revoked key, in a file that says so itself',
      after(
        after(rotated, next, {
          type: 'revocation',
          revokedKeyId: old.keyId,
          revokedAt: '2026-12-01T00:00:00.000000Z',
        }),
        next,
        { type: 'revocation', revokedKeyId: stranger.keyId, revokedAt: '2026-12-01T00:00:00.000000Z' },
      ),
      { keys: null },
      { line: 5, reason: 'KEY_UNKNOWN' },
    ],
    [
      'a rotation that the new key did not sign',
      [...base, { ...rotated[2]!, newSignature: rotated[2]!.signature }],
      { keys: null },
      { line: 3, reason: 'SIGNATURE' },
    ],
    [
      'a line left out',
      [base[0]!, ...after(base, old).slice(2)],
      { keys: null },
      { line: 2, reason: 'SEQUENCE' },
    ],
    ['a beginning cut off', base.slice(1), { keys: pin(old) }, { line: 1, reason: 'SEQUENCE' }],
    [
      'a line that follows another one',
      after(base, old, { previous: 'c'.repeat(64) }),
      { keys: null },
      { line: 3, reason: 'SEQUENCE' },
    ],
    [
      'another log',
      after(base, old, { logId: 'a'.repeat(64) }),
      { keys: null },
      { line: 3, reason: 'OTHER_LOG' },
    ],
    [
      'fewer events than before',
      after(base, old, { number: '3', hash: events[2]!.hash }),
      { keys: null },
      { line: 3, reason: 'BACKWARDS' },
    ],
    [
      'the same number with another hash',
      after(base, old, { number: '4', hash: events[2]!.hash }),
      { keys: null },
      { line: 3, reason: 'BACKWARDS' },
    ],
  ])('R-087l AU-09 does not believe %s', async (_, records, source, fault) => {
    expect(await walk(records, source)).toMatchObject({ fault });
  });

  it('R-087w AU-22 nor one that is dated before the line before it, by more than clocks differ', async () => {
    const at = base.at(-1)!.signedAt;
    const earlier = (ms: number) => `${new Date(Date.parse(at) - ms).toISOString().slice(0, -1)}000Z`;
    expect(await walk(after(base, old, { signedAt: earlier(299_000) }))).toMatchObject({ fault: null });
    expect(await walk(after(base, old, { signedAt: earlier(301_000) }))).toMatchObject({
      fault: { line: 3, reason: 'EARLIER' },
    });
  });

  it('R-087u a retirement says its whole range, and nothing else says one', () => {
    const [record] = base;
    const retired = {
      ...{
        first: '1',
        last: '4',
        hash: 'a'.repeat(64),
        archive: 'a.jsonl',
        sha256: 'b'.repeat(64),
        keepDays: '400',
      },
    };
    const sealed = { ...base[1]!, type: 'retirement', retired };
    expect(parseCheckpoint(JSON.stringify(sealed))).toEqual(sealed);
    expect(parseCheckpoint(JSON.stringify({ ...sealed, type: 'checkpoint' }))).toBeNull();
    expect(parseCheckpoint(JSON.stringify({ ...record, retired }))).toBeNull();
    expect(parseCheckpoint(JSON.stringify({ ...sealed, retired: undefined }))).toBeNull();
    expect(parseCheckpoint(JSON.stringify({ ...sealed, retired: { ...retired, keepDays: 400 } }))).toBeNull();
    const { archive: _, ...less } = retired;
    expect(parseCheckpoint(JSON.stringify({ ...sealed, retired: less }))).toBeNull();
  });

  it('R-087ac AU-09 the signature covers the tree, and that there is one', async () => {
    const treed = signNumbers(events, [2, 4], old, 0);
    expect(await walk(treed)).toEqual({ fault: null, agreed: 4n });
    const [first, second] = treed as [CheckpointRecord, CheckpointRecord];
    const { tree, ...without } = second;
    for (const changed of [
      without,
      { ...second, tree: { ...tree!, root: 'a'.repeat(64) } },
      { ...second, tree: { ...tree!, size: '1' } },
      { ...second, tree: { ...tree!, since: '2' } },
    ])
      expect(await walk([first, changed])).toMatchObject({ fault: { line: 2, reason: 'SIGNATURE' } });
    expect(await walk([base[0]!, { ...base[1]!, tree: tree! }])).toMatchObject({
      fault: { line: 2, reason: 'SIGNATURE' },
    });
  });

  it('R-087ac a tree has three members of one form each, and a bounded size', () => {
    const [record] = signNumbers(events, [2], old, 0);
    const { tree } = record!;
    const parsed = (own: object | null) => parseCheckpoint(JSON.stringify({ ...record, tree: own }));
    expect(parsed(tree!)).toEqual(record);
    expect(parsed({ ...tree, size: '4096' })).not.toBeNull();
    for (const own of [
      null,
      {},
      { ...tree, more: 1 },
      { ...tree, size: '4097' },
      { ...tree, size: '02' },
      { ...tree, size: 2 },
      { ...tree, since: '0' },
      { ...tree, root: 'A'.repeat(64) },
    ])
      expect(parsed(own)).toBeNull();
  });

  it('R-087m an event that was signed with another hash lies after the last one that agrees', async () => {
    expect(await walk(after(base, old, { hash: 'b'.repeat(64) }))).toEqual({
      event: { number: 5n, reason: 'REWRITTEN' },
    });
  });

  it('R-087m takes nothing for a record that has a member too many, too few or of another form', () => {
    const [record] = base;
    expect(parseCheckpoint(JSON.stringify(record))).toEqual(record);
    expect(parseCheckpoint(JSON.stringify({ ...record, more: 1 }))).toBeNull();
    expect(parseCheckpoint(JSON.stringify({ ...record, number: 2 }))).toBeNull();
    expect(parseCheckpoint(JSON.stringify({ ...record, newKey: null }))).toBeNull();
    expect(parseCheckpoint('[]')).toBeNull();
    expect(parseCheckpoint('')).toBeNull();
  });
});
