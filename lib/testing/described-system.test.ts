import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { STRIPE_PAYMENT_INTENT } from '@/lib/lookup/recipes/stripe';
import { fillRecipe } from '@/lib/lookup/recipes/shipped-recipe';
import { undescribed } from './described-places';
import { describedSystem, type DescribedSystem } from './described-system';
import { readDescription } from './description';

// Who judges recipes has to notice what is wrong with one.
let system: DescribedSystem;
beforeAll(async () => {
  system = await describedSystem('stripe', (header) => header === 'Bearer t');
}, 60_000);
afterAll(() => system.close());
beforeEach(() => {
  system.faults.length = 0;
  system.answer(() => ({ body: { object: 'list', url: '/v1/refunds', has_more: false, data: [] } }));
});

const get = async (path: string, authorization = 'Bearer t') => {
  await fetch(`${system.at('https://api.stripe.com/')}${path}`, { headers: { authorization } });
  return [...system.faults];
};

describe('describedSystem', () => {
  it('finds nothing wrong with what the description has', async () => {
    expect(await get('/v1/refunds?payment_intent=pi_1&limit=3&expand%5B%5D=data.charge')).toEqual([]);
  });

  it.each([
    ['another path', '/v1/repayments', 'Bearer t', /no path/],
    ['a parameter that it does not have', '/v1/refunds?metadata=x', 'Bearer t', /metadata is no parameter/],
    ['a value of another type', '/v1/refunds?limit=many', 'Bearer t', /limit=many/],
    ['a missing parameter', '/v1/payment_intents/search', 'Bearer t', /query is missing/],
    ['another way to say who asks', '/v1/refunds', 'Digest t', /no security scheme/],
  ])('names %s', async (_what, path, authorization, fault) => {
    expect((await get(path, authorization)).join()).toMatch(fault);
  });

  it('names an answer that the description does not give', async () => {
    system.answer(() => ({ body: { object: 'list', url: '/v1/refunds', data: [] } }));
    expect((await get('/v1/refunds')).join()).toMatch(/has_more/);
    system.answer(() => ({ status: 404, body: { message: 'no' } }));
    expect((await get('/v1/refunds')).join()).toMatch(/404.*error/);
    expect(system.at('https://api.stripe.example/')).toContain('127.0.0.1');
    expect(system.faults.join()).toMatch(/no server/);
  });

  it('names places and words that no answer has', () => {
    const filled = fillRecipe(STRIPE_PAYMENT_INTENT, { account: 'a' });
    if (!filled.ok || filled.connector.kind !== 'http') throw new Error('not filled');
    const { connector } = filled;
    const judged = (change: object) =>
      undescribed(readDescription('stripe'), '/v1/payment_intents/search', { ...connector, ...change });
    expect(judged({})).toEqual([]);
    expect(judged({ items: '/items' }).length).toBeGreaterThan(0);
    expect(judged({ moreAt: '/more' })).toEqual(['/more']);
    expect(judged({ fields: { id: '/uid' } })).toEqual(['/data/0/uid']);
    expect(judged({ statusRules: [{ ...connector.statusRules[0]!, is: ['cancelled'] }] })).toEqual([
      'cancelled at /data/0/status',
    ]);
  });
});
