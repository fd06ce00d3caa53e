-- The attempts follow the execution, whoever wrote it. How an attempt ended is its executor's to correct: what a person
-- decides later is a decision, and the attempt keeps its own end.
CREATE OR REPLACE FUNCTION ledger.keep_attempts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_now timestamptz := ledger.clock();
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.attempt > 0 AND (NEW.attempt <> OLD.attempt OR NEW.state <> OLD.state) THEN
    UPDATE ledger.attempts
      SET ended_at = v_now,
          outcome = CASE WHEN NEW.attempt <> OLD.attempt THEN 'TAKEN_OVER' WHEN NEW.moved_by = 'person' THEN 'DECIDED'
                         WHEN NEW.moved_by = 'cancel' THEN 'CANCELLED' ELSE NEW.state END,
          failure_code = NEW.failure_code, failure_message = NEW.failure_message
      WHERE execution_id = NEW.execution_id AND attempt = OLD.attempt AND (ended_at IS NULL OR outcome = 'UNKNOWN' AND NEW.state = 'SUCCEEDED' AND NEW.moved_by = 'executor');
  END IF;
  IF NEW.attempt > 0 AND (TG_OP = 'INSERT' OR NEW.attempt <> OLD.attempt) THEN
    INSERT INTO ledger.attempts (execution_id, attempt, attempt_id, fencing_token, owner, started_at)
      VALUES (NEW.execution_id, NEW.attempt, NEW.attempt_id, NEW.fencing_token, NEW.owner, NEW.claimed_at);
  ELSIF TG_OP = 'UPDATE' AND (NEW.effect_started_at, NEW.external_job_id) IS DISTINCT FROM (OLD.effect_started_at, OLD.external_job_id) THEN
    UPDATE ledger.attempts SET effect_started_at = NEW.effect_started_at, external_job_id = NEW.external_job_id
      WHERE execution_id = NEW.execution_id AND attempt = NEW.attempt;
  END IF;
  RETURN NULL;
END
$$;
