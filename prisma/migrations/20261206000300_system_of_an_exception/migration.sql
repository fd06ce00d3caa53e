-- The queue is narrowed, counted and grouped by outside system. Asking the execution and its connector row by row would read the
-- ledger once per figure, so that each exception keeps the name.

ALTER TABLE review.exceptions ADD COLUMN system text COLLATE "C";

-- The system of an exception, whoever opens it. Guarantee: what the list shows, counts and groups is one column.
CREATE FUNCTION review.name_system() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  NEW.system := coalesce((SELECT review.outside_system_of(e) FROM ledger.executions e WHERE e.execution_id = NEW.execution_id), NEW.detail->>'system');
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION review.name_system() FROM PUBLIC;
CREATE TRIGGER exceptions_name_system BEFORE INSERT ON review.exceptions FOR EACH ROW EXECUTE FUNCTION review.name_system();

-- A report may name the system that its claim did not. Index: exceptions_by_execution.
CREATE FUNCTION review.rename_system() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.exceptions SET system = review.outside_system_of(NEW) WHERE execution_id = NEW.execution_id AND state = 'OPEN';
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION review.rename_system() FROM PUBLIC;
CREATE TRIGGER executions_7_name_system AFTER UPDATE OF target_system ON ledger.executions
  FOR EACH ROW WHEN (OLD.target_system IS DISTINCT FROM NEW.target_system) EXECUTE FUNCTION review.rename_system();

-- What is there already; the guards of ended exceptions are about what people did, not about this name.
ALTER TABLE review.exceptions DISABLE TRIGGER exceptions_keep;
UPDATE review.exceptions x
   SET system = coalesce((SELECT review.outside_system_of(e) FROM ledger.executions e WHERE e.execution_id = x.execution_id), x.detail->>'system');
ALTER TABLE review.exceptions ENABLE TRIGGER exceptions_keep;

-- Facets and groups name every system once, jumping from name to name.
CREATE INDEX exceptions_by_system ON review.exceptions (tenant_id, state, system, severity, due_at, exception_id);
