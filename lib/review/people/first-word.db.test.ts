// What takes two: the first word counts only as long as whoever gave it may give it, up to the moment of the second.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { breakGlass } from '@/lib/review/break-glass/break-glass';
import { decideConnector } from '@/lib/review/connectors/decide-connector';
import { proposeConnector } from '@/lib/review/connectors/propose-connector';
import type { LookingContext } from '@/lib/review/desk-context';
import { decidePolicy } from '@/lib/review/policies/decide-policy';
import { proposePolicy } from '@/lib/review/policies/propose-policy';
import { connectorForm, connectorVerdict } from '@/lib/testing/connector-forms';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import type { Json } from '@/lib/testing/ledger-fixture';
import { calling, overtaken } from '@/lib/testing/overtaking';
import { grantForm, REASON, rightsForm } from '@/lib/testing/people-forms';
import { policyForm, waitingProposal } from '@/lib/testing/policy-forms';
import { changeRights } from './change-rights';
import { decideGrant } from './decide-grant';

let db: TestDatabase;
let desk: DeskFixture;
let first: LookingContext;
let second: LookingContext;
let third: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  second = await desk.desk({ roles: ['ADMIN', 'OPERATOR'], authorities: ['money', 'break-glass'] });
  third = await desk.desk({ roles: ['ADMIN'], authorities: [] });
});
beforeEach(async () => {
  first = await desk.desk({ roles: ['ADMIN', 'OPERATOR'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

interface TwoWords {
  what: string;
  /** The SQL function of the second word, and the event of what it does. */
  name: string;
  event: string;
  /** The answer once the first word counts no more. */
  code: string;
  /** Says the first word and makes the second one's form. */
  ask: () => Promise<Json>;
  say: (form: Json) => Promise<unknown>;
}

const WORDS: readonly TwoWords[] = [
  {
    ...{ what: 'a right', name: 'decide_grant', event: 'people.grant_confirmed' },
    code: 'REQUESTER_NOT_ENTITLED',
    ask: async () => {
      const { actor } = await desk.desk({ roles: ['OPERATOR'], authorities: [] });
      const wish = await rightsForm(db, actor.personId, { roles: ['OPERATOR', 'APPROVER'] });
      expect(await changeRights(first, wish)).toMatchObject({ outcome: 'done' });
      return grantForm(db, actor.personId, 'CONFIRM');
    },
    say: (form) => decideGrant(second, form),
  },
  {
    ...{ what: 'an approval policy', name: 'decide_policy', event: 'policy.changed' },
    code: 'REQUESTER_NOT_ENTITLED',
    ask: async () => {
      const operation = `operation-${randomUUID()}`;
      const wish = await policyForm(db, { minRationale: 33 }, operation);
      expect(await proposePolicy(first, wish)).toMatchObject({ outcome: 'done' });
      const proposalId = await waitingProposal(db, operation);
      return { proposalId, verdict: 'CONFIRM', reason: REASON, operationId: randomUUID() };
    },
    say: (form) => decidePolicy(second, form),
  },
  {
    ...{ what: 'a connector', name: 'decide_connector', event: 'connector.changed' },
    code: 'REQUESTER_NOT_ENTITLED',
    ask: async () => {
      const id = `crm-${randomUUID()}`;
      expect(await proposeConnector(first, await connectorForm(db, id))).toMatchObject({ outcome: 'done' });
      return connectorVerdict(db, id);
    },
    say: (form) => decideConnector(second, form),
  },
  {
    ...{ what: 'a new key in an emergency', name: 'break_glass', event: 'break_glass.used' },
    code: 'CHANGED_SINCE_SEEN',
    ask: async () => {
      const { requestId, digest } = await doubtFixture(desk, first).requested();
      const reason = 'The customer stands at the counter and no approver answers.';
      return { requestId, digest, reason, operationId: randomUUID() };
    },
    say: (form) => breakGlass(second, form),
  },
];

const events = async (since: string, event: string) =>
  (
    await db.pool('owner').query<{ event: string }>(
      `select event from review.audit_events
       where number > $1 and outcome = 'done' and event in ('people.rights_changed', $2) order by number`,
      [since, event],
    )
  ).rows.map((row) => row.event);
const head = async () =>
  (
    await db
      .pool('owner')
      .query<{ head: string }>('select max(number)::text as head from review.audit_events')
  ).rows[0]!.head;
const demotion = () => rightsForm(db, first.actor.personId, { roles: [], authorities: [] });

describe.each(WORDS)('$what', ({ name, event, code, ask, say }) => {
  it('FE-07 R-078n whoever gave the first word is demoted first: the second one finds it gone', async () => {
    const form = await ask();
    const from = await head();
    const late = await overtaken(db, third, calling('change_rights', await demotion()), () => say(form));
    expect(late).toMatchObject({ outcome: 'refused', code });
    expect(await events(from, event)).toEqual(['people.rights_changed']);
  });

  it('FE-07 R-078n the second word came first: the demotion waits for it', async () => {
    const form = await ask();
    const from = await head();
    const taken = await demotion();
    const late = await overtaken(db, second, calling(name, form), () => changeRights(third, taken));
    expect(late).toMatchObject({ outcome: 'done' });
    expect(await events(from, event)).toEqual([event, 'people.rights_changed']);
  });
});
