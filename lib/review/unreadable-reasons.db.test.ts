// FE-13: a reason is what somebody can read, for every act that takes two people or ends something.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { rightsForm } from '@/lib/testing/people-forms';
import { policyForm } from '@/lib/testing/policy-forms';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { breakGlass } from './break-glass/break-glass';
import { reviewBreakGlass } from './break-glass/review-break-glass';
import { confirmNotApplied } from './confirm-not-applied';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { failFinally } from './fail-finally';
import { changeRights } from './people/change-rights';
import { proposePolicy } from './policies/propose-policy';
import { requestReissue } from './request-reissue';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let approver: LookingContext;
let admin: LookingContext;
let doubts: DoubtFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk({ authorities: ['money', 'break-glass'] });
  approver = await desk.desk({ roles: ['APPROVER'] });
  admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  doubts = doubtFixture(desk, operator);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** Stands where the least length is; nobody could read a word of the others. */
const REASONS: Readonly<Record<string, string>> = {
  empty: '',
  blanks: ' \t\u00a0\u3000'.repeat(10),
  'zero-width': '\u200b\u200c\u2060\ufeff'.repeat(10),
  'one character': 'x',
  'one character among many that do not show': `\u200b\u200b\u200bx${'\u200d'.repeat(40)}`,
  'bidirectional overrides': '\u202e\u202d\u2066\u2069'.repeat(10),
  'nine letters turned around': `\u202e${'\u2066'.repeat(10)}123456789\u202c`,
  'over the maximum': 'x'.repeat(4_001),
  'over what a form holds': 'x'.repeat(8_001),
};

interface Tried {
  send: (text: string) => Promise<CommandAnswer>;
  operationId: string;
}

async function emergency() {
  const alone = await desk.desk({ authorities: ['money', 'break-glass'] });
  const { requestId, digest } = await doubts.requested(alone);
  const use = { requestId, digest, operationId: randomUUID() };
  return { alone, requestId, use };
}

const ACTS: Readonly<Record<string, () => Promise<Tried>>> = {
  'asking for a new key': async () => {
    const { form } = await doubts.unpaid();
    const wish = { ...form, relation: 'RETRY_AS_NEW', originalFate: 'never', intakeId: null };
    return {
      operationId: form.operationId,
      send: (rationale) => requestReissue(operator, { ...wish, rationale }),
    };
  },
  'asking that nothing happened': async () => {
    const { form } = await doubts.unpaid();
    return {
      operationId: form.operationId,
      send: (rationale) => confirmNotApplied(operator, { ...form, rationale }),
    };
  },
  'failing for good': async () => {
    const { form } = await doubts.unpaid();
    const { evidenceId: _evidence, lookAgain: _again, ...rest } = form;
    return {
      operationId: form.operationId,
      send: (rationale) => failFinally(operator, { ...rest, rationale }),
    };
  },
  approving: async () => {
    const act = (await doubts.requested()).verdict();
    return {
      operationId: act.operationId,
      send: (rationale) => decideRequest(approver, { ...act, rationale }),
    };
  },
  rejecting: async () => {
    const act = (await doubts.requested()).verdict({ verdict: 'REJECT' });
    return {
      operationId: act.operationId,
      send: (rationale) => decideRequest(approver, { ...act, rationale }),
    };
  },
  'acting alone': async () => {
    const { alone, use } = await emergency();
    return { operationId: use.operationId, send: (reason) => breakGlass(alone, { ...use, reason }) };
  },
  'reviewing it': async () => {
    const { alone, requestId, use } = await emergency();
    await breakGlass(alone, { ...use, reason: 'The customer stands at the counter.' });
    const act = { requestId, finding: 'JUSTIFIED', operationId: randomUUID() };
    return {
      operationId: act.operationId,
      send: (rationale) => reviewBreakGlass(approver, { ...act, rationale }),
    };
  },
  'changing a policy': async () => {
    const act = await policyForm(db, { minRationale: 20 }, `pay-${randomUUID()}`);
    return { operationId: act.operationId, send: (reason) => proposePolicy(admin, { ...act, reason }) };
  },
  'changing rights': async () => {
    const { personId } = (await desk.desk()).actor;
    const act = await rightsForm(db, personId, { roles: ['MANAGER'] });
    return { operationId: act.operationId, send: (reason) => changeRights(admin, { ...act, reason }) };
  },
};

describe.each(Object.keys(ACTS))('%s', (name) => {
  it('FE-13 R-069a takes no reason that shows too little or too much, and is done with one that says something', async () => {
    const { send, operationId } = await ACTS[name]!();
    const before = await desk.everything();
    for (const [what, text] of Object.entries(REASONS))
      expect(await send(text), what).toMatchObject({
        outcome: 'refused',
        code: expect.stringMatching(/^(RATIONALE_LENGTH|RATIONALE_SHORT|INVALID_INPUT)$/),
      });
    const after = await desk.everything();
    expect({ ...after, 'review.audit_events': null }).toEqual({ ...before, 'review.audit_events': null });
    const refused = await desk.audit({ operationId });
    expect(refused.length).toBeGreaterThanOrEqual(Object.keys(REASONS).length - 1);
    expect(refused.every(({ outcome }) => outcome === 'refused')).toBe(true);
    expect((await send('It was looked for, line by line, and is not there.')).outcome).toMatch(
      /^(done|requested)$/,
    );
  });
});
