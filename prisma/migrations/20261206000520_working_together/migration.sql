-- Working together on exceptions: a link to the ticket elsewhere, who is looking at it now, and rules by which new ones get an owner.
-- Replaced here: erase_copies (links of tickets go with the work, wishes and notifications with their person).

INSERT INTO review.audit_event_types (event, app_outcomes) VALUES ('exception.ticket_linked', '{refused}'), ('assignment.rule_changed', '{refused}');

ALTER TABLE review.exception_events DROP CONSTRAINT exception_events_event_check;
ALTER TABLE review.exception_events ADD CONSTRAINT exception_events_event_check CHECK (event IN ('opened', 'joined', 'kind_changed', 'assigned', 'commented',
  'deferred', 'resumed', 'evidence', 'lookup_ended', 'requested', 'request_ended', 'decided', 'closed', 'ticket_linked', 'rule_waits'));

CREATE TABLE review.ticket_links (
  exception_id uuid PRIMARY KEY REFERENCES review.exceptions (exception_id),
  address      text NOT NULL CONSTRAINT ticket_links_address_is_https CHECK (address ~ '^https://[^[:space:]]+$' AND length(address) <= 2000),
  label        text NOT NULL CHECK (length(label) BETWEEN 1 AND 200),
  linked_by    uuid NOT NULL REFERENCES review.people (person_id),
  linked_at    timestamptz(6) NOT NULL
);
GRANT SELECT ON review.ticket_links TO onceover_app;

-- input: exceptionId, exceptionVersion, operationId, address and label, or null for both: the link is taken away.
CREATE FUNCTION review.link_ticket(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_desk_act('exception.ticket_linked', p_input || '{"onClosedToo": true}');
  v_id uuid := (f.exception).exception_id;
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NULL AND p_input->>'address' IS NOT NULL THEN
    f.refusal := CASE
      WHEN p_input->>'address' !~ '^https://[^[:space:]]+$' OR length(p_input->>'address') > 2000 THEN 'ADDRESS_REFUSED'
      WHEN review.visible_length(coalesce(p_input->>'label', '')) NOT BETWEEN 1 AND 200 OR length(p_input->>'label') > 200 THEN 'TEXT_LENGTH' END;
  END IF;
  IF f.refusal IS NULL THEN
    DELETE FROM review.ticket_links WHERE exception_id = v_id;
    IF p_input->>'address' IS NOT NULL THEN
      INSERT INTO review.ticket_links VALUES (v_id, p_input->>'address', p_input->>'label', f.actor_id, f.now);
    END IF;
    PERFORM review.note_event(v_id, 'ticket_linked', jsonb_build_object('removed', p_input->>'address' IS NULL));
  END IF;
  PERFORM review.append_audit('exception.ticket_linked', CASE WHEN f.refusal IS NULL THEN 'done' ELSE 'refused' END, f.refusal, (f.exception).tenant_id,
    v_id, (f.exception).execution_id, NULL, (f.exception).operation, (p_input->>'operationId')::uuid,
    jsonb_strip_nulls(jsonb_build_object('place', p_input->>'address', 'text', p_input->>'label')));
  RETURN CASE WHEN f.refusal IS NULL THEN '{"outcome": "done"}'::jsonb ELSE jsonb_build_object('outcome', 'refused', 'code', f.refusal) END;
END
$$;
GRANT EXECUTE ON FUNCTION review.link_ticket(jsonb) TO onceover_app;

-- Who has an exception on the screen. One row a person, however many tabs; it is worth 45 seconds, and nothing but a courtesy: no
-- event, no lock of the exception, and lost with a crash.
CREATE UNLOGGED TABLE review.presences (
  exception_id uuid NOT NULL,
  person_id    uuid NOT NULL,
  seen_at      timestamptz(6) NOT NULL,
  PRIMARY KEY (exception_id, person_id)
);
CREATE INDEX presences_seen ON review.presences (seen_at);

-- The acting person looks, or looks away. Answers who else does: people who may see it now. Null: it is not theirs to see.
CREATE FUNCTION review.look_at(p_exception_id uuid, p_looks boolean) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_person uuid := current_setting('onceover.actor_id')::uuid;
  v_tenant text;
  v_now timestamptz := ledger.clock();
BEGIN
  SELECT x.tenant_id INTO v_tenant FROM review.exceptions x JOIN review.people p ON p.person_id = v_person AND p.disabled_at IS NULL
    AND x.tenant_id = ANY (p.tenant_ids) WHERE x.exception_id = p_exception_id;
  IF v_tenant IS NULL THEN RETURN NULL; END IF;
  DELETE FROM review.presences WHERE (exception_id, person_id) IN (
    SELECT exception_id, person_id FROM review.presences WHERE seen_at < v_now - interval '45 seconds' LIMIT 50 FOR UPDATE SKIP LOCKED);
  IF p_looks THEN
    INSERT INTO review.presences VALUES (p_exception_id, v_person, v_now)
      ON CONFLICT (exception_id, person_id) DO UPDATE SET seen_at = greatest(presences.seen_at, excluded.seen_at);
  ELSE
    DELETE FROM review.presences WHERE exception_id = p_exception_id AND person_id = v_person;
  END IF;
  RETURN coalesce((SELECT jsonb_agg(jsonb_build_object('personId', o.person_id, 'displayName', o.display_name)) FROM (
    SELECT p.person_id, p.display_name FROM review.presences s JOIN review.people p USING (person_id)
      WHERE s.exception_id = p_exception_id AND s.seen_at > v_now - interval '45 seconds' AND s.person_id <> v_person
        AND p.disabled_at IS NULL AND v_tenant = ANY (p.tenant_ids)
      ORDER BY s.seen_at DESC, p.person_id LIMIT 10) o), '[]');
END
$$;
GRANT EXECUTE ON FUNCTION review.look_at(uuid, boolean) TO onceover_app;

-- By which rule a new exception gets its owner. The narrowest rule that fits counts alone: one for the operation before one for its
-- authority before one for the tenant. An administrator makes them alone: they give work, never a right.
CREATE TABLE review.assignment_rules (
  rule_id     uuid PRIMARY KEY DEFAULT ledger.new_id(),
  tenant_id   text NOT NULL REFERENCES review.tenants (tenant_id),
  operation   text COLLATE "C",
  authority   text,
  mode        text NOT NULL CHECK (mode IN ('ROUND_ROBIN', 'FIXED')),
  assignee_id uuid REFERENCES review.people (person_id),
  made_by     uuid NOT NULL REFERENCES review.people (person_id),
  made_at     timestamptz(6) NOT NULL,
  ended_at    timestamptz(6),
  CONSTRAINT assignment_rules_fixed_names_somebody CHECK ((mode = 'FIXED') = (assignee_id IS NOT NULL)),
  CONSTRAINT assignment_rules_fit_one_thing CHECK (num_nonnulls(operation, authority) <= 1)
);
CREATE UNIQUE INDEX assignment_rules_one_in_force ON review.assignment_rules (tenant_id, coalesce(operation, ''), coalesce(authority, '')) WHERE ended_at IS NULL;

-- Whose turn it is: who got something by the rule least lately.
CREATE TABLE review.assignment_turns (
  rule_id   uuid NOT NULL REFERENCES review.assignment_rules (rule_id),
  person_id uuid NOT NULL REFERENCES review.people (person_id),
  given     integer NOT NULL,
  last_at   timestamptz(6) NOT NULL,
  PRIMARY KEY (rule_id, person_id)
);
GRANT SELECT ON review.assignment_rules, review.assignment_turns TO onceover_app;
CREATE INDEX exceptions_to_assign ON review.exceptions (tenant_id, operation) WHERE state = 'OPEN' AND assignee_id IS NULL;

-- input: tenantId, operation or authority or neither, mode and assigneeId; mode null ends the rule in force. Nobody is held for it: who
-- may have the work is asked anew each time that the rule gives some.
CREATE FUNCTION review.set_assignment_rule(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('assignment.rule_changed', p_input);
  v_tenant text := p_input->>'tenantId';
  v_known boolean;
  v_ended uuid;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  v_known := v_tenant = ANY (f.tenant_ids);
  IF f.refusal IS NULL THEN
    f.refusal := CASE
      WHEN NOT v_known THEN 'NOT_FOUND'
      WHEN p_input->>'mode' = 'FIXED' AND NOT EXISTS (SELECT FROM review.people WHERE person_id = (p_input->>'assigneeId')::uuid AND disabled_at IS NULL
        AND v_tenant = ANY (tenant_ids) AND roles && ARRAY['OPERATOR', 'APPROVER']) THEN 'ASSIGNEE_NOT_SUITABLE' END;
  END IF;
  IF f.refusal IS NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('onceover assignment ' || v_tenant, 0));
    UPDATE review.assignment_rules SET ended_at = f.now WHERE tenant_id = v_tenant AND operation IS NOT DISTINCT FROM p_input->>'operation'
      AND authority IS NOT DISTINCT FROM p_input->>'authority' AND ended_at IS NULL RETURNING rule_id INTO v_ended;
    IF p_input->>'mode' IS NOT NULL THEN
      INSERT INTO review.assignment_rules (tenant_id, operation, authority, mode, assignee_id, made_by, made_at)
        VALUES (v_tenant, p_input->>'operation', p_input->>'authority', p_input->>'mode', (p_input->>'assigneeId')::uuid, f.actor_id, f.now);
    ELSIF v_ended IS NULL THEN
      f.refusal := 'NOTHING_CHANGED';
    END IF;
  END IF;
  PERFORM review.append_audit('assignment.rule_changed', CASE WHEN f.refusal IS NULL THEN 'done' ELSE 'refused' END, f.refusal,
    CASE WHEN v_known THEN v_tenant END, NULL, NULL, NULL, p_input->>'operation', (p_input->>'operationId')::uuid,
    jsonb_strip_nulls(jsonb_build_object('authority', p_input->>'authority', 'mode', p_input->>'mode', 'to', p_input->>'assigneeId')));
  RETURN CASE WHEN f.refusal IS NULL THEN '{"outcome": "done"}'::jsonb ELSE jsonb_build_object('outcome', 'refused', 'code', f.refusal) END;
END
$$;
GRANT EXECUTE ON FUNCTION review.set_assignment_rule(jsonb) TO onceover_app;

-- Whose turn it is by this rule; null when nobody may have it now. Present is who worked here within ten minutes; a fixed owner need
-- not be. Whose rights change at this moment is passed over: they are held by whoever changes them.
CREATE FUNCTION review.next_assignee(r review.assignment_rules, p_authority text) RETURNS uuid
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p.person_id FROM review.people p LEFT JOIN review.assignment_turns t ON t.rule_id = (r).rule_id AND t.person_id = p.person_id
  WHERE p.disabled_at IS NULL AND (r).tenant_id = ANY (p.tenant_ids)
    AND review.may_decide(p.roles, ARRAY['OPERATOR', 'APPROVER'], p.authorities, p_authority) IS NULL
    AND CASE (r).mode WHEN 'FIXED' THEN p.person_id = (r).assignee_id ELSE EXISTS (
      SELECT FROM review.sessions s WHERE s.person_id = p.person_id AND s.revoked_at IS NULL AND s.expires_at > ledger.clock()
        AND s.last_seen_at > ledger.clock() - interval '10 minutes') END
  ORDER BY t.last_at NULLS FIRST, t.given NULLS FIRST, p.person_id LIMIT 1 FOR SHARE OF p SKIP LOCKED
$$;

-- Gives open exceptions that never had an owner one, by the rules. Each rule is one worker's at a time, so that turns are fair. What
-- somebody has given back stays with nobody. Answers how many were given.
CREATE FUNCTION review.apply_assignment_rules() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.assignment_rules;
  x record;
  v_person uuid;
  v_given integer := 0;
BEGIN
  FOR r IN SELECT * FROM review.assignment_rules WHERE ended_at IS NULL ORDER BY rule_id FOR NO KEY UPDATE SKIP LOCKED LOOP
    FOR x IN
      SELECT e.exception_id, e.tenant_id, e.execution_id, e.operation, o.authority FROM review.exceptions e
        CROSS JOIN LATERAL (SELECT (ledger.policy_for(e.tenant_id, e.operation)).authority) o
        WHERE e.tenant_id = r.tenant_id AND e.state = 'OPEN' AND e.assignee_id IS NULL AND e.operation = coalesce(r.operation, e.operation)
          AND o.authority = coalesce(r.authority, o.authority)
          AND NOT EXISTS (SELECT FROM review.assignment_rules n WHERE n.tenant_id = r.tenant_id AND n.ended_at IS NULL AND n.rule_id <> r.rule_id
            AND (n.operation = e.operation OR r.operation IS NULL AND r.authority IS NULL AND n.authority = o.authority))
          AND NOT EXISTS (SELECT FROM review.exception_events v WHERE v.exception_id = e.exception_id AND v.event = 'assigned')
        ORDER BY e.severity, e.due_at, e.exception_id LIMIT 50 FOR NO KEY UPDATE OF e SKIP LOCKED
    LOOP
      v_person := review.next_assignee(r, x.authority);
      IF v_person IS NULL THEN
        PERFORM review.note_event(x.exception_id, 'rule_waits', '{}')
          WHERE NOT EXISTS (SELECT FROM review.exception_events v WHERE v.exception_id = x.exception_id AND v.event = 'rule_waits');
        CONTINUE;
      END IF;
      UPDATE review.exceptions SET assignee_id = v_person WHERE exception_id = x.exception_id;
      INSERT INTO review.assignment_turns VALUES (r.rule_id, v_person, 1, ledger.clock())
        ON CONFLICT (rule_id, person_id) DO UPDATE SET given = assignment_turns.given + 1, last_at = excluded.last_at;
      PERFORM review.note_event(x.exception_id, 'assigned', jsonb_build_object('from', NULL, 'to', v_person, 'ruleId', r.rule_id));
      PERFORM review.append_audit('exception.assigned', 'done', NULL, x.tenant_id, x.exception_id, x.execution_id, NULL, x.operation, NULL,
        jsonb_build_object('from', NULL, 'to', v_person, 'ruleId', r.rule_id));
      v_given := v_given + 1;
    END LOOP;
  END LOOP;
  RETURN v_given;
END
$$;
GRANT EXECUTE ON FUNCTION review.apply_assignment_rules() TO onceover_worker;

CREATE OR REPLACE FUNCTION review.erase_copies(s review.erasure_subject, p_exceptions uuid[], p_requests uuid[], p_mark text) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.decisions SET rationale = p_mark
    WHERE (exception_id = ANY (p_exceptions) OR execution_id = s.execution) AND rationale IS NOT NULL;
  UPDATE review.decisions SET params = review.erased_params(params, p_mark) WHERE exception_id = ANY (p_exceptions) OR execution_id = s.execution;
  UPDATE review.approval_requests SET rationale = p_mark, params = review.erased_params(params, p_mark) WHERE request_id = ANY (p_requests);
  UPDATE review.approval_decisions SET rationale = p_mark WHERE request_id = ANY (p_requests);
  UPDATE review.break_glass_uses SET reason = p_mark, review_rationale = p_mark WHERE request_id = ANY (p_requests);
  UPDATE review.exceptions SET next_place = p_mark WHERE exception_id = ANY (p_exceptions) AND next_place IS NOT NULL;
  UPDATE review.exception_events SET detail = detail || (SELECT coalesce(jsonb_object_agg(name, p_mark), '{}'::jsonb)
        FROM unnest(ARRAY['text', 'place', 'reason', 'rationale', 'seen']) name WHERE jsonb_typeof(detail->name) = 'string' AND detail->>name <> '')
    WHERE exception_id = ANY (p_exceptions) AND event IN ('commented', 'deferred');
  UPDATE review.lookups SET seen = p_mark, place = p_mark
    WHERE (exception_id = ANY (p_exceptions) OR execution_id = s.execution) AND seen IS NOT NULL;
  UPDATE review.report_checks c SET place = p_mark, remark = CASE WHEN remark IS NOT NULL THEN p_mark END, address = NULL
    FROM review.report_rows w WHERE w.report_id = c.report_id AND w.row_number = c.row_number
      AND (w.exception_id = ANY (p_exceptions) OR w.orphan_id = ANY (p_exceptions) OR w.execution_id = s.execution);
  DELETE FROM review.ticket_links WHERE exception_id = ANY (p_exceptions);
  DELETE FROM review.notifications WHERE person_id = s.person;
  DELETE FROM review.notification_settings WHERE person_id = s.person;
  UPDATE review.right_grants SET reason = p_mark WHERE person_id = s.person;
  -- From where somebody worked; an open session is still shown to whoever has it.
  UPDATE review.sessions SET user_agent = NULL, source_address = NULL
    WHERE person_id = s.person AND (revoked_at IS NOT NULL OR expires_at <= ledger.clock());
  UPDATE review.policy_proposals SET reason = p_mark WHERE tenant_id = s.policy->>'tenantId' AND operation = s.policy->>'operation';
  UPDATE review.connector_proposals SET reason = p_mark WHERE connector_id = s.connector;
  UPDATE review.policy_proposals p SET content = review.policy_without_words(content, p_mark)
    WHERE tenant_id = s.policy->>'tenantId' AND operation = s.policy->>'operation' AND kind = 'OPERATION'
      AND NOT EXISTS (SELECT FROM ledger.operation_policies v WHERE v.proposal_id = p.proposal_id AND v.retired_at IS NULL);
  UPDATE ledger.operation_policies v SET (guide, protection_document, protection_key_scope, protection_checked_by, outcome_codes)
      = (SELECT n.guide, n.protection_document, n.protection_key_scope, n.protection_checked_by, n.outcome_codes
         FROM review.operation_policy_of(review.policy_without_words(review.operation_policy_content(v), p_mark)) n)
    WHERE tenant_id = s.policy->>'tenantId' AND operation = s.policy->>'operation' AND retired_at IS NOT NULL;
END
$$;
