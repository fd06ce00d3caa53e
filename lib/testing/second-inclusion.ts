// Trees and ways a second time, in PL/pgSQL: by the definitions of RFC 9162 and by recursion, over parsed lines of a file.
// Signatures are not its matter; it stands on the functions of the second verifier.
import type pg from 'pg';

const FUNCTIONS = String.raw`
create or replace function second.entry(n text, hash text) returns bytea language sql immutable as $$
  select int8send(n::bigint) || decode(hash, 'hex') $$;
create or replace function second.split(size bigint) returns bigint language plpgsql immutable as $$
declare k bigint := 1;
begin
  while k * 2 < size loop k := k * 2; end loop;
  return k;
end $$;
create or replace function second.tree(entries bytea[]) returns bytea language plpgsql immutable as $$
declare
  n int := coalesce(array_length(entries, 1), 0);
  k int;
begin
  if n = 0 then return sha256(''); end if;
  if n = 1 then return sha256('\x00'::bytea || entries[1]); end if;
  k := second.split(n);
  return sha256('\x01'::bytea || second.tree(entries[1:k]) || second.tree(entries[k + 1:n]));
end $$;
create or replace function second.above(leaf bytea, at bigint, size bigint, path text[]) returns bytea language plpgsql immutable as $$
declare
  n int := coalesce(array_length(path, 1), 0);
  k bigint;
  beside bytea;
begin
  if at < 0 or at >= size or (size = 1) <> (n = 0) then return null; end if;
  if n = 0 then return leaf; end if;
  if path[n] !~ '^[0-9a-f]{64}$' then return null; end if;
  k := second.split(size);
  beside := decode(path[n], 'hex');
  if at < k then return sha256('\x01'::bytea || second.above(leaf, at, k, path[1:n - 1]) || beside); end if;
  return sha256('\x01'::bytea || beside || second.above(leaf, at - k, size - k, path[1:n - 1]));
end $$;
create or replace function second.bad_tree(events jsonb, records jsonb) returns bigint language plpgsql as $$
declare
  r jsonb;
  since text;
  reached bigint := 0;
  entries bytea[];
begin
  for r in select value from jsonb_array_elements(records) order by (value->>'sequence')::bigint loop
    if r ? 'tree' then
      since := coalesce(since, (reached + 1)::text);
      select array_agg(second.entry(value->>'number', value->>'hash') order by (value->>'number')::bigint) into entries
        from jsonb_array_elements(events) where (value->>'number')::bigint between reached + 1 and (r->>'number')::bigint;
      if r->'tree'->>'since' <> since or (r->'tree'->>'size')::bigint <> (r->>'number')::bigint - reached
          or (coalesce(array_length(entries, 1), 0) = (r->'tree'->>'size')::bigint
            and encode(second.tree(entries), 'hex') <> r->'tree'->>'root') then
        return (r->>'sequence')::bigint;
      end if;
    elsif since is not null then
      return (r->>'sequence')::bigint;
    end if;
    reached := (r->>'number')::bigint;
  end loop;
  return null;
end $$;
create or replace function second.is_proven(e jsonb, records jsonb) returns boolean language sql immutable as $$
  select exists (
    select from jsonb_array_elements(records) r where r->>'number' = e->'inclusion'->>'checkpoint'
      and r->'tree'->>'size' = e->'inclusion'->>'size'
      and (e->>'number')::bigint = (r->>'number')::bigint - (r->'tree'->>'size')::bigint + 1 + (e->'inclusion'->>'index')::bigint
      and r->'tree'->>'root' = encode(second.above(sha256('\x00'::bytea || second.entry(e->>'number', e->>'hash')),
        (e->'inclusion'->>'index')::bigint, (e->'inclusion'->>'size')::bigint,
        array(select jsonb_array_elements_text(e->'inclusion'->'path'))), 'hex')) $$;
create or replace function second.is_led(n bigint, events jsonb, records jsonb) returns boolean language sql immutable as $$
  select exists (
    select from jsonb_array_elements(records) r where (r->>'number')::bigint >= n
      and (select count(*) from jsonb_array_elements(events) where (value->>'number')::bigint between n and (r->>'number')::bigint)
        = (r->>'number')::bigint - n + 1) $$;
create or replace function second.bad_export(lines jsonb) returns bigint language plpgsql as $$
declare
  events jsonb := (select coalesce(jsonb_agg(value order by ordinality), '[]') from jsonb_array_elements(lines) with ordinality where value->>'type' = 'event');
  records jsonb := (select coalesce(jsonb_agg(value order by ordinality), '[]') from jsonb_array_elements(lines) with ordinality where value ? 'keyId');
  since bigint := (select min((value->'tree'->>'since')::bigint) from jsonb_array_elements(records));
  newest bigint := (select max((value->>'number')::bigint) from jsonb_array_elements(records) where value ? 'tree');
  e jsonb;
  before jsonb;
begin
  if exists (select from jsonb_array_elements(records) where (value->>'number')::bigint >= since and not value ? 'tree'
      or (value->'tree'->>'since')::bigint <> since) then
    return 0;
  end if;
  for e in select value from jsonb_array_elements(events) loop
    if (e->>'number')::bigint <= (before->>'number')::bigint or second.hash_of(e) <> e->>'hash' or second.bad_text(e)
        or ((e->>'number')::bigint = (before->>'number')::bigint + 1 and e->>'previousHash' <> before->>'hash')
        or exists (select from jsonb_array_elements(records) where value->>'number' = e->>'number' and value->>'hash' <> e->>'hash') then
      return (e->>'number')::bigint;
    end if;
    before := e;
  end loop;
  for e in select value from jsonb_array_elements(events) loop
    if (case when jsonb_typeof(e->'inclusion') = 'object' then not second.is_proven(e, records)
        else (e->>'number')::bigint between since and newest and not second.is_led((e->>'number')::bigint, events, records) end) then
      return (e->>'number')::bigint;
    end if;
  end loop;
  return null;
end $$;`;

/** Beside the second verifier, on the same database. */
export const installSecondInclusion = (db: pg.Pool): Promise<unknown> => db.query(FUNCTIONS);

/** The sequence of the first record whose tree is not over the events since the one before it; null when all are. */
export async function secondBadTree(
  db: pg.Pool,
  events: readonly object[],
  records: readonly object[],
): Promise<bigint | null> {
  const { rows } = await db.query<{ bad: string | null }>('select second.bad_tree($1, $2)::text as bad', [
    JSON.stringify(events),
    JSON.stringify(records),
  ]);
  return rows[0]?.bad == null ? null : BigInt(rows[0].bad);
}

/** The first number of an exported file that is not what was recorded and signed; 0 for its records, null when all agrees. */
export async function secondBadExport(db: pg.Pool, lines: readonly string[]): Promise<bigint | null> {
  const { rows } = await db.query<{ bad: string | null }>('select second.bad_export($1)::text as bad', [
    `[${lines.join(',')}]`,
  ]);
  return rows[0]?.bad == null ? null : BigInt(rows[0].bad);
}
