-- R-051 The queue is narrowed and grouped by cause: the code that the executor reported, where its report is why the exception is open, and
-- the ledger's own reason otherwise, in lower case; then the outside system. Each exception keeps it, as it keeps its system: asking the
-- execution row by row would read the ledger once per figure.

ALTER TABLE review.exceptions ADD COLUMN cause text COLLATE "C";

-- Cut to what an address takes: a SQL producer may report any text, and none may be too long for the index.
CREATE FUNCTION review.cause_of(p_reason text, p_failure_code text, p_system text) RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN p_reason IN ('REPORTED', 'NO_PROOF', 'FIX_FIRST', 'ATTEMPTS_EXHAUSTED', 'NOBODY_CAME_BACK') AND p_failure_code <> ''
              THEN left(p_failure_code, 128) ELSE lower(replace(left(p_reason, 128), '_', '-')) END
         || CASE WHEN p_system <> '' THEN ' @ ' || left(p_system, 160) ELSE '' END
$$;
REVOKE ALL ON FUNCTION review.cause_of(text, text, text) FROM PUBLIC;

-- Whoever opens or moves the exception. After exceptions_name_system, which fires first by its name.
CREATE FUNCTION review.name_the_cause() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  NEW.cause := review.cause_of(NEW.reason_code, (SELECT e.failure_code FROM ledger.executions e WHERE e.execution_id = NEW.execution_id), NEW.system);
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION review.name_the_cause() FROM PUBLIC;
CREATE TRIGGER exceptions_name_the_cause BEFORE INSERT OR UPDATE OF reason_code, system ON review.exceptions
  FOR EACH ROW EXECUTE FUNCTION review.name_the_cause();

-- What is there already; neither a change that pages are told of nor one that the guards of ended exceptions are about.
ALTER TABLE review.exceptions DISABLE TRIGGER exceptions_keep;
ALTER TABLE review.exceptions DISABLE TRIGGER exceptions_mark_change;
UPDATE review.exceptions x
   SET cause = review.cause_of(x.reason_code, (SELECT e.failure_code FROM ledger.executions e WHERE e.execution_id = x.execution_id), x.system);
ALTER TABLE review.exceptions ENABLE TRIGGER exceptions_keep;
ALTER TABLE review.exceptions ENABLE TRIGGER exceptions_mark_change;

-- A group opens as the list of its rows.
CREATE INDEX exceptions_by_cause ON review.exceptions (tenant_id, state, cause, severity, due_at, exception_id);
