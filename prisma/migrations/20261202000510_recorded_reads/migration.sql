-- Reads are on record: searching leaves an event, with the place and not with what was looked for. And what a job does
-- on a person's word names that person: record_decision gains `onBehalfOf`; the rest of it is as before.

INSERT INTO review.audit_event_types (event) VALUES ('search.made');

CREATE OR REPLACE FUNCTION review.record_decision(f review.decision_frame, p_closes boolean, p_request_id uuid, p_params jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_id uuid := ledger.new_id();
  v_after jsonb;
  v_closed uuid;
  v_closed_ids uuid[] := '{}';
  v_row ledger.executions;
BEGIN
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = ((f).execution).execution_id;
  v_after := review.snapshot(v_row);
  INSERT INTO review.decisions (decision_id, operation_id, tenant_id, exception_id, exception_kind, execution_id, operation, decision, actor_id,
                                actor_roles, rationale, evidence_id, approval_request_id, params, before, after, decided_at)
    VALUES (v_id, ((f).input->>'operationId')::uuid, ((f).exception).tenant_id, ((f).exception).exception_id, ((f).exception).kind,
            ((f).execution).execution_id, ((f).exception).operation, (f).decision, (f).actor_id, (f).actor_roles, (f).input->>'rationale',
            ((f).input->>'evidenceId')::uuid, p_request_id, p_params, review.snapshot((f).execution), v_after, (f).now);
  PERFORM review.note_event(((f).exception).exception_id, 'decided', jsonb_build_object('decision', (f).decision, 'decisionId', v_id));
  IF p_closes THEN
    FOR v_closed IN
      UPDATE review.exceptions SET state = 'CLOSED', closed_at = (f).now, closed_by = (f).actor_id::text, closing = 'DECISION',
          closing_code = (f).decision, decision_id = v_id, deferred_until = NULL
        WHERE state = 'OPEN' AND (exception_id = ((f).exception).exception_id
          OR (execution_id = ((f).execution).execution_id AND kind = ANY (review.kinds_settled_by((f).decision, ((f).exception).kind))))
        RETURNING exception_id
    LOOP
      v_closed_ids := v_closed_ids || v_closed;
      PERFORM review.note_event(v_closed, 'closed', jsonb_build_object('by', 'decision', 'decisionId', v_id));
    END LOOP;
  END IF;
  PERFORM review.append_audit((SELECT event FROM review.decision_events WHERE decision = (f).decision), 'done', NULL,
    ((f).exception).tenant_id, ((f).exception).exception_id, ((f).execution).execution_id, p_request_id, ((f).exception).operation,
    ((f).input->>'operationId')::uuid,
    jsonb_build_object('decision', (f).decision, 'decisionId', v_id, 'kind', ((f).exception).kind, 'before', review.snapshot((f).execution), 'after', v_after,
      'rationale', (f).input->>'rationale', 'evidenceId', (f).input->>'evidenceId', 'params', p_params, 'closed', to_jsonb(v_closed_ids))
    || CASE WHEN current_setting('onceover.actor_kind', true) = 'person' THEN '{}'::jsonb ELSE jsonb_build_object('onBehalfOf', (f).actor_id) END);
  RETURN jsonb_build_object('outcome', 'done', 'decisionId', v_id, 'after', v_after, 'closed', to_jsonb(v_closed_ids));
END
$$;
