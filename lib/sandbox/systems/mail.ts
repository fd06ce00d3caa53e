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
  type Answer,
  type ExternalSystem,
  type Moment,
  type SystemContext,
  type SystemRequest,
} from './external-system';

const messageSchema = z.object({
  account: z.string().min(1).max(100),
  to: z.email(),
  subject: z.string().min(1).max(300),
  text: z.string().max(20_000),
  /** Custom header fields of the message; `X-Reference` makes it findable. */
  headers: z.record(z.string().regex(/^X-[A-Za-z-]{1,60}$/), z.string().max(255)).default({}),
});

const entrySchema = messageSchema.extend({
  ...stampSchema.shape,
  type: z.literal('message'),
  id: z.string(),
});
type Entry = z.infer<typeof entrySchema>;

/** A mail service: whatever is accepted is sent, twice when asked twice. Nothing can be called back. */
export function createMail(context: SystemContext): ExternalSystem {
  const messages = new Map<string, Entry>();

  function shown(entry: Entry): object {
    const { type: _, visibleAt: __, byHand, arrivalId: ___, at, text: ____, ...fields } = entry;
    const url = `${context.address}/messages/${entry.id}`;
    return { ...fields, status: 'sent', sentAt: at, enteredByHand: byHand, url };
  }

  function send(request: SystemRequest, moment: Moment): Answer {
    const body = messageSchema.safeParse(request.body);
    if (!body.success) return invalid(body.error);
    const entry: Entry = { type: 'message', id: makeEffectId('MSG'), ...body.data, ...stampOf(moment) };
    context.append(entry);
    messages.set(entry.id, entry);
    return { status: 202, effectId: entry.id, body: shown(entry) };
  }

  function search(request: SystemRequest, { now }: Moment): Answer {
    const { header, value, account } = request.query;
    if (header === undefined || value === undefined) return refuse('header and value are needed');
    const items = [...messages.values()].filter(
      (entry) =>
        entry.headers[header] === value &&
        (account === undefined || entry.account === account) &&
        isVisible(entry, now),
    );
    return { status: 200, body: { items: items.slice(-50).map(shown) } };
  }

  function read(request: SystemRequest): Answer {
    const id = idOf(request);
    const entry = messages.get(id);
    return entry === undefined ? notFound(id) : { status: 200, body: { ...shown(entry), text: entry.text } };
  }

  return {
    name: 'mail',
    replay: (value) => {
      const entry = entrySchema.parse(value);
      messages.set(entry.id, entry);
    },
    operations: [
      {
        name: 'send-message',
        method: 'POST',
        path: /^\/messages$/,
        changes: true,
        reference: (request) => headerReference(request.body),
        handle: send,
      },
      {
        name: 'search-messages',
        method: 'GET',
        path: /^\/messages$/,
        changes: false,
        reference: (request) => request.query.value ?? null,
        handle: search,
      },
      { name: 'read-message', method: 'GET', path: /^\/messages\/[^/]+$/, changes: false, handle: read },
    ],
  };
}

function headerReference(body: unknown): string | null {
  const parsed = z.object({ headers: z.object({ 'X-Reference': z.string() }) }).safeParse(body);
  return parsed.success ? parsed.data.headers['X-Reference'] : null;
}
