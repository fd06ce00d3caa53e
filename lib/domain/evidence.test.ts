import { describe, expect, it } from 'vitest';
import {
  evidenceFault,
  findingOfVerdict,
  negativeProofHorizon,
  type Evidence,
  type HorizonInput,
} from './evidence';
import { judgeFinding, PROOFS } from './lookup-verdict';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 29, 12) + seconds * 1000);
const input: HorizonInput = {
  createdAt: at(0),
  firstEffectStartedAt: at(5),
  lastActivityAt: at(5),
  leaseExpiresAt: at(60),
  graceSeconds: 30,
  visibilityDelaySeconds: 20,
  queryableSeconds: null,
};

describe('negativeProofHorizon', () => {
  it('R-064a begins after the lease, the grace and the visibility delay', () => {
    expect(negativeProofHorizon(input).usableFrom).toEqual(new Date(at(60 + 30 + 20).getTime() + 1));
  });

  it('R-064a counts from the last sign of activity where no lease was given', () => {
    const horizon = negativeProofHorizon({ ...input, leaseExpiresAt: null });
    expect(horizon.usableFrom).toEqual(new Date(at(5 + 30 + 20).getTime() + 1));
  });

  it('R-064a an execution that nobody ever claimed has nothing under way but the delay of its creation', () => {
    const horizon = negativeProofHorizon({
      ...input,
      leaseExpiresAt: null,
      lastActivityAt: null,
      firstEffectStartedAt: null,
    });
    expect(horizon.usableFrom).toEqual(new Date(at(20).getTime() + 1));
  });

  it('R-064b ends when the earliest possible effect may have left the system memory', () => {
    expect(negativeProofHorizon(input).usableUntil).toBeNull();
    expect(negativeProofHorizon({ ...input, queryableSeconds: 600 }).usableUntil).toEqual(at(605));
    expect(
      negativeProofHorizon({ ...input, queryableSeconds: 600, firstEffectStartedAt: null }).usableUntil,
    ).toEqual(at(600));
  });
});

const subject = {
  executionId: '0196e7c0-0000-7000-8000-000000000001',
  executionVersion: '4',
  key: 'order-1',
  fingerprint: 'sha256:aa',
  contentVersion: 'v1',
  account: 'north',
};
const evidence: Evidence = {
  ...subject,
  verdict: 'NOT_APPLIED',
  checkedAt: at(120),
  usableFrom: at(110),
  usableUntil: at(600),
};

describe('evidenceFault', () => {
  it('R-060a evidence about another version, key, account or content carries no decision', () => {
    expect(evidenceFault(evidence, subject, at(121), 900)).toBeNull();
    const others = [
      { executionId: '0196e7c0-0000-7000-8000-000000000002' },
      { executionVersion: '5' },
      { key: 'order-2' },
      { fingerprint: 'sha256:bb' },
      { contentVersion: 'v2' },
      { account: 'south' },
      { account: null },
    ];
    for (const other of others) {
      expect(evidenceFault(evidence, { ...subject, ...other }, at(121), 900)).toBe('WRONG_SUBJECT');
    }
  });

  it('R-060b evidence past its age limit carries no decision', () => {
    const lasting = { ...evidence, usableUntil: null };
    expect(evidenceFault(lasting, subject, at(120 + 900), 900)).toBeNull();
    expect(evidenceFault(lasting, subject, new Date(at(120 + 900).getTime() + 1), 900)).toBe('STALE');
    expect(evidenceFault(evidence, subject, at(119), 900)).toBe('NOT_YET_CHECKED');
  });

  it('R-064c "not applied" asked before the horizon stays unusable, also when read after it', () => {
    const early = { ...evidence, checkedAt: new Date(evidence.usableFrom.getTime() - 1) };
    expect(evidenceFault(early, subject, at(130), 900)).toBe('BEFORE_HORIZON');
    expect(evidenceFault({ ...early, checkedAt: early.usableFrom }, subject, at(130), 900)).toBeNull();
  });

  it('R-064d "not there" proves nothing any more once the system may have forgotten', () => {
    expect(evidenceFault(evidence, subject, at(599), 900)).toBeNull();
    expect(evidenceFault(evidence, subject, at(600), 900)).toBe('NO_LONGER_QUERYABLE');
    expect(evidenceFault({ ...evidence, usableUntil: null }, subject, at(600), 900)).toBeNull();
  });

  it('R-064e a found result needs no horizon', () => {
    const found: Evidence = { ...evidence, verdict: 'APPLIED', checkedAt: at(10) };
    expect(evidenceFault(found, subject, at(11), 900)).toBeNull();
  });
});

describe('findingOfVerdict', () => {
  it('R-062a a manual verdict reads back as itself under every proof', () => {
    for (const proof of PROOFS) {
      for (const verdict of ['APPLIED', 'NOT_APPLIED', 'UNDER_WAY', 'UNCLEAR'] as const) {
        expect(judgeFinding(proof, findingOfVerdict(proof, verdict))).toBe(verdict);
      }
    }
  });
});
