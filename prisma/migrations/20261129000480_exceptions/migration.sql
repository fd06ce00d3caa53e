-- Exceptions: what a person must settle. They appear by trigger in the transaction of the ledger change that shows
-- them, whoever wrote it, opened by the system actor.

-- Hands a job to the job library inside the caller's transaction. graphile_worker keeps its tables private to its
-- owner; this is the product's only door.
CREATE FUNCTION review.enqueue(p_task text, p_payload jsonb, p_job_key text, p_run_at timestamptz DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM graphile_worker.add_job(p_task, p_payload::json, job_key => p_job_key, run_at => coalesce(p_run_at, now()), max_attempts => 10);
END
$$;
GRANT EXECUTE ON FUNCTION review.enqueue(text, jsonb, text, timestamptz) TO onceover_app, onceover_worker;

CREATE TABLE review.exceptions (
  exception_id   uuid PRIMARY KEY DEFAULT ledger.new_id(),
  tenant_id      text NOT NULL REFERENCES review.tenants (tenant_id),
  kind           text NOT NULL CHECK (kind IN ('UNKNOWN_RESULT', 'STUCK_PROCESSING', 'LONG_RUNNING', 'CONTENT_CONFLICT', 'EXPIRED_KEY', 'MISSING_RESULT_ID', 'RESULT_MISMATCH', 'DUPLICATE_RESULT', 'ORPHAN_EFFECT', 'CONTRADICTED_DECISION', 'RETRY_STALLED', 'UNCLAIMED', 'KEY_MISSING', 'OPERATION_PAUSED')),
  execution_id   uuid REFERENCES ledger.executions (execution_id),
  lineage_id     uuid,
  principal_id   text,
  operation      text COLLATE "C" NOT NULL,
  state          text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'CLOSED')),
  -- 1 critical … 4 low, from the effect class of the operation.
  severity       smallint NOT NULL CHECK (severity BETWEEN 1 AND 4),
  due_at         timestamptz(6) NOT NULL,
  reason_code    text NOT NULL,
  detail         jsonb NOT NULL DEFAULT '{}',
  assignee_id    uuid REFERENCES review.people (person_id),
  deferred_until timestamptz(6),
  next_check_at  timestamptz(6),
  next_place     text,
  opened_at      timestamptz(6) NOT NULL,
  opened_by      text NOT NULL DEFAULT 'system:ledger',
  closed_at      timestamptz(6),
  closed_by      text,
  closing        text CHECK (closing IN ('DECISION', 'EXECUTOR')),
  closing_code   text,
  decision_id    uuid,
  version        bigint NOT NULL DEFAULT 1,
  updated_at     timestamptz(6) NOT NULL,
  CONSTRAINT exceptions_closed_says_how CHECK ((state = 'CLOSED') = (closed_at IS NOT NULL AND closed_by IS NOT NULL AND closing IS NOT NULL)),
  CONSTRAINT exceptions_decision_is_named CHECK (closing IS DISTINCT FROM 'DECISION' OR decision_id IS NOT NULL),
  CONSTRAINT exceptions_deferred_has_owner CHECK (deferred_until IS NULL OR (assignee_id IS NOT NULL AND next_place IS NOT NULL)),
  CONSTRAINT exceptions_has_subject CHECK (execution_id IS NOT NULL OR kind IN ('KEY_MISSING', 'OPERATION_PAUSED', 'ORPHAN_EFFECT'))
);
-- R-046: at most one open exception per execution and kind, per keyless principal and operation, per paused operation.
CREATE UNIQUE INDEX exceptions_one_open_per_kind ON review.exceptions (execution_id, kind) WHERE state = 'OPEN' AND execution_id IS NOT NULL;
CREATE UNIQUE INDEX exceptions_one_open_keyless ON review.exceptions (principal_id, operation) WHERE state = 'OPEN' AND kind = 'KEY_MISSING';
CREATE UNIQUE INDEX exceptions_one_open_pause ON review.exceptions (tenant_id, operation) WHERE state = 'OPEN' AND kind = 'OPERATION_PAUSED';
CREATE INDEX exceptions_queue ON review.exceptions (tenant_id, state, severity, due_at, exception_id);
CREATE INDEX exceptions_recent ON review.exceptions (tenant_id, state, opened_at DESC, exception_id DESC);
CREATE INDEX exceptions_open_in_lineage ON review.exceptions (lineage_id) WHERE state = 'OPEN';
CREATE INDEX exceptions_by_execution ON review.exceptions (execution_id);

-- What happened to an exception, in order; never changed.
CREATE TABLE review.exception_events (
  event_id     uuid PRIMARY KEY DEFAULT ledger.new_id(),
  exception_id uuid NOT NULL REFERENCES review.exceptions (exception_id),
  at           timestamptz(6) NOT NULL,
  event        text NOT NULL CHECK (event IN ('opened', 'joined', 'kind_changed', 'assigned', 'commented', 'deferred', 'resumed', 'evidence', 'lookup_ended', 'requested', 'request_ended', 'decided', 'closed')),
  actor_kind   text NOT NULL,
  actor_id     text NOT NULL,
  detail       jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX exception_events_by_exception ON review.exception_events (exception_id, at, event_id);
CREATE TRIGGER exception_events_are_only_added BEFORE UPDATE OR DELETE ON review.exception_events FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER exception_events_are_not_truncated BEFORE TRUNCATE ON review.exception_events FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE review.exception_events ENABLE ALWAYS TRIGGER exception_events_are_only_added;
ALTER TABLE review.exception_events ENABLE ALWAYS TRIGGER exception_events_are_not_truncated;
CREATE TRIGGER exceptions_are_not_deleted BEFORE DELETE ON review.exceptions FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER exceptions_are_not_truncated BEFORE TRUNCATE ON review.exceptions FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE review.exceptions ENABLE ALWAYS TRIGGER exceptions_are_not_deleted;
ALTER TABLE review.exceptions ENABLE ALWAYS TRIGGER exceptions_are_not_truncated;

GRANT SELECT ON review.exceptions, review.exception_events TO onceover_app, onceover_worker;

-- An ended exception stays as it ended.
CREATE FUNCTION review.keep_exception() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF OLD.state = 'CLOSED' THEN
    RAISE EXCEPTION 'exception % is closed', OLD.exception_id USING ERRCODE = 'OO004';
  END IF;
  -- A person's form stays valid while only the next check time moves.
  IF (NEW.kind, NEW.state, NEW.assignee_id, NEW.deferred_until) IS DISTINCT FROM (OLD.kind, OLD.state, OLD.assignee_id, OLD.deferred_until) THEN
    NEW.version := OLD.version + 1;
  END IF;
  NEW.updated_at := ledger.clock();
  RETURN NEW;
END
$$;
CREATE TRIGGER exceptions_keep BEFORE UPDATE ON review.exceptions FOR EACH ROW EXECUTE FUNCTION review.keep_exception();

-- Who acts, for rows that are not audit events: the person of the transaction's context, else the ledger itself. A SQL
-- producer can set any context it likes, so from its sessions none is believed.
CREATE FUNCTION review.acting(OUT actor_kind text, OUT actor_id text)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN believed THEN coalesce(nullif(current_setting('onceover.actor_kind', true), ''), 'system') ELSE 'system' END,
         CASE WHEN believed THEN coalesce(nullif(current_setting('onceover.actor_id', true), ''), 'system:ledger') ELSE 'system:ledger' END
  FROM (SELECT ledger.session_principal() IS NULL AS believed) session
$$;

CREATE FUNCTION review.note_event(p_exception_id uuid, p_event text, p_detail jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO review.exception_events (exception_id, at, event, actor_kind, actor_id, detail)
  SELECT p_exception_id, ledger.clock(), p_event, a.actor_kind, a.actor_id, coalesce(p_detail, '{}') FROM review.acting() a
$$;

-- R-052: the open exception that holds a lineage; no row when nothing does.
CREATE FUNCTION review.blocking_exception(p_lineage_id uuid, OUT exception_id uuid, OUT next_check_at timestamptz) RETURNS SETOF record
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT x.exception_id, x.next_check_at FROM review.exceptions x
  WHERE x.lineage_id = p_lineage_id AND x.state = 'OPEN'
    AND x.kind IN ('UNKNOWN_RESULT', 'RESULT_MISMATCH', 'DUPLICATE_RESULT', 'CONTRADICTED_DECISION', 'EXPIRED_KEY')
  ORDER BY x.opened_at LIMIT 1
$$;

CREATE FUNCTION review.is_under_review(p_lineage_id uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT EXISTS (SELECT 1 FROM review.blocking_exception(p_lineage_id)) $$;
GRANT EXECUTE ON FUNCTION review.blocking_exception(uuid), review.is_under_review(uuid) TO onceover_app, onceover_worker;

-- Rank of an exception: what the effect can cost, one step lower for kinds where nothing can have happened twice.
CREATE FUNCTION review.severity_of(p_effect_class text, p_kind text) RETURNS smallint
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT least(4,
    CASE p_effect_class WHEN 'IRREVERSIBLE' THEN 1 WHEN 'COMPENSABLE' THEN 2 WHEN 'REVERSIBLE' THEN 3 ELSE 4 END
    + CASE WHEN p_kind IN ('KEY_MISSING', 'UNCLAIMED', 'RETRY_STALLED', 'LONG_RUNNING') THEN 1 ELSE 0 END)::smallint
$$;

-- The operator should find evidence waiting (R-062): the kinds that ask "did it happen?" start the operation's lookup.
CREATE FUNCTION review.start_lookup(p_exception_id uuid, p_kind text, p_connector_id text) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT review.enqueue('lookup', jsonb_build_object('exceptionId', p_exception_id, 'reason', 'opened'), 'lookup:' || p_exception_id)
  WHERE p_connector_id IS NOT NULL
    AND p_kind IN ('UNKNOWN_RESULT', 'STUCK_PROCESSING', 'MISSING_RESULT_ID', 'EXPIRED_KEY', 'RESULT_MISMATCH', 'DUPLICATE_RESULT', 'CONTRADICTED_DECISION')
$$;

-- Opens an exception of an execution, or joins the open one of that kind. Guarantee: one open per execution and kind
-- (exceptions_one_open_per_kind decides). Starts the operation's lookup where evidence is wanted.
CREATE FUNCTION review.open_exception(p_execution_id uuid, p_kind text, p_reason text, p_detail jsonb) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
  v_policy ledger.operation_policies;
  v_now timestamptz := ledger.clock();
  v_id uuid;
BEGIN
  SELECT * INTO STRICT v_row FROM ledger.executions WHERE execution_id = p_execution_id;
  v_policy := ledger.policy_for(v_row.tenant_id, v_row.operation);
  INSERT INTO review.exceptions (tenant_id, kind, execution_id, lineage_id, principal_id, operation, severity, due_at, reason_code, detail,
                                 next_check_at, opened_at, updated_at)
    VALUES (v_row.tenant_id, p_kind, p_execution_id, v_row.lineage_id, v_row.principal_id, v_row.operation,
            review.severity_of(v_policy.effect_class, p_kind), v_now + make_interval(secs => v_policy.sla_seconds), p_reason, p_detail,
            v_now + make_interval(secs => v_policy.negative_proof_horizon_seconds), v_now, v_now)
    ON CONFLICT (execution_id, kind) WHERE state = 'OPEN' AND execution_id IS NOT NULL DO NOTHING
    RETURNING exception_id INTO v_id;
  IF v_id IS NULL THEN
    SELECT exception_id INTO v_id FROM review.exceptions WHERE execution_id = p_execution_id AND kind = p_kind AND state = 'OPEN';
    IF v_id IS NOT NULL AND p_detail <> '{}' THEN
      PERFORM review.note_event(v_id, 'joined', jsonb_build_object('reason', p_reason) || p_detail);
    END IF;
    RETURN v_id;
  END IF;
  PERFORM review.note_event(v_id, 'opened', jsonb_build_object('kind', p_kind, 'reason', p_reason));
  PERFORM review.start_lookup(v_id, p_kind, v_policy.connector_id);
  RETURN v_id;
END
$$;
GRANT EXECUTE ON FUNCTION review.open_exception(uuid, text, text, jsonb), review.note_event(uuid, text, jsonb) TO onceover_worker;

-- The executor settled it in time: recorded as such, with the exception (R-050).
CREATE FUNCTION review.close_by_executor(p_execution_id uuid, p_kinds text[], p_code text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_id uuid;
BEGIN
  FOR v_id IN
    UPDATE review.exceptions SET state = 'CLOSED', closed_at = ledger.clock(), closed_by = 'system:executor', closing = 'EXECUTOR',
        closing_code = p_code, deferred_until = NULL
      WHERE execution_id = p_execution_id AND state = 'OPEN' AND kind = ANY (p_kinds)
      RETURNING exception_id
  LOOP
    PERFORM review.note_event(v_id, 'closed', jsonb_build_object('by', 'executor', 'code', p_code));
  END LOOP;
END
$$;

CREATE FUNCTION review.exceptions_follow_execution() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_old_state text := CASE TG_OP WHEN 'UPDATE' THEN OLD.state ELSE '' END;
  v_kind text;
  v_id uuid;
BEGIN
  IF NEW.state = 'UNKNOWN' AND v_old_state <> 'UNKNOWN' THEN
    v_kind := CASE NEW.unknown_reason WHEN 'MISSING_RESULT_ID' THEN 'MISSING_RESULT_ID' WHEN 'RESULT_MISMATCH' THEN 'RESULT_MISMATCH'
                                      WHEN 'CONTRADICTED' THEN 'CONTRADICTED_DECISION' ELSE 'UNKNOWN_RESULT' END;
    -- The same exception changes its kind when what was stuck is now unknown (R-028).
    UPDATE review.exceptions SET kind = v_kind, reason_code = NEW.unknown_reason
      WHERE execution_id = NEW.execution_id AND state = 'OPEN' AND kind IN ('STUCK_PROCESSING', 'LONG_RUNNING')
        AND NOT EXISTS (SELECT 1 FROM review.exceptions y WHERE y.execution_id = NEW.execution_id AND y.state = 'OPEN' AND y.kind = v_kind)
        AND exception_id = (SELECT exception_id FROM review.exceptions z WHERE z.execution_id = NEW.execution_id AND z.state = 'OPEN'
                              AND z.kind IN ('STUCK_PROCESSING', 'LONG_RUNNING') ORDER BY z.kind DESC LIMIT 1)
      RETURNING exception_id INTO v_id;
    IF v_id IS NOT NULL THEN
      PERFORM review.note_event(v_id, 'kind_changed', jsonb_build_object('kind', v_kind, 'reason', NEW.unknown_reason));
      -- Evidence is bound to the execution's version, which has just changed.
      PERFORM review.start_lookup(v_id, v_kind, (ledger.policy_for(NEW.tenant_id, NEW.operation)).connector_id);
      PERFORM review.close_by_executor(NEW.execution_id, ARRAY['STUCK_PROCESSING', 'LONG_RUNNING'], 'BECAME_UNKNOWN');
    ELSE
      PERFORM review.open_exception(NEW.execution_id, v_kind, NEW.unknown_reason,
        CASE WHEN NEW.reported_result_id IS NULL THEN '{}' ELSE jsonb_build_object('reportedResultId', NEW.reported_result_id) END);
    END IF;
  ELSIF NEW.moved_by IN ('executor', 'claim', 'cancel') AND v_old_state <> '' AND (NEW.state <> v_old_state OR NEW.attempt <> OLD.attempt) THEN
    PERFORM review.close_by_executor(NEW.execution_id,
      CASE WHEN NEW.state = 'PROCESSING' THEN ARRAY['UNCLAIMED', 'RETRY_STALLED', 'STUCK_PROCESSING', 'LONG_RUNNING']
           WHEN v_old_state = 'UNKNOWN' THEN ARRAY['UNKNOWN_RESULT', 'MISSING_RESULT_ID', 'STUCK_PROCESSING', 'LONG_RUNNING', 'EXPIRED_KEY']
           ELSE ARRAY['UNCLAIMED', 'STUCK_PROCESSING', 'LONG_RUNNING', 'EXPIRED_KEY'] END,
      CASE WHEN v_old_state = 'UNKNOWN' THEN 'CONFIRMED_LATE' WHEN NEW.state = 'PROCESSING' THEN 'CLAIMED_AGAIN' ELSE 'EXECUTOR_REPORTED' END);
  ELSIF v_old_state = 'PROCESSING' AND NEW.state = 'PROCESSING' AND NEW.moved_by = 'executor'
        AND NEW.lease_expires_at > OLD.lease_expires_at AND OLD.lease_expires_at <= ledger.clock() THEN
    PERFORM review.close_by_executor(NEW.execution_id, ARRAY['STUCK_PROCESSING'], 'OWNER_CAME_BACK');
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER executions_6_exceptions_follow AFTER INSERT OR UPDATE OF state, attempt, lease_expires_at ON ledger.executions
  FOR EACH ROW EXECUTE FUNCTION review.exceptions_follow_execution();

-- R-054: more conflicts than the operation tolerates within its window stop its automatic execution.
CREATE FUNCTION review.pause_if_intolerable(p_intake ledger.intakes, p_policy ledger.operation_policies) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_conflicts integer;
  v_now timestamptz := ledger.clock();
  v_id uuid;
BEGIN
  SELECT count(*) INTO v_conflicts FROM (
    SELECT 1 FROM ledger.intakes i WHERE i.tenant_id = p_intake.tenant_id AND i.operation = p_intake.operation
      AND i.disposition = 'CONTENT_CONFLICT' AND i.received_at > v_now - make_interval(secs => p_policy.conflict_window_seconds)
      AND i.received_at > coalesce((SELECT max(x.closed_at) FROM review.exceptions x WHERE x.tenant_id = p_intake.tenant_id
                                      AND x.operation = p_intake.operation AND x.kind = 'OPERATION_PAUSED'), '-infinity')
    LIMIT p_policy.conflict_tolerance + 1) recent;
  IF v_conflicts <= p_policy.conflict_tolerance THEN
    RETURN;
  END IF;
  INSERT INTO ledger.operation_pauses (tenant_id, operation, paused_at, reason) VALUES (p_intake.tenant_id, p_intake.operation, v_now, 'TOO_MANY_CONFLICTS')
    ON CONFLICT DO NOTHING;
  INSERT INTO review.exceptions (tenant_id, kind, principal_id, operation, severity, due_at, reason_code, detail, opened_at, updated_at)
    VALUES (p_intake.tenant_id, 'OPERATION_PAUSED', p_intake.principal_id, p_intake.operation,
            review.severity_of(p_policy.effect_class, 'OPERATION_PAUSED'), v_now + make_interval(secs => p_policy.sla_seconds),
            'TOO_MANY_CONFLICTS', jsonb_build_object('conflicts', v_conflicts), v_now, v_now)
    ON CONFLICT (tenant_id, operation) WHERE state = 'OPEN' AND kind = 'OPERATION_PAUSED' DO NOTHING
    RETURNING exception_id INTO v_id;
  IF v_id IS NOT NULL THEN
    PERFORM review.note_event(v_id, 'opened', jsonb_build_object('kind', 'OPERATION_PAUSED', 'reason', 'TOO_MANY_CONFLICTS'));
  END IF;
END
$$;

CREATE FUNCTION review.exceptions_follow_intake() RETURNS trigger
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
      PERFORM review.pause_if_intolerable(NEW, v_policy);
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
CREATE TRIGGER intakes_exceptions_follow AFTER INSERT ON ledger.intakes
  FOR EACH ROW WHEN (NEW.disposition IN ('CONTENT_CONFLICT', 'RECORD_EXPIRED', 'KEY_MISSING'))
  EXECUTE FUNCTION review.exceptions_follow_intake();
