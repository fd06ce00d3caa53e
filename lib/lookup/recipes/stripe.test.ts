import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sample } from '@/lib/testing/described-places';
import { lookupSubject } from '@/lib/testing/lookup-subject-of';
import { recipeTrial, REFUSALS, type RecipeTrial } from '@/lib/testing/shipped-recipe-trial';
import { STRIPE_PAYMENT_INTENT, STRIPE_REFUND } from './stripe';

const account = 'acct_1';
const about = (key = 'K-1', display: Record<string, unknown> = {}) =>
  lookupSubject({
    system: 'stripe',
    account,
    key,
    display: { '/amount': '120.50', '/currency': 'EUR', '/paymentIntent': 'pi_1', ...display },
  });
const error = { error: { type: 'api_error', message: 'no' } };

let payments: RecipeTrial;
let refunds: RecipeTrial;
// The lookups have their own limit of time; the tests of them need none.
vi.setConfig({ testTimeout: 30_000 });
beforeAll(async () => {
  payments = await recipeTrial(STRIPE_PAYMENT_INTENT, { account }, 'stripe', '/v1/payment_intents/search');
  refunds = await recipeTrial(STRIPE_REFUND, { account }, 'stripe', '/v1/refunds');
}, 60_000);
afterAll(async () => {
  await payments.close();
  await refunds.close();
});

const of = (schema: string, change: object): object => ({
  ...(sample(payments.description, { $ref: `#/components/schemas/${schema}` }) as object),
  ...change,
});
const charge = (change: object = {}) =>
  of('charge', {
    amount: 12_050,
    amount_captured: 12_050,
    amount_refunded: 0,
    refunded: false,
    disputed: false,
    paid: true,
    ...change,
  });
const payment = (change: object = {}, ofCharge: object = {}) =>
  of('payment_intent', {
    id: 'pi_1',
    amount: 12_050,
    currency: 'eur',
    status: 'succeeded',
    metadata: { onceover_key: 'K-1' },
    latest_charge: charge(ofCharge),
    ...change,
  });
const refund = (change: object = {}) =>
  of('refund', {
    id: 're_1',
    amount: 12_050,
    currency: 'eur',
    status: 'succeeded',
    metadata: { onceover_key: 'K-1' },
    ...change,
  });
const found = (data: object[], next: string | null = null) => ({
  body: {
    object: 'search_result',
    url: '/v1/payment_intents/search',
    has_more: next !== null,
    next_page: next,
    data,
  },
});
const listed = (data: object[], more = false) => ({
  body: { object: 'list', url: '/v1/refunds', has_more: more, data },
});

describe('stripe-payment-intent', () => {
  it('R-058z asks by the key in the metadata, and expands the charge', async () => {
    payments.system.answer(() => found([payment()]));
    const asked = await payments.ask(about());
    expect(asked).toMatchObject({
      verdict: 'APPLIED',
      finding: { outcome: 'FOUND', resultId: 'pi_1', targetAccount: account },
    });
    expect([...(payments.system.asked.at(-1)?.searchParams ?? [])]).toEqual([
      ['query', 'metadata["onceover_key"]:"K-1"'],
      ['limit', '100'],
      ['expand[]', 'data.latest_charge'],
    ]);
  });

  it('R-058z every status of the description is known, and what went back is no success', async () => {
    const status = async (...change: Parameters<typeof payment>) => {
      payments.system.answer(() => found([payment(...change)]));
      return (await payments.said(about())).slice(1);
    };
    const { status: described } = (
      payments.description.components['schemas']?.['payment_intent'] as {
        properties: { status: { enum: string[] } };
      }
    ).properties;
    const seen = await described.enum.reduce<Promise<unknown[]>>(
      async (before, word) => [
        ...(await before),
        [word, ...(await status({ status: word, latest_charge: word === 'succeeded' ? charge() : null }))],
      ],
      Promise.resolve([]),
    );
    expect(seen).toEqual([
      ['canceled', 'failed', 'NOT_APPLIED'],
      ['processing', 'pending', 'UNDER_WAY'],
      ['requires_action', 'pending', 'UNDER_WAY'],
      ['requires_capture', 'pending', 'UNDER_WAY'],
      ['requires_confirmation', 'pending', 'UNDER_WAY'],
      ['requires_payment_method', 'pending', 'UNDER_WAY'],
      ['succeeded', 'done', 'APPLIED'],
    ]);
    expect(await status({}, { refunded: true, amount_refunded: 12_050 })).toEqual(['reversed', 'UNCLEAR']);
    expect(await status({}, { amount_refunded: 1 })).toEqual(['reversed', 'UNCLEAR']);
    expect(await status({}, { disputed: true })).toEqual(['reversed', 'UNCLEAR']);
    // Not expanded: whether it went back is not shown.
    expect(await status({ latest_charge: 'ch_1' })).toEqual(['UNLISTED_STATUS', 'UNCLEAR']);
  });

  it('R-058z "nothing there" waits as long as the description lets the search be behind', () => {
    const said = payments.description.paths['/v1/payment_intents/search']?.get['x-says'];
    expect(said).toMatch(/propagation of new or updated data can be up\s+to an hour behind/);
    expect(payments.connector.visibilityDelaySeconds).toBe(3_600);
  });

  it('R-058z follows the cursor to the end, and no further than its pages', async () => {
    payments.system.asked.length = 0;
    const other = (id: string) => payment({ id, metadata: { onceover_key: 'K-2' } });
    payments.system.answer((url) => {
      const page = url.searchParams.get('page');
      return page === null
        ? found([other('pi_7')], 'cursor+2')
        : page === 'cursor+2'
          ? found([other('pi_8')], 'cursor/3')
          : found([payment()]);
    });
    expect(await payments.said(about())).toEqual(['FOUND', 'done', 'APPLIED']);
    expect(payments.system.asked.map((url) => url.searchParams.get('page'))).toEqual([
      null,
      'cursor+2',
      'cursor/3',
    ]);
    let page = 0;
    payments.system.answer(() => found([], `cursor${(page += 1)}`));
    expect(await payments.said(about())).toEqual(['INCONCLUSIVE', 'MORE_PAGES', 'UNCLEAR']);
    expect(page).toBe(5);
  });

  it('R-058z nothing, two, another amount or currency, and a key that no phrase can hold', async () => {
    payments.system.answer(() => found([]));
    expect(await payments.said(about())).toEqual(['NOT_FOUND', null, 'NOT_APPLIED']);
    payments.system.answer(() => found([payment(), payment({ id: 'pi_2' })]));
    expect((await payments.said(about()))[0]).toBe('MULTIPLE');
    payments.system.answer(() => found([payment({ amount: 12_051 })]));
    expect((await payments.said(about()))[0]).toBe('MISMATCH');
    payments.system.answer(() => found([payment({ currency: 'usd' })]));
    expect((await payments.said(about()))[0]).toBe('MISMATCH');
    payments.system.asked.length = 0;
    expect(await payments.said(about('K" OR metadata["x"]:"'))).toEqual([
      'INCONCLUSIVE',
      'VALUE_REFUSED',
      'UNCLEAR',
    ]);
    expect(payments.system.asked).toEqual([]);
  });

  it.each(REFUSALS)('R-058z its %i is no answer about the payment', async (status, said) => {
    payments.system.answer(() => ({ status, body: error, headers: { 'retry-after': '9' } }));
    // A Retry-After makes a 403 a request to wait.
    expect(await payments.said(about())).toEqual(
      status === 403 ? ['INACCESSIBLE', 'RATE_LIMITED', 'UNCLEAR'] : said,
    );
    expect((await payments.ask(about())).retryAfterSeconds).toBe(9);
  });
});

describe('stripe-refund', () => {
  it('R-058z goes on after the last refund of a page, and knows them by the key', async () => {
    refunds.system.answer((url) =>
      url.searchParams.get('starting_after') === null
        ? listed([refund({ id: 're_8', metadata: { onceover_key: 'K-2' } })], true)
        : listed([refund()]),
    );
    expect(await refunds.said(about())).toEqual(['FOUND', 'done', 'APPLIED']);
    expect(refunds.system.asked.map((url) => url.search)).toEqual([
      '?payment_intent=pi_1&limit=100',
      '?payment_intent=pi_1&limit=100&starting_after=re_8',
    ]);
  });

  it('R-058z statuses, nothing, and a refund by hand that names no key', async () => {
    const status = async (word: string | null) => {
      refunds.system.answer(() => listed([refund({ status: word })]));
      return (await refunds.said(about())).slice(1);
    };
    expect(await status('pending')).toEqual(['pending', 'UNDER_WAY']);
    expect(await status('requires_action')).toEqual(['pending', 'UNDER_WAY']);
    expect(await status('failed')).toEqual(['failed', 'NOT_APPLIED']);
    expect(await status('canceled')).toEqual(['failed', 'NOT_APPLIED']);
    expect(await status(null)).toEqual(['UNLISTED_STATUS', 'UNCLEAR']);
    refunds.system.answer(() => listed([]));
    expect(await refunds.said(about())).toEqual(['NOT_FOUND', null, 'NOT_APPLIED']);
    refunds.system.answer(() => listed([refund({ metadata: {} })]));
    expect(await refunds.said(about())).toEqual(['INCONCLUSIVE', 'NOT_COMPARABLE', 'UNCLEAR']);
  });

  it.each(REFUSALS)('R-058z its %i is no answer about the refund', async (status, said) => {
    refunds.system.answer(() => ({ status, body: error }));
    expect(await refunds.said(about())).toEqual(said);
  });
});
