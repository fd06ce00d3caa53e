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

const recordSchema = z.object({
  externalReference: z.string().min(1).max(255),
  account: z.string().min(1).max(100),
  name: z.string().min(1).max(200),
  amount: z.number().optional(),
  currency: z.string().optional(),
  note: z.string().optional(),
});

const entrySchema = z.discriminatedUnion('type', [
  recordSchema.extend({ ...stampSchema.shape, type: z.literal('record'), id: z.string() }),
  stampSchema.extend({ type: z.literal('deletion'), id: z.string() }),
]);
type Entry = z.infer<typeof entrySchema>;
interface Row {
  record: Extract<Entry, { type: 'record' }>;
  deletion?: Extract<Entry, { type: 'deletion' }>;
}

/** A CRM that knows no request keys: the same request twice makes two records. Deletions are proven by absence. */
export function createCrm(context: SystemContext): ExternalSystem {
  const rows = new Map<string, Row>();

  function apply(entry: Entry): void {
    if (entry.type === 'record') rows.set(entry.id, { record: entry });
    else {
      const row = rows.get(entry.id);
      if (row !== undefined) row.deletion = entry;
    }
  }

  function commit(entry: Entry): void {
    context.append(entry);
    apply(entry);
  }

  function shown({ record }: Row): object {
    const { type: _, visibleAt: __, byHand, arrivalId: ___, at, ...fields } = record;
    const url = `${context.address}/records/${record.id}`;
    return { ...fields, status: 'active', createdAt: at, enteredByHand: byHand, url };
  }

  function create(request: SystemRequest, moment: Moment): Answer {
    const body = recordSchema.safeParse(request.body);
    if (!body.success) return invalid(body.error);
    const record: Row['record'] = {
      type: 'record',
      id: makeEffectId('CRM'),
      ...body.data,
      ...stampOf(moment),
    };
    commit(record);
    return { status: 201, effectId: record.id, body: shown({ record }) };
  }

  function remove(request: SystemRequest, moment: Moment): Answer {
    const id = idOf(request);
    const row = rows.get(id);
    if (row === undefined || row.deletion !== undefined) return notFound(id);
    commit({ type: 'deletion', id, ...stampOf(moment) });
    return { status: 200, effectId: id, body: { id, deleted: true } };
  }

  function search(request: SystemRequest, { now }: Moment): Answer {
    const { external_reference: reference, account } = request.query;
    if (reference === undefined && account === undefined)
      return refuse('external_reference or account is needed');
    const items = [...rows.values()].filter(
      ({ record, deletion }) =>
        (reference === undefined || record.externalReference === reference) &&
        (account === undefined || record.account === account) &&
        isVisible(record, now) &&
        (deletion === undefined || !isVisible(deletion, now)),
    );
    return { status: 200, body: { items: items.slice(-50).map(shown) } };
  }

  function read(request: SystemRequest): Answer {
    const id = idOf(request);
    const row = rows.get(id);
    return row === undefined || row.deletion !== undefined ? notFound(id) : { status: 200, body: shown(row) };
  }

  return {
    name: 'crm',
    replay: (entry) => apply(entrySchema.parse(entry)),
    operations: [
      {
        name: 'create-record',
        method: 'POST',
        path: /^\/records$/,
        changes: true,
        reference: (request) => textIn(request.body, 'externalReference'),
        handle: create,
      },
      {
        name: 'search-records',
        method: 'GET',
        path: /^\/records$/,
        changes: false,
        reference: (request) => request.query.external_reference ?? null,
        handle: search,
      },
      { name: 'read-record', method: 'GET', path: /^\/records\/[^/]+$/, changes: false, handle: read },
      { name: 'delete-record', method: 'DELETE', path: /^\/records\/[^/]+$/, changes: true, handle: remove },
    ],
  };
}
