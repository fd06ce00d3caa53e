-- R-054: more conflicts and mismatches than an operation tolerates within its window stop its automatic execution.

CREATE INDEX exception_events_of_mismatches ON review.exception_events (at) WHERE detail->>'kind' = 'RESULT_MISMATCH';

DROP FUNCTION review.pause_if_intolerable(ledger.intakes, ledger.operation_policies);

-- Guarantee: of conflicts and mismatches that come at once, whichever is counted last sees the others. Locks: one advisory
-- lock per operation until commit, taken after the row that is to be counted. Indexes: intakes_in_doubt, exception_events_of_mismatches.
CREATE FUNCTION review.pause_if_intolerable(p_tenant_id text, p_operation text, p_principal_id text, p_policy ledger.operation_policies) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_now timestamptz;
  v_since timestamptz;
  v_conflicts integer;
  v_mismatches integer;
  v_id uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(p_tenant_id || ' pauses ' || p_operation, 0));
  v_now := ledger.clock();
  -- What led to the last pause was settled with it.
  v_since := greatest(v_now - make_interval(secs => p_policy.conflict_window_seconds), (
    SELECT max(x.closed_at) FROM review.exceptions x
    WHERE x.tenant_id = p_tenant_id AND x.operation = p_operation AND x.kind = 'OPERATION_PAUSED'));
  SELECT count(*) INTO v_conflicts FROM (
    SELECT 1 FROM ledger.intakes i WHERE i.tenant_id = p_tenant_id AND i.operation = p_operation
      AND i.disposition = 'CONTENT_CONFLICT' AND i.received_at > v_since
    LIMIT p_policy.conflict_tolerance + 1) recent;
  SELECT count(*) INTO v_mismatches FROM (
    SELECT 1 FROM review.exception_events v JOIN review.exceptions x ON x.exception_id = v.exception_id
      WHERE v.detail->>'kind' = 'RESULT_MISMATCH' AND v.event IN ('opened', 'kind_changed') AND v.at > v_since
        AND x.tenant_id = p_tenant_id AND x.operation = p_operation
    LIMIT p_policy.conflict_tolerance + 1) recent;
  IF v_conflicts + v_mismatches <= p_policy.conflict_tolerance THEN
    RETURN;
  END IF;
  INSERT INTO ledger.operation_pauses (tenant_id, operation, paused_at, reason) VALUES (p_tenant_id, p_operation, v_now, 'TOO_MANY_CONFLICTS')
    ON CONFLICT DO NOTHING;
  INSERT INTO review.exceptions (tenant_id, kind, principal_id, operation, severity, due_at, reason_code, detail, opened_at, updated_at)
    VALUES (p_tenant_id, 'OPERATION_PAUSED', p_principal_id, p_operation,
            review.severity_of(p_policy.effect_class, 'OPERATION_PAUSED'), v_now + make_interval(secs => p_policy.sla_seconds),
            'TOO_MANY_CONFLICTS', jsonb_build_object('conflicts', v_conflicts, 'mismatches', v_mismatches), v_now, v_now)
    ON CONFLICT (tenant_id, operation) WHERE state = 'OPEN' AND kind = 'OPERATION_PAUSED' DO NOTHING
    RETURNING exception_id INTO v_id;
  IF v_id IS NOT NULL THEN
    PERFORM review.note_event(v_id, 'opened', jsonb_build_object('kind', 'OPERATION_PAUSED', 'reason', 'TOO_MANY_CONFLICTS'));
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION review.exceptions_follow_intake() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_policy ledger.operation_policies := ledger.policy_for(NEW.tenant_id, NEW.operation);
  v_now timestamptz := ledger.clock();
  v_id uuid;
BEGIN
  IF NEW.disposition = 'CONTENT_CONFLICT' THEN
    -- A repeat of content that a person already refused joins the closed exception (R-074).
    SELECT x.exception_id INTO v_id FROM review.exceptions x
      WHERE x.execution_id = NEW.execution_id AND x.kind = 'CONTENT_CONFLICT' AND x.state = 'CLOSED' AND x.closing = 'DECISION'
        AND EXISTS (SELECT 1 FROM ledger.intakes i WHERE i.execution_id = NEW.execution_id AND i.disposition = 'CONTENT_CONFLICT'
                      AND i.intake_id <> NEW.intake_id AND i.received_at <= x.closed_at AND i.fingerprint = NEW.fingerprint
                      AND i.content_version IS NOT DISTINCT FROM NEW.content_version
                      AND i.target_system IS NOT DISTINCT FROM NEW.target_system AND i.target_account IS NOT DISTINCT FROM NEW.target_account)
      ORDER BY x.closed_at DESC LIMIT 1;
    IF FOUND THEN
      PERFORM review.note_event(v_id, 'joined', jsonb_build_object('intakeId', NEW.intake_id, 'reason', 'REFUSED_CONTENT_AGAIN'));
    ELSE
      PERFORM review.open_exception(NEW.execution_id, 'CONTENT_CONFLICT', 'CONTENT_DIFFERS',
        jsonb_build_object('intakeId', NEW.intake_id, 'conflictingFields', NEW.conflicting_fields));
    END IF;
    IF v_policy.conflict_tolerance IS NOT NULL THEN
      PERFORM review.pause_if_intolerable(NEW.tenant_id, NEW.operation, NEW.principal_id, v_policy);
    END IF;
  ELSIF NEW.disposition = 'RECORD_EXPIRED' THEN
    PERFORM review.open_exception(NEW.execution_id, 'EXPIRED_KEY', 'LATE_ARRIVAL', jsonb_build_object('intakeId', NEW.intake_id));
  ELSIF NEW.disposition = 'KEY_MISSING' THEN
    INSERT INTO review.exceptions (tenant_id, kind, principal_id, operation, severity, due_at, reason_code, detail, opened_at, updated_at)
      VALUES (NEW.tenant_id, 'KEY_MISSING', NEW.principal_id, NEW.operation, review.severity_of(v_policy.effect_class, 'KEY_MISSING'),
              v_now + make_interval(secs => v_policy.sla_seconds), CASE v_policy.keyless WHEN 'PASS' THEN 'PASSED_UNPROTECTED' ELSE 'REFUSED' END,
              jsonb_build_object('intakeId', NEW.intake_id), v_now, v_now)
      ON CONFLICT (principal_id, operation) WHERE state = 'OPEN' AND kind = 'KEY_MISSING' DO NOTHING
      RETURNING exception_id INTO v_id;
    IF v_id IS NOT NULL THEN
      PERFORM review.note_event(v_id, 'opened', jsonb_build_object('kind', 'KEY_MISSING', 'intakeId', NEW.intake_id));
    ELSE
      SELECT exception_id INTO v_id FROM review.exceptions WHERE principal_id = NEW.principal_id AND operation = NEW.operation
        AND kind = 'KEY_MISSING' AND state = 'OPEN';
      IF FOUND THEN
        PERFORM review.note_event(v_id, 'joined', jsonb_build_object('intakeId', NEW.intake_id));
      END IF;
    END IF;
  END IF;
  RETURN NULL;
END
$$;

-- A mismatch is counted when its exception says so, whoever showed it: a report, plain SQL, or a lookup.
CREATE FUNCTION review.pauses_follow_mismatch() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_exception review.exceptions;
  v_policy ledger.operation_policies;
BEGIN
  SELECT * INTO STRICT v_exception FROM review.exceptions WHERE exception_id = NEW.exception_id;
  v_policy := ledger.policy_for(v_exception.tenant_id, v_exception.operation);
  IF v_policy.conflict_tolerance IS NOT NULL THEN
    PERFORM review.pause_if_intolerable(v_exception.tenant_id, v_exception.operation, v_exception.principal_id, v_policy);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER exception_events_pauses_follow AFTER INSERT ON review.exception_events
  FOR EACH ROW WHEN (NEW.detail->>'kind' = 'RESULT_MISMATCH' AND NEW.event IN ('opened', 'kind_changed'))
  EXECUTE FUNCTION review.pauses_follow_mismatch();
