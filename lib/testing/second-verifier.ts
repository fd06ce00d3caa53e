// The verification a second time, in another language: PL/pgSQL with PostgreSQL's own sha256, from exported text alone.
// Written from the description of the format, not from the other two; it shares no line with them.
import type pg from 'pg';
import type { CheckpointRecord } from '@/lib/audit/verifier/checkpoint.mjs';
import type { Retirement } from '@/lib/audit/verifier/retirements.mjs';
import type { AuditRecord } from '@/lib/domain/audit-events';

const FUNCTIONS = String.raw`
create schema if not exists second;
create or replace function second.bytes(b bytea) returns bytea language sql immutable as $$
  select '\x01'::bytea || int4send(octet_length(b)) || b $$;
create or replace function second.part(v text) returns bytea language sql immutable as $$
  select coalesce(second.bytes(convert_to(v, 'UTF8')), '\x00'::bytea) $$;
create or replace function second.hash_of(e jsonb) returns text language plpgsql immutable as $$
declare
  preimage bytea := convert_to('onceover audit event v1', 'UTF8') || '\x00';
  roles bytea := '';
  name text;
begin
  foreach name in array array['number', 'eventId', 'occurredAt', 'event', 'outcome', 'refusalCode', 'actorKind', 'actorId', 'actorName'] loop
    preimage := preimage || second.part(e->>name);
  end loop;
  for name in select value from jsonb_array_elements_text(e->'actorRoles') loop
    roles := roles || second.part(name);
  end loop;
  preimage := preimage || second.bytes(roles);
  foreach name in array array['tenantId', 'exceptionId', 'executionId', 'approvalRequestId', 'operation', 'operationId', 'body',
                              'httpRequestId', 'sourceAddress'] loop
    preimage := preimage || second.part(e->>name);
  end loop;
  begin
    preimage := preimage || second.bytes(decode(e->>'previousHash', 'hex'));
  exception when invalid_parameter_value then
    return 'no hash';
  end;
  return encode(sha256(preimage), 'hex');
end $$;
create or replace function second.bad_text(e jsonb) returns boolean language sql immutable as $$
  select exists (
    select from jsonb_each_text(coalesce(case when e->>'body' like '%"commitments"%' then (e->>'body')::jsonb->'commitments' end, '{}')) c
      full join jsonb_each(case jsonb_typeof(e->'texts') when 'object' then e->'texts' else '{}' end) t using (key)
      where t.value is not null and c.value is distinct from encode(sha256(convert_to('onceover audit text v1', 'UTF8') || '\x00'
        || second.part(key) || second.bytes(decode(t.value->>'salt', 'hex')) || second.part(t.value->>'value')), 'hex')) $$;
create or replace function second.lost_text(events jsonb) returns bigint language sql immutable as $$
  select min(n) from (
    select (e->>'number')::bigint as n, (e->>'number') || '/' || path as id
      from jsonb_array_elements(events) e, jsonb_object_keys(case when e->>'body' like '%"commitments"%' then (e->>'body')::jsonb->'commitments' else '{}' end) path
      where not coalesce(e->'texts' ? path, false)) lost
  where not exists (
    select from jsonb_array_elements(events) e where (e->>'number')::bigint > lost.n
      and case when e->>'event' = 'audit.text_erased' and e->>'outcome' = 'done' then (e->>'body')::jsonb->'texts' ? lost.id else false end) $$;
create or replace function second.tells_of(e jsonb, anchors jsonb) returns boolean language sql immutable as $$
  select coalesce((
    select (e->>'body')::jsonb->>'last' = a->>'last' and (e->>'body')::jsonb->>'sha256' = a->>'sha256'
      and (e->>'body')::jsonb->>'anchors' = encode(sha256(convert_to((
        select string_agg(concat_ws(' ', b->>'first', b->>'last', b->>'hash', b->>'logId', b->>'archive', b->>'sha256', b->>'eventNumber') || chr(10),
          '' order by (b->>'last')::bigint)
        from jsonb_array_elements(anchors) b where (b->>'last')::bigint <= (a->>'last')::bigint), 'UTF8')), 'hex')
    from jsonb_array_elements(anchors) a where a->>'eventNumber' = e->>'number'), false) $$;
create or replace function second.unsealed(checkpoints jsonb, anchors jsonb) returns bigint language sql immutable as $$
  select min((a->>'last')::bigint) from jsonb_array_elements(anchors) a where not exists (
    select from jsonb_array_elements(checkpoints) k where k->>'type' = 'retirement'
      and (select bool_and(k->'retired'->>name = a->>name) from unnest(array['first', 'last', 'hash', 'archive', 'sha256']) name)
      and (k->'retired'->>'keepDays')::int >= 30
      and (k->>'signedAt')::timestamptz - (k->'retired'->>'keepDays')::int * interval '24 hours' >= (
        select min((c->>'signedAt')::timestamptz) from jsonb_array_elements(checkpoints) c
          where c->>'number' = a->>'last' and c->>'hash' = a->>'hash' and c->>'type' <> 'retirement')) $$;
create or replace function second.misdated(events jsonb, checkpoints jsonb) returns bigint language sql immutable as $$
  select min(number) from (
    select (e->>'number')::bigint as number, (e->>'occurredAt')::timestamptz as at,
      lag((e->>'occurredAt')::timestamptz) over (order by (e->>'number')::bigint) as before,
      (select min((c->>'signedAt')::timestamptz) from jsonb_array_elements(checkpoints) c where c->>'number' = e->>'number') as signed
    from jsonb_array_elements(events) e) told
  where at < before - interval '5 minutes' or at > signed + interval '5 minutes' $$;
create or replace function second.first_bad_event(events jsonb, head jsonb, checkpoints jsonb, anchors jsonb, whole boolean) returns bigint language plpgsql as $$
declare
  e jsonb;
  n bigint;
  reached bigint := 0;
  previous text := repeat('0', 64);
  agreed bigint := 0;
  signed text;
  told bigint := 0;
  a jsonb;
begin
  if not whole and jsonb_array_length(anchors) > 0 then
    reached := (anchors->-1->>'last')::bigint;
    previous := anchors->-1->>'hash';
    if not exists (select from jsonb_array_elements(checkpoints) where value->>'number' = reached::text and value->>'hash' = previous) then
      return reached;
    end if;
    agreed := reached;
  end if;
  for e in select value from jsonb_array_elements(events) order by (value->>'number')::bigint loop
    n := (e->>'number')::bigint;
    if n > reached + 1 then return reached + 1; end if;
    if n < reached + 1 or second.hash_of(e) <> e->>'hash' or e->>'previousHash' <> previous or second.bad_text(e) then return n; end if;
    select value->>'hash' into signed from jsonb_array_elements(checkpoints) where (value->>'number')::bigint = n limit 1;
    if e->>'event' = 'audit.retired' and e->>'outcome' = 'done' then
      select value into a from jsonb_array_elements(anchors) where value->>'eventNumber' = e->>'number';
      if not found then return n; end if;
      if not second.tells_of(e, anchors) then return (a->>'last')::bigint; end if;
      told := (a->>'last')::bigint;
    end if;
    if signed <> e->>'hash' then return agreed + 1; end if;
    if signed is not null then agreed := n; end if;
    reached := n;
    previous := e->>'hash';
  end loop;
  if reached < (head->>'number')::bigint then return reached + 1; end if;
  if previous <> head->>'hash' then return reached; end if;
  if second.lost_text(events) is not null then return second.lost_text(events); end if;
  if exists (select from jsonb_array_elements(checkpoints) where (value->>'number')::bigint > reached) then return reached + 1; end if;
  for n, previous in select (value->>'last')::bigint, value->>'first' from jsonb_array_elements(anchors) order by 1 loop
    if n > told or previous::bigint <> 1 + coalesce((select max((value->>'last')::bigint) from jsonb_array_elements(anchors)
        where (value->>'last')::bigint < n), 0) then
      return n;
    end if;
  end loop;
  return null;
end $$;
create or replace function second.first_bad(events jsonb, head jsonb, checkpoints jsonb, anchors jsonb, whole boolean) returns bigint language sql as $$
  select least(second.first_bad_event(events, head, checkpoints, anchors, whole), second.unsealed(checkpoints, anchors)) $$;`;

interface Point {
  number: bigint;
  hash: string;
}

/** What a checkpoint signs; of the ends of retired ranges and the signer's word for them, when. */
type SignedPoint = Point & Partial<Pick<CheckpointRecord, 'type' | 'signedAt' | 'retired'>>;

/** Makes it on a database; as a role that may make schemas there. */
export const installSecondVerifier = (db: pg.Pool): Promise<unknown> => db.query(FUNCTIONS);

const pointOf = (point: Point) => ({ ...point, number: point.number.toString() });

/**
 * The first bad number; null when everything agrees.
 * @param log `retirements`: what the database says has left it; `whole`: the events are there all the same, from archives
 */
export async function secondFirstBad(
  db: pg.Pool,
  log: {
    events: readonly AuditRecord[];
    head: Point;
    checkpoints: readonly SignedPoint[];
    retirements?: readonly Retirement[];
    whole?: boolean;
  },
): Promise<bigint | null> {
  const { rows } = await db.query<{ bad: string | null }>(
    'select second.first_bad($1, $2, $3, $4, $5)::text as bad',
    [
      JSON.stringify(log.events),
      JSON.stringify(pointOf(log.head)),
      JSON.stringify(log.checkpoints.map(pointOf)),
      JSON.stringify(log.retirements ?? [], (_, value: unknown) =>
        typeof value === 'bigint' ? value.toString() : value,
      ),
      log.whole ?? false,
    ],
  );
  const bad = rows[0]?.bad ?? null;
  return bad === null ? null : BigInt(bad);
}

/** The first number that is dated before the one before it, or after it was signed. */
export async function secondMisdated(
  db: pg.Pool,
  events: readonly AuditRecord[],
  checkpoints: readonly SignedPoint[] = [],
): Promise<bigint | null> {
  const { rows } = await db.query<{ bad: string | null }>('select second.misdated($1, $2)::text as bad', [
    JSON.stringify(events),
    JSON.stringify(checkpoints.map(pointOf)),
  ]);
  return rows[0]?.bad == null ? null : BigInt(rows[0].bad);
}

export async function secondHash(db: pg.Pool, event: AuditRecord): Promise<string | undefined> {
  const { rows } = await db.query<{ hash: string }>('select second.hash_of($1) as hash', [
    JSON.stringify(event),
  ]);
  return rows[0]?.hash;
}
