import { z } from 'zod';
import { makeEffectId } from './effect-id';
import {
  idOf,
  invalid,
  isVisible,
  notFound,
  refuse,
  stampOf,
  stampSchema,
  textIn,
  type Answer,
  type ExternalSystem,
  type Moment,
  type SystemContext,
  type SystemRequest,
} from './external-system';

/** How long an `Idempotency-Key` is kept: 24 hours, as payment services commonly do. */
const REQUEST_KEY_HOURS = 24;
/** A bank transfer stays pending for a minute, long enough to be seen on a page. */
const TRANSFER_SECONDS = 60;

const paymentSchema = z.object({
  account: z.string().min(1).max(100),
  reference: z.string().min(1).max(255),
  orderNumber: z.string().max(100).optional(),
  amount: z.number().positive(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** `bank-transfer` is pending at first; `expired-card` is refused by the bank. */
  method: z.enum(['card', 'bank-transfer', 'expired-card']).default('card'),
});

const entrySchema = z.discriminatedUnion('type', [
  paymentSchema.extend({
    ...stampSchema.shape,
    type: z.literal('payment'),
    id: z.string(),
    requestKey: z.string().nullable(),
  }),
  stampSchema.extend({ type: z.literal('reversal'), id: z.string() }),
]);
type Entry = z.infer<typeof entrySchema>;
type Payment = Extract<Entry, { type: 'payment' }>;
type PaymentStatus = 'pending' | 'succeeded' | 'failed' | 'reversed';

/** A payment service that honours `Idempotency-Key`: the same key with the same body is the same payment. */
export function createPayments(context: SystemContext): ExternalSystem {
  const payments = new Map<string, Payment>();
  const reversed = new Set<string>();

  function apply(entry: Entry): void {
    if (entry.type === 'payment') payments.set(entry.id, entry);
    else reversed.add(entry.id);
  }

  function commit(entry: Entry): void {
    context.append(entry);
    apply(entry);
  }

  function statusOf(payment: Payment, now: Date): PaymentStatus {
    if (reversed.has(payment.id)) return 'reversed';
    if (payment.method === 'expired-card') return 'failed';
    const settledAt = new Date(payment.at).getTime() + TRANSFER_SECONDS * 1000;
    return payment.method === 'bank-transfer' && now.getTime() < settledAt ? 'pending' : 'succeeded';
  }

  function shown(payment: Payment, now: Date): object {
    const { type: _, visibleAt: __, byHand, arrivalId: ___, at, requestKey, ...fields } = payment;
    const url = `${context.address}/payments/${payment.id}`;
    return {
      ...fields,
      requestKey,
      status: statusOf(payment, now),
      createdAt: at,
      enteredByHand: byHand,
      url,
    };
  }

  function create(request: SystemRequest, moment: Moment): Answer {
    const body = paymentSchema.safeParse(request.body);
    if (!body.success) return invalid(body.error);
    const key = moment.byHand ? null : request.requestKey;
    const earlier = key === null ? undefined : kept(key, moment.now);
    if (earlier !== undefined) return repeated(earlier, body.data, moment.now);
    const id = makeEffectId('PAY');
    const payment: Payment = { type: 'payment', id, requestKey: key, ...body.data, ...stampOf(moment) };
    commit(payment);
    return { status: 201, effectId: id, body: shown(payment, moment.now) };
  }

  function kept(key: string, now: Date): Payment | undefined {
    const oldest = now.getTime() - REQUEST_KEY_HOURS * 3_600_000;
    return [...payments.values()].find(
      (row) => row.requestKey === key && new Date(row.at).getTime() > oldest,
    );
  }

  function repeated(earlier: Payment, asked: z.infer<typeof paymentSchema>, now: Date): Answer {
    const same =
      earlier.account === asked.account &&
      earlier.reference === asked.reference &&
      earlier.amount === asked.amount &&
      earlier.currency === asked.currency &&
      earlier.method === asked.method;
    if (!same) return refuse('the key was used with another body', 'request_key_reused');
    return { status: 200, body: shown(earlier, now), headers: { 'idempotent-replayed': 'true' } };
  }

  function search(request: SystemRequest, { now }: Moment): Answer {
    const { reference, account } = request.query;
    if (reference === undefined) return refuse('reference is needed');
    const items = [...payments.values()].filter(
      (row) =>
        row.reference === reference &&
        (account === undefined || row.account === account) &&
        isVisible(row, now),
    );
    return { status: 200, body: { items: items.slice(-50).map((row) => shown(row, now)) } };
  }

  function read(request: SystemRequest, { now }: Moment): Answer {
    const payment = payments.get(idOf(request));
    return payment === undefined ? notFound(idOf(request)) : { status: 200, body: shown(payment, now) };
  }

  function reverse(request: SystemRequest, moment: Moment): Answer {
    const payment = payments.get(idOf(request));
    if (payment === undefined) return notFound(idOf(request));
    const status = statusOf(payment, moment.now);
    if (status === 'pending' || status === 'failed') return refuse(`a ${status} payment cannot be reversed`);
    if (status === 'succeeded') commit({ type: 'reversal', id: payment.id, ...stampOf(moment) });
    return { status: 200, effectId: payment.id, body: shown(payment, moment.now) };
  }

  return {
    name: 'payment',
    replay: (entry) => apply(entrySchema.parse(entry)),
    operations: [
      {
        name: 'create-payment',
        method: 'POST',
        path: /^\/payments$/,
        changes: true,
        reference: (request) => textIn(request.body, 'reference'),
        handle: create,
      },
      {
        name: 'search-payments',
        method: 'GET',
        path: /^\/payments$/,
        changes: false,
        reference: (request) => request.query.reference ?? null,
        handle: search,
      },
      { name: 'read-payment', method: 'GET', path: /^\/payments\/[^/]+$/, changes: false, handle: read },
      {
        name: 'reverse-payment',
        method: 'POST',
        path: /^\/payments\/[^/]+\/reverse$/,
        changes: true,
        handle: reverse,
      },
    ],
  };
}
