-- Who is asking: tenants, people, their sessions, the throttle of sign-ins, one-time sign-in links.
-- Private SQLSTATEs of class OA: OA001 no context, OA002 append-only, OA003 unknown or disabled actor.

-- Refuses a write for which nobody answers. Used as BEFORE trigger on every desk table.
CREATE FUNCTION review.require_context() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF coalesce(current_setting('onceover.actor_kind', true), '') NOT IN ('person', 'system')
     OR coalesce(current_setting('onceover.actor_id', true), '') = ''
     OR coalesce(current_setting('onceover.request_id', true), '') = '' THEN
    RAISE EXCEPTION 'a write to %.% needs an actor and a request', TG_TABLE_SCHEMA, TG_TABLE_NAME
      USING ERRCODE = 'OA001';
  END IF;
  IF TG_LEVEL = 'STATEMENT' THEN
    RETURN NULL;
  ELSIF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  RETURN NEW;
END
$$;

CREATE TABLE review.tenants (
  tenant_id    text PRIMARY KEY CONSTRAINT tenants_id_form CHECK (tenant_id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  display_name text NOT NULL CONSTRAINT tenants_name_given CHECK (btrim(display_name) <> ''),
  -- Shown as fictitious wherever it appears.
  demo         boolean NOT NULL DEFAULT false,
  created_at   timestamptz(6) NOT NULL DEFAULT ledger.clock()
);

-- One row holds all rights of a person, so that FOR SHARE on it is "rights read fresh and held".
CREATE TABLE review.people (
  person_id       uuid PRIMARY KEY DEFAULT ledger.new_id(),
  email           text NOT NULL,
  -- NFKC, lower case, ASCII only: a look-alike of another alphabet cannot be written here at all.
  email_canonical text NOT NULL CONSTRAINT people_email_canonical_key UNIQUE
                  CONSTRAINT people_email_canonical_form
                  CHECK (email_canonical ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*$'
                         AND octet_length(email_canonical) <= 254),
  display_name    text NOT NULL CONSTRAINT people_name_given CHECK (btrim(display_name) <> ''),
  -- argon2id in PHC form; null until the person has chosen one (one-time link).
  password_hash   text CONSTRAINT people_password_is_argon2id CHECK (password_hash LIKE '$argon2id$%'),
  roles           text[] NOT NULL DEFAULT '{}'
                  CONSTRAINT people_roles_known
                  CHECK (roles <@ ARRAY['OPERATOR', 'APPROVER', 'MANAGER', 'ADMIN'] AND array_position(roles, NULL) IS NULL),
  authorities     text[] NOT NULL DEFAULT '{}'
                  CONSTRAINT people_authorities_named
                  CHECK (array_position(authorities, NULL) IS NULL AND array_position(authorities, '') IS NULL),
  tenant_ids      text[] NOT NULL DEFAULT '{}'
                  CONSTRAINT people_tenants_named CHECK (array_position(tenant_ids, NULL) IS NULL),
  -- The person's choice; null follows the browser.
  locale          text CONSTRAINT people_locale_known CHECK (locale IN ('en', 'ko')),
  disabled_at     timestamptz(6),
  version         integer NOT NULL DEFAULT 1,
  created_at      timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  updated_at      timestamptz(6) NOT NULL DEFAULT ledger.clock()
);

-- A row per write: arrays cannot carry a foreign key, and version and time are not the writer's to choose.
CREATE FUNCTION review.people_before_write() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  stranger text;
BEGIN
  SELECT wanted INTO stranger FROM unnest(NEW.tenant_ids) AS wanted
   WHERE NOT EXISTS (SELECT 1 FROM review.tenants t WHERE t.tenant_id = wanted) LIMIT 1;
  IF stranger IS NOT NULL THEN
    RAISE EXCEPTION 'tenant % does not exist', stranger USING ERRCODE = '23503', CONSTRAINT = 'people_tenants_exist';
  END IF;
  IF TG_OP = 'UPDATE' THEN
    NEW.version := OLD.version + 1;
    NEW.updated_at := ledger.clock();
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER people_before_write BEFORE INSERT OR UPDATE ON review.people
  FOR EACH ROW EXECUTE FUNCTION review.people_before_write();

CREATE TABLE review.sessions (
  session_id     uuid PRIMARY KEY DEFAULT ledger.new_id(),
  -- SHA-256 of the random secret in the cookie: reading this table signs nobody in.
  secret_digest  bytea NOT NULL CONSTRAINT sessions_secret_digest_key UNIQUE CHECK (octet_length(secret_digest) = 32),
  person_id      uuid NOT NULL REFERENCES review.people (person_id),
  created_at     timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  last_seen_at   timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  -- The absolute limit; no use of the session moves it.
  expires_at     timestamptz(6) NOT NULL,
  revoked_at     timestamptz(6),
  user_agent     text,
  source_address text
);
CREATE INDEX sessions_person ON review.sessions (person_id, created_at);

-- The throttle's memory. Outsiders can add rows here, so it holds digests of what they typed, never the text.
CREATE TABLE review.sign_in_attempts (
  attempt_id     uuid PRIMARY KEY DEFAULT ledger.new_id(),
  account_digest bytea NOT NULL CHECK (octet_length(account_digest) = 32),
  source_address text NOT NULL,
  outcome        text NOT NULL CONSTRAINT sign_in_attempts_outcome_known CHECK (outcome IN ('PENDING', 'FAILED', 'SUCCEEDED')),
  at             timestamptz(6) NOT NULL DEFAULT ledger.clock()
);
CREATE INDEX sign_in_attempts_account ON review.sign_in_attempts (account_digest, at);
CREATE INDEX sign_in_attempts_source ON review.sign_in_attempts (source_address, at);
CREATE INDEX sign_in_attempts_at ON review.sign_in_attempts (at);

CREATE TABLE review.sign_in_links (
  link_id    uuid PRIMARY KEY DEFAULT ledger.new_id(),
  person_id  uuid NOT NULL REFERENCES review.people (person_id),
  digest     bytea NOT NULL CONSTRAINT sign_in_links_digest_key UNIQUE CHECK (octet_length(digest) = 32),
  created_by text NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  expires_at timestamptz(6) NOT NULL,
  used_at    timestamptz(6)
);
CREATE INDEX sign_in_links_person ON review.sign_in_links (person_id);

-- Last sign of life of each worker process; /api/ready reads it.
CREATE TABLE review.worker_heartbeats (
  worker_id  text PRIMARY KEY,
  started_at timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  seen_at    timestamptz(6) NOT NULL DEFAULT ledger.clock()
);

CREATE TRIGGER tenants_require_context BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON review.tenants
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
CREATE TRIGGER people_require_context BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON review.people
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
-- Not on last_seen_at: touching it is a read's side effect, in a statement of its own.
CREATE TRIGGER sessions_require_context
  BEFORE INSERT OR DELETE OR TRUNCATE OR UPDATE OF secret_digest, person_id, expires_at, revoked_at ON review.sessions
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
CREATE TRIGGER sign_in_links_require_context BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON review.sign_in_links
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();

-- The acting person's rights, fresh and held until the transaction ends: nobody can take them away in between.
-- No row for a system actor; OA003 for a person who is gone or disabled.
CREATE FUNCTION review.held_actor(
  OUT person_id uuid, OUT display_name text, OUT roles text[], OUT authorities text[], OUT tenant_ids text[]
) RETURNS SETOF record
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF coalesce(current_setting('onceover.actor_kind', true), '') <> 'person' THEN
    RETURN;
  END IF;
  RETURN QUERY
    SELECT p.person_id, p.display_name, p.roles, p.authorities, p.tenant_ids
      FROM review.people p
     WHERE p.person_id = current_setting('onceover.actor_id')::uuid AND p.disabled_at IS NULL
       FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the acting person is unknown or disabled' USING ERRCODE = 'OA003';
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION review.held_actor() TO onceover_app, onceover_worker;

-- For /api/ready, which connects as the app: the list itself belongs to the owner.
CREATE FUNCTION review.migrations_are_current(latest text) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN NOT EXISTS (SELECT FROM public._prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL)
     AND (latest IS NULL
          OR EXISTS (SELECT FROM public._prisma_migrations WHERE migration_name = latest AND finished_at IS NOT NULL));
END
$$;
GRANT EXECUTE ON FUNCTION review.migrations_are_current(text) TO onceover_app;

GRANT SELECT ON review.tenants TO onceover_app, onceover_worker;
-- People and their links are made by installation programs, which run as the owner: a page cannot make an account.
GRANT SELECT, UPDATE (password_hash, locale) ON review.people TO onceover_app;
GRANT SELECT (person_id, display_name, roles, authorities, tenant_ids, disabled_at) ON review.people TO onceover_worker;
GRANT SELECT, INSERT, UPDATE (last_seen_at, revoked_at) ON review.sessions TO onceover_app;
GRANT SELECT, INSERT, UPDATE (outcome), DELETE ON review.sign_in_attempts TO onceover_app;
GRANT SELECT, UPDATE (used_at) ON review.sign_in_links TO onceover_app;
GRANT SELECT ON review.worker_heartbeats TO onceover_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON review.worker_heartbeats TO onceover_worker;

-- Single statements outside our transactions get the same limits. Per database and not per role: several databases of
-- one cluster may be migrated at once. A hosted database may not allow it; then only these defaults are missing.
DO $limits$
BEGIN
  EXECUTE format('ALTER ROLE onceover_app IN DATABASE %I SET statement_timeout = ''5s''', current_database());
  EXECUTE format('ALTER ROLE onceover_app IN DATABASE %I SET lock_timeout = ''2s''', current_database());
  EXECUTE format('ALTER ROLE onceover_app IN DATABASE %I SET idle_in_transaction_session_timeout = ''8s''', current_database());
EXCEPTION WHEN insufficient_privilege THEN
  RAISE NOTICE 'no default timeouts for onceover_app: not allowed to alter the role';
END
$limits$;
