import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { lookupSubject } from '@/lib/testing/lookup-subject-of';
import { recipeTrial, REFUSALS, type RecipeTrial } from '@/lib/testing/shipped-recipe-trial';
import { SENDGRID_MESSAGE } from './sendgrid';

const about = lookupSubject({
  system: 'sendgrid',
  account: 'acme-mail',
  key: 'K-1',
  resultId: 'filter0307p1las1',
  display: { '/to': 'Kim@Example.com', '/subject': 'Your receipt' },
});
let trial: RecipeTrial;
// The lookups have their own limit of time; the tests of them need none.
vi.setConfig({ testTimeout: 30_000 });
beforeAll(async () => {
  trial = await recipeTrial(SENDGRID_MESSAGE, { account: 'acme-mail' }, 'sendgrid', '/messages/{msg_id}');
}, 60_000);
afterAll(() => trial.close());

const message = (change: object = {}) => ({
  msg_id: 'filter0307p1las1',
  from_email: 'shop@example.com',
  to_email: 'kim@example.com',
  subject: 'Your receipt',
  status: 'delivered',
  unique_args: '{"onceover_key":"K-1"}',
  template_id: '0b1f6c0e-6f3a-4f6e-9f55-0a8a7b6c5d4e',
  asm_group_id: 1,
  teammate: '',
  api_key_id: 'abc',
  events: [],
  categories: [],
  originating_ip: '192.0.2.1',
  outbound_ip: '192.0.2.2',
  outbound_ip_type: 'shared',
  ...change,
});
const said = async (change: object = {}) => {
  trial.system.answer(() => ({ body: message(change) }));
  return trial.said(about);
};

describe('sendgrid-message', () => {
  it('R-058z what became of the message that the executor named', async () => {
    expect(await said()).toEqual(['FOUND', 'done', 'APPLIED']);
    expect(trial.system.asked.at(-1)?.pathname).toBe('/v3/messages/filter0307p1las1');
    expect(await said({ status: 'processed' })).toEqual(['FOUND', 'pending', 'UNDER_WAY']);
    expect(await said({ status: 'not delivered' })).toEqual(['FOUND', 'failed', 'NOT_APPLIED']);
  });

  it("R-058z another receiver, another subject, and another request's message are no match", async () => {
    expect((await said({ to_email: 'lee@example.com' }))[0]).toBe('MISMATCH');
    expect((await said({ subject: 'Your order' }))[0]).toBe('MISMATCH');
    expect((await said({ unique_args: '{"onceover_key":"K-12"}' }))[0]).toBe('MISMATCH');
    expect((await said({ unique_args: 'Null' }))[0]).toBe('MISMATCH');
  });

  it('R-058z without the id of a message nothing is asked', async () => {
    const nameless = { ...about, question: { ...about.question, resultId: null } };
    expect(await trial.said(nameless)).toEqual(['INCONCLUSIVE', 'VALUE_MISSING', 'UNCLEAR']);
  });

  it.each(REFUSALS.filter(([status]) => status === 404 || status === 429))(
    'R-058z its %i is no answer about the message',
    async (status, refusal) => {
      trial.system.answer(() => ({ status, body: { errors: [{ message: 'no' }] } }));
      expect(await trial.said(about)).toEqual(refusal);
    },
  );
});
