import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { DecisionOffer } from '@/lib/domain/decision-offers';
import type { ExceptionView } from '@/lib/domain/exception-view';
import { EXCEPTION_KINDS } from '@/lib/domain/exception-kinds';
import { DECISIONS, type Decision } from '@/lib/domain/decisions';
import { kindsSettledBy } from '@/lib/domain/settled-kinds';
import { visibleLength } from '@/lib/domain/visible-length';
import { contraryScenes } from '@/lib/testing/contrary-scenes';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture, type SeenForm } from '@/lib/testing/desk-fixture';
import { fingerprint, type Json } from '@/lib/testing/ledger-fixture';
import { allowAttempts } from './allow-attempts';
import { confirmKnownResult } from './confirm-known-result';
import { confirmNotApplied } from './confirm-not-applied';
import { declareUnknown } from './declare-unknown';
import type { LookingContext } from './desk-context';
import { extend } from './extend';
import { failFinally } from './fail-finally';
import { keepOriginal } from './keep-original';
import { linkResult } from './link-result';
import { lookUpNow } from './look-up-now';
import { recordKeyRule } from './record-key-rule';
import { requestEffectSettlement } from './request-effect-settlement';
import { requestReissue } from './request-reissue';
import { resumeOperation } from './resume-operation';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let colleague: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  colleague = await desk.desk();
  const short = {
    retention_seconds: 1,
    long_running_seconds: 5,
    claim_within_seconds: 5,
    retry_within_seconds: 5,
  };
  await desk.ledger.policy('quick', { connector_id: 'stub-payments', effect_class: 'REVERSIBLE', ...short });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const target = { system: 'payment', account: 'main' };
const asked = { target, displayFields: { '/amount': '120.50' } };
const look = (exceptionId: string) => lookUpNow(operator, { exceptionId });

/** Every kind of exception as the ledger makes it, with and without evidence; answers the execution. */
const SCENES: Record<string, () => Promise<string>> = {
  ...contraryScenes(() => ({ desk, first: operator, second: colleague })).scenes,
  'unknown, nobody looked': async () => (await desk.unknownPayment()).id,
  'unknown, found': async () => {
    const { id, key, exceptionId } = await desk.unknownPayment();
    desk.answerItems(desk.payment(key));
    await look(exceptionId);
    return id;
  },
  'unknown, found in another account': async () => {
    const { id, key, exceptionId } = await desk.unknownPayment();
    desk.answerItems(desk.payment(key, { account: 'other' }));
    await look(exceptionId);
    return id;
  },
  'unknown, found twice': async () => {
    const { id, key, exceptionId } = await desk.unknownPayment();
    desk.answerItems(desk.payment(key), desk.payment(key, { id: 'PAY-2' }));
    await look(exceptionId);
    return id;
  },
  'unknown, pending outside': async () => {
    const { id, key, exceptionId } = await desk.unknownPayment();
    desk.answerItems(desk.payment(key, { status: 'pending' }));
    await look(exceptionId);
    return id;
  },
  'unknown, absent before the horizon': async () => {
    const { id, exceptionId } = await desk.unknownPayment();
    desk.answerItems();
    await look(exceptionId);
    return id;
  },
  'unknown, absent past the horizon': async () => {
    const { id, exceptionId } = await desk.unknownPayment();
    await db.advanceClock('10 minutes');
    desk.answerItems();
    await look(exceptionId);
    return id;
  },
  'stuck after the effect': async () => {
    const { id } = await desk.ledger.started(randomUUID(), { leaseSeconds: 1, ...asked });
    await db.advanceClock('2 seconds');
    await desk.ledger.sweep();
    return id;
  },
  'stuck before the effect': async () => {
    const claimed = await desk.ledger.claim(randomUUID(), { leaseSeconds: 1, ...asked });
    await db.advanceClock('60 seconds');
    await desk.ledger.sweep();
    return claimed.execution!.executionId;
  },
  'long-running': async () => {
    const { id } = await desk.ledger.started(randomUUID(), {
      leaseSeconds: 600,
      operation: 'quick',
      ...asked,
    });
    await db.advanceClock('10 seconds');
    await desk.ledger.sweep();
    return id;
  },
  unclaimed: async () => {
    const registered = await desk.ledger.register(randomUUID(), { operation: 'quick', ...asked });
    await db.advanceClock('10 seconds');
    await desk.ledger.sweep();
    return registered.execution!.executionId;
  },
  'no attempts left': async () => {
    const key = randomUUID();
    let id = '';
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { execution } = await desk.ledger.claim(key, asked);
      id = execution!.executionId;
      const { fencingToken } = execution!;
      await desk.ledger.report('fail', id, {
        fencingToken,
        retryable: true,
        code: 'X',
        message: 'x',
        basis: 'NOT_SENT',
      });
    }
    await desk.ledger.claim(key, asked);
    return id;
  },
  'other content under a finished key': async () => {
    const key = randomUUID();
    const { id, token } = await desk.ledger.started(key, asked);
    await desk.ledger.report('complete', id, { fencingToken: token, resultId: `R-${key}` });
    await desk.ledger.claim(key, { ...asked, fingerprint: fingerprint('other') });
    return id;
  },
  'late arrival on an expired key with its result': async () => {
    const key = randomUUID();
    const { id, token } = await desk.ledger.started(key, { operation: 'quick', ...asked });
    await desk.ledger.report('complete', id, { fencingToken: token, resultId: `R-${key}` });
    await db.advanceClock('5 seconds');
    await desk.ledger.sweep();
    await desk.ledger.claim(key, { operation: 'quick', ...asked });
    return id;
  },
  'late arrival before the sweep has seen that retention is over': async () => {
    const key = randomUUID();
    const { id, token } = await desk.ledger.started(key, { operation: 'quick', ...asked });
    await desk.ledger.report('complete', id, { fencingToken: token, resultId: `R-${key}` });
    await db.advanceClock('5 seconds');
    await desk.ledger.claim(key, { operation: 'quick', ...asked });
    return id;
  },
  'success reported with another target': async () => {
    const { id, token } = await desk.ledger.started(randomUUID(), asked);
    await desk.ledger.report('complete', id, {
      fencingToken: token,
      resultId: 'R-elsewhere',
      target: { system: 'payment', account: 'other' },
    });
    return id;
  },
};

type Run = (form: SeenForm, offer: DecisionOffer, view: ExceptionView) => Promise<CommandAnswer>;

const stands = (offer: DecisionOffer) => ({ evidenceId: offer.evidenceId ?? randomUUID(), lookAgain: false });
const settlement = {
  outcome: 'APPLIED',
  resultUrl: null,
  businessImpact: 'one customer',
  otherFate: 'NONE',
  compensationId: null,
};

/** What the page sends for each decision. */
const SEND: Record<Decision, Run> = {
  LINK_RESULT: (form, offer) => linkResult(operator, { ...form, ...stands(offer) }),
  CONFIRM_NOT_APPLIED: (form, offer) => confirmNotApplied(operator, { ...form, ...stands(offer) }),
  CONFIRM_KNOWN_RESULT: (form) => confirmKnownResult(operator, form),
  EXTEND: (form) => extend(operator, { ...form, seconds: 600 }),
  DECLARE_UNKNOWN: (form) => declareUnknown(operator, form),
  KEEP_ORIGINAL: (form) => keepOriginal(operator, form),
  ALLOW_ATTEMPTS: (form) => allowAttempts(operator, { ...form, attempts: 2 }),
  RECORD_KEY_RULE: (form) => recordKeyRule(operator, { ...form, acceptUnprotected: false }),
  ACCEPT_UNPROTECTED: (form) => recordKeyRule(operator, { ...form, acceptUnprotected: true }),
  RESUME_OPERATION: (form) => resumeOperation(operator, form),
  SETTLE_EFFECT: (form) =>
    requestEffectSettlement(operator, { ...form, ...settlement, resultId: `R-${form.operationId}` }),
  FINAL_FAILURE: (form) => failFinally(operator, form),
  REQUEST_REISSUE: (form, offer, view) => {
    const relation =
      offer.relations.find((each) => each.refusal === offer.refusal) ?? offer.relations.at(-1)!;
    return requestReissue(operator, {
      ...form,
      relation: relation.relation,
      originalFate: 'never happened',
      intakeId: relation.relation === 'CORRECTION' ? (view.conflicts[0]?.intake.intakeId ?? null) : null,
      evidenceId: relation.evidenceId,
      lookAgain: false,
    });
  },
};

const exceptionOf = async (executionId: string) => {
  const { rows } = await db
    .pool('owner')
    .query<{ exception_id: string }>(
      `select exception_id from review.exceptions where execution_id = $1 and state = 'OPEN' order by opened_at limit 1`,
      [executionId],
    );
  return rows[0]!.exception_id;
};

describe.each(Object.keys(SCENES))('%s', (scene) => {
  it('R-074b R-060f R-060k R-080b every decision comes out as the page said, and callers get what it announced', async () => {
    const first = await desk.seen(operator, await exceptionOf(await SCENES[scene]!()));
    expect(first.view.offers).not.toEqual([]);
    for (const { decision } of first.view.offers) {
      const id = await SCENES[scene]!();
      const { view, form } = await desk.seen(operator, await exceptionOf(id));
      const offer = view.offers.find((each) => each.decision === decision)!;
      const answer = await SEND[decision](form, offer, view);
      const said = offer.refusal ?? (offer.secondPerson ? 'requested' : 'done');
      expect([decision, toldBy(answer, view)]).toEqual([decision, said]);
      if (answer.outcome === 'done') await callersGet(id, view, decision);
    }
  });
});

/** The database says "missing" of the one look that would carry it; the page says what the looks at hand show. */
function toldBy(answer: CommandAnswer, view: ExceptionView): string {
  if (answer.outcome !== 'refused') return answer.outcome;
  const looked = view.evidence.some((each) => each.current);
  return answer.code === 'EVIDENCE_MISSING' && looked ? 'EVIDENCE_SHOWS_OTHERWISE' : answer.code;
}

/** Sends the same key again and compares the answer with what the page announced for this decision. */
async function callersGet(id: string, view: ExceptionView, decision: Decision): Promise<void> {
  const { rows } = await db
    .pool('owner')
    .query<Json & { idempotency_key: string; operation: string; fingerprint: string }>(
      'select idempotency_key, operation, fingerprint from ledger.executions where execution_id = $1',
      [id],
    );
  const { idempotency_key: key, operation, fingerprint: content } = rows[0]!;
  const answer = await desk.ledger.claim(key, { operation, fingerprint: content, target });
  const announced = view.impact.after[decision]!;
  const disposition = answer.code ?? answer.disposition;
  expect([decision, disposition]).toEqual([decision, announced.code]);
  if (announced.resultId !== null)
    expect(answer.execution!['resultId'] ?? answer['resultId']).toBe(announced.resultId);
}

describe('reasons', () => {
  it.each([
    '',
    'ten letters',
    '   padded   ',
    'a\u200bb',
    '\u00a0\u1680\u2000\u200a\u2028\u202f\u205f\u3000',
    '\u202ereversed\u202c',
    '이유는 이렇습니다',
    '\u3164\u3164',
    'two\n\n\nlines',
    '\u{e0041}tag',
    '👩‍👩‍👧 family',
    'e\u0301',
    'x'.repeat(5_000),
  ])('FE-13 R-069a what counts of %j is the same on the page and in the database', async (text) => {
    const { rows } = await db
      .pool('owner')
      .query<{ length: number }>('select review.visible_length($1) as length', [text]);
    expect(visibleLength(text)).toBe(rows[0]!.length);
  });
});

it('R-052 one decision closes on the page’s account what it closes in the database', async () => {
  for (const decision of [...DECISIONS.filter((each) => each !== 'REQUEST_REISSUE'), 'REISSUE'] as const) {
    for (const kind of EXCEPTION_KINDS) {
      const { rows } = await db
        .pool('owner')
        .query<{ kinds: string[] }>('select review.kinds_settled_by($1, $2) as kinds', [decision, kind]);
      expect(new Set(kindsSettledBy(decision, kind)), `${decision} ${kind}`).toEqual(new Set(rows[0]!.kinds));
    }
  }
});
