-- Schemas, database roles, the ledger's clock and its identifiers.
-- Roles are cluster-wide while migrations are per database, so each is made only when missing.

DO $roles$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['onceover_app', 'onceover_worker', 'onceover_signer', 'onceover_producer'] LOOP
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = wanted) THEN
        EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
      END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL; -- a second instance migrating another database made it in between
    END;
  END LOOP;
END
$roles$;

CREATE SCHEMA IF NOT EXISTS ledger;
CREATE SCHEMA IF NOT EXISTS review;

REVOKE ALL ON SCHEMA ledger, review FROM PUBLIC;
GRANT USAGE ON SCHEMA ledger TO onceover_app, onceover_worker, onceover_signer, onceover_producer;
GRANT USAGE ON SCHEMA review TO onceover_app, onceover_worker, onceover_signer;

-- Nothing we create is open to everybody by default: each grant below is a decision.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

-- The only clock of the ledger and the desk. clock_timestamp() and not now(): a lease computed from the start of a
-- long transaction would already be over when it is written. Test databases replace this function.
CREATE FUNCTION ledger.clock() RETURNS timestamptz
LANGUAGE sql VOLATILE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT clock_timestamp() $$;
GRANT EXECUTE ON FUNCTION ledger.clock() TO PUBLIC;

-- UUID version 7 (RFC 9562): 48 bits of Unix milliseconds, then random bits, so that new rows land at the end of
-- their index. PostgreSQL has uuidv7() only from 18 on.
CREATE FUNCTION ledger.new_id() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
              PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
              FROM 1 FOR 6),
      52, 1), 53, 1), 'hex')::uuid
$$;
GRANT EXECUTE ON FUNCTION ledger.new_id() TO PUBLIC;
