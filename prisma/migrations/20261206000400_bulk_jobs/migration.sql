-- R-053 One act for many exceptions as a stored job: which exceptions, in which version they were seen, is frozen when it is prepared;
-- each row has one outcome. What the job may become, and that its sums agree, is kept here for every writer.

INSERT INTO review.audit_event_types (event, app_outcomes) VALUES
  ('bulk.prepared', '{refused}'), ('bulk.started', '{refused}'), ('bulk.paused', '{refused}'), ('bulk.resumed', '{refused}'),
  ('bulk.aborted', '{refused}'), ('bulk.rate_changed', '{refused}'), ('bulk.finished', '{}'), ('bulk.exported', '{refused,done}');

CREATE TABLE review.bulk_jobs (
  job_id          uuid PRIMARY KEY DEFAULT ledger.new_id(),
  tenant_id       text NOT NULL REFERENCES review.tenants (tenant_id),
  -- Never a reissue: a new key is asked for one by one.
  act             text NOT NULL CHECK (act IN ('assign', 'defer', 'look-up', 'link')),
  -- What every row is told: whom, or when and where. What people wrote of it goes with the job's end.
  params          jsonb NOT NULL CHECK (jsonb_typeof(params) = 'object' AND pg_column_size(params) <= 65536),
  -- The queue's address without its search words; null: rows were chosen by hand, or are another job's.
  filter          text CHECK (length(filter) <= 4000),
  words           text CHECK (length(words) <= 400),
  -- How many the filter found; more than the rows where the cap cut them.
  matched         integer NOT NULL,
  retry_of        uuid REFERENCES review.bulk_jobs (job_id),
  row_count       integer NOT NULL CHECK (row_count BETWEEN 1 AND 10000),
  -- Kept by the rows' own trigger: each row is in exactly one of them, at every moment.
  pending         integer NOT NULL,
  done            integer NOT NULL DEFAULT 0,
  refused         integer NOT NULL DEFAULT 0,
  failed          integer NOT NULL DEFAULT 0,
  state           text NOT NULL DEFAULT 'PREVIEW' CHECK (state IN ('PREVIEW', 'RUNNING', 'PAUSED', 'DONE', 'ABORTED')),
  paused_because  text CHECK (paused_because IN ('ASKED', 'CANARY')),
  -- Rows per second at most.
  rate            integer NOT NULL DEFAULT 5 CHECK (rate BETWEEN 1 AND 200),
  -- So many rows, and then it waits to be told to go on; null: it does not.
  canary          integer CHECK (canary BETWEEN 1 AND 10000),
  canary_passed   boolean NOT NULL DEFAULT false,
  started_by      uuid NOT NULL REFERENCES review.people (person_id),
  operation_id    uuid NOT NULL UNIQUE,
  prepared_at     timestamptz(6) NOT NULL,
  started_at      timestamptz(6),
  last_row_at     timestamptz(6),
  ended_at        timestamptz(6),
  CONSTRAINT bulk_jobs_sums_agree CHECK (pending + done + refused + failed = row_count AND least(pending, done, refused, failed) >= 0),
  CONSTRAINT bulk_jobs_found_its_rows CHECK (matched >= row_count),
  CONSTRAINT bulk_jobs_pause_has_a_cause CHECK ((state = 'PAUSED') = (paused_because IS NOT NULL)),
  CONSTRAINT bulk_jobs_end_says_when CHECK ((state IN ('DONE', 'ABORTED')) = (ended_at IS NOT NULL)),
  CONSTRAINT bulk_jobs_done_leaves_nothing CHECK (state <> 'DONE' OR pending = 0),
  CONSTRAINT bulk_jobs_preview_does_nothing CHECK (state <> 'PREVIEW' OR (pending = row_count AND started_at IS NULL)),
  CONSTRAINT bulk_jobs_end_without_words CHECK (state NOT IN ('DONE', 'ABORTED') OR (words IS NULL AND NOT params ?| ARRAY['place', 'reason']))
);
CREATE INDEX bulk_jobs_recent ON review.bulk_jobs (tenant_id, prepared_at DESC, job_id DESC);
CREATE INDEX bulk_jobs_by_starter ON review.bulk_jobs (started_by, prepared_at DESC, job_id DESC);
CREATE INDEX bulk_jobs_under_way ON review.bulk_jobs (tenant_id) WHERE state IN ('RUNNING', 'PAUSED');

CREATE TABLE review.bulk_job_rows (
  job_id            uuid NOT NULL REFERENCES review.bulk_jobs (job_id),
  row_number        integer NOT NULL CHECK (row_number >= 1),
  exception_id      uuid NOT NULL REFERENCES review.exceptions (exception_id),
  -- As they were seen when the job was prepared.
  exception_version bigint NOT NULL,
  execution_version bigint,
  -- Of a link: the conclusive look that was previewed.
  evidence_id       uuid REFERENCES review.lookups (lookup_id),
  look_again        boolean NOT NULL DEFAULT false,
  -- What the preview expected to stand in the way; judged anew when the row's turn comes.
  foreseen          text,
  -- Under which its act comes about, once.
  operation_id      uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  state             text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'DONE', 'REFUSED', 'FAILED')),
  -- REFUSED: the refusal's code; FAILED: the fault.
  code              text,
  lookup_id         uuid REFERENCES review.lookups (lookup_id),
  -- A worker asks an outside system for this row; `lease` tells the askers apart.
  taken_at          timestamptz(6),
  lease             integer NOT NULL DEFAULT 0,
  ended_at          timestamptz(6),
  PRIMARY KEY (job_id, row_number),
  UNIQUE (job_id, exception_id),
  CONSTRAINT bulk_job_rows_end_says_why CHECK ((state IN ('REFUSED', 'FAILED')) = (code IS NOT NULL) AND (state = 'PENDING') = (ended_at IS NULL))
);
CREATE INDEX bulk_job_rows_by_state ON review.bulk_job_rows (job_id, state, row_number);

CREATE FUNCTION review.keep_bulk_job() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_free constant text[] := ARRAY['state', 'paused_because', 'rate', 'canary', 'canary_passed', 'started_at', 'last_row_at', 'ended_at', 'words', 'params'];
  v_sums constant text[] := ARRAY['pending', 'done', 'refused', 'failed'];
  v_ends constant boolean := NEW.state IN ('DONE', 'ABORTED');
BEGIN
  IF to_jsonb(NEW) - v_free - v_sums <> to_jsonb(OLD) - v_free - v_sums
     OR OLD.state IN ('DONE', 'ABORTED')
     -- The sums are the rows': nobody else writes them.
     OR (pg_trigger_depth() < 2 AND (NEW.pending, NEW.done, NEW.refused, NEW.failed) IS DISTINCT FROM (OLD.pending, OLD.done, OLD.refused, OLD.failed))
     OR (NOT v_ends AND (NEW.params, NEW.words) IS DISTINCT FROM (OLD.params, OLD.words))
     OR (v_ends AND NEW.params <> OLD.params - ARRAY['place', 'reason'])
     OR NOT (OLD.state = NEW.state
          OR (OLD.state = 'PREVIEW' AND NEW.state IN ('RUNNING', 'ABORTED'))
          OR (OLD.state = 'RUNNING' AND NEW.state IN ('PAUSED', 'DONE', 'ABORTED'))
          OR (OLD.state = 'PAUSED' AND NEW.state IN ('RUNNING', 'ABORTED'))) THEN
    RAISE EXCEPTION 'bulk job % never changes what it is about, and ends once', OLD.job_id USING ERRCODE = 'OA002';
  END IF;
  RETURN NEW;
END
$$;

-- A row has one outcome, while its job is under way.
CREATE FUNCTION review.keep_bulk_job_row() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_free constant text[] := ARRAY['state', 'code', 'lookup_id', 'taken_at', 'lease', 'ended_at'];
BEGIN
  IF to_jsonb(NEW) - v_free <> to_jsonb(OLD) - v_free OR OLD.state <> 'PENDING' OR NEW.lease < OLD.lease
     OR NOT EXISTS (SELECT FROM review.bulk_jobs WHERE job_id = OLD.job_id AND state IN ('RUNNING', 'PAUSED')) THEN
    RAISE EXCEPTION 'row % of bulk job % has one outcome, while the job is under way', OLD.row_number, OLD.job_id USING ERRCODE = 'OA002';
  END IF;
  RETURN NEW;
END
$$;

CREATE FUNCTION review.count_bulk_job_row() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.bulk_jobs SET pending = pending - 1, done = done + (NEW.state = 'DONE')::integer, refused = refused + (NEW.state = 'REFUSED')::integer,
      failed = failed + (NEW.state = 'FAILED')::integer
    WHERE job_id = NEW.job_id;
  RETURN NULL;
END
$$;

-- Frozen: at the end of the transaction that made it, a job has exactly its rows, of its own tenant, and no later one adds any.
CREATE FUNCTION review.freeze_bulk_job() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  j review.bulk_jobs;
BEGIN
  SELECT * INTO j FROM review.bulk_jobs WHERE job_id = NEW.job_id;
  IF (SELECT count(*) <> j.row_count OR max(w.row_number) <> j.row_count OR bool_or(x.tenant_id <> j.tenant_id)
        FROM review.bulk_job_rows w JOIN review.exceptions x ON x.exception_id = w.exception_id WHERE w.job_id = j.job_id) THEN
    RAISE EXCEPTION 'bulk job % has the % rows of its tenant that it began with', j.job_id, j.row_count USING ERRCODE = 'OA002';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER bulk_jobs_keep BEFORE UPDATE ON review.bulk_jobs FOR EACH ROW EXECUTE FUNCTION review.keep_bulk_job();
CREATE TRIGGER bulk_jobs_stay BEFORE DELETE OR TRUNCATE ON review.bulk_jobs FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
CREATE TRIGGER bulk_jobs_require_context BEFORE INSERT OR UPDATE ON review.bulk_jobs FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
CREATE CONSTRAINT TRIGGER bulk_jobs_freeze AFTER INSERT ON review.bulk_jobs DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION review.freeze_bulk_job();
CREATE TRIGGER bulk_job_rows_keep BEFORE UPDATE ON review.bulk_job_rows FOR EACH ROW EXECUTE FUNCTION review.keep_bulk_job_row();
CREATE TRIGGER bulk_job_rows_count AFTER UPDATE OF state ON review.bulk_job_rows
  FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION review.count_bulk_job_row();
CREATE TRIGGER bulk_job_rows_stay BEFORE DELETE OR TRUNCATE ON review.bulk_job_rows FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
ALTER TABLE review.bulk_jobs ENABLE ALWAYS TRIGGER bulk_jobs_keep;
ALTER TABLE review.bulk_jobs ENABLE ALWAYS TRIGGER bulk_jobs_stay;
ALTER TABLE review.bulk_jobs ENABLE ALWAYS TRIGGER bulk_jobs_freeze;
ALTER TABLE review.bulk_job_rows ENABLE ALWAYS TRIGGER bulk_job_rows_keep;
ALTER TABLE review.bulk_job_rows ENABLE ALWAYS TRIGGER bulk_job_rows_count;
ALTER TABLE review.bulk_job_rows ENABLE ALWAYS TRIGGER bulk_job_rows_stay;

-- Rows come with their job, in its transaction: whatever is added later finds the numbers taken or is one too many.
CREATE FUNCTION review.refuse_late_bulk_row() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM added w JOIN review.bulk_jobs j ON j.job_id = w.job_id WHERE w.row_number > j.row_count OR w.state <> 'PENDING') THEN
    RAISE EXCEPTION 'a bulk job takes no further row' USING ERRCODE = 'OA002';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER bulk_job_rows_refuse_late AFTER INSERT ON review.bulk_job_rows REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_late_bulk_row();
ALTER TABLE review.bulk_job_rows ENABLE ALWAYS TRIGGER bulk_job_rows_refuse_late;
GRANT SELECT ON review.bulk_jobs, review.bulk_job_rows TO onceover_app, onceover_worker;
