-- R-008: where the original input lies is told to somebody who may know, says why, and is on record for it.

INSERT INTO review.audit_event_types (event) VALUES ('input.opened');

-- Tells the reference of one execution's original input. input: executionId, operationId, rationale. Nothing changes but the
-- audit chain; a repeated submit is told that it was done, and not the reference again: rights may have gone since.
-- Locks: the acting person (shared), then the execution: the same click sent twice is on record once.
CREATE FUNCTION review.open_input(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_actor record;
  v_row ledger.executions;
  v_code text;
BEGIN
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person opens an input' USING ERRCODE = 'OA003';
  END IF;
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = (p_input->>'executionId')::uuid FOR NO KEY UPDATE;
  IF NOT FOUND OR NOT v_row.tenant_id = ANY (v_actor.tenant_ids) THEN
    v_row := NULL;
    v_code := 'NOT_FOUND';
  ELSIF EXISTS (SELECT 1 FROM review.audit_events WHERE operation_id = (p_input->>'operationId')::uuid
                  AND actor_id = v_actor.person_id::text AND outcome = 'done') THEN
    RETURN '{"outcome": "done", "repeated": true}';
  ELSE
    v_code := coalesce(
      review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (ledger.policy_for(v_row.tenant_id, v_row.operation)).authority),
      CASE WHEN v_row.input_ref IS NULL THEN 'INPUT_NOT_KEPT'
           WHEN review.visible_length(p_input->>'rationale') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH' END);
  END IF;
  PERFORM review.append_audit('input.opened', CASE WHEN v_code IS NULL THEN 'done' ELSE 'refused' END, v_code, v_row.tenant_id, NULL,
    v_row.execution_id, NULL, v_row.operation, (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));
  RETURN CASE WHEN v_code IS NULL THEN jsonb_build_object('outcome', 'done', 'inputRef', v_row.input_ref)
              ELSE jsonb_build_object('outcome', 'refused', 'code', v_code) END;
END
$$;
GRANT EXECUTE ON FUNCTION review.open_input(jsonb) TO onceover_app;
