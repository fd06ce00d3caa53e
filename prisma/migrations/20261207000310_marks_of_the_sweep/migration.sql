-- R-049 What the sweep still has to do about each open exception, as marks with indexes of their own: rules of assignment and reminders look
-- at what is due and at nothing else, and what nobody may take holds up nothing behind it. The marks are no columns of the exception: a
-- change of one would be a new version of it, and refuse whoever has it open.
-- Replaced here: apply_assignment_rules (it looked at the first 50 whoever might take them), remind_overdue.

CREATE TABLE review.sweep_marks (
  exception_id uuid PRIMARY KEY REFERENCES review.exceptions (exception_id),
  tenant_id    text NOT NULL REFERENCES review.tenants (tenant_id),
  operation    text COLLATE "C" NOT NULL,
  severity     smallint NOT NULL,
  due_at       timestamptz(6) NOT NULL,
  -- It never had an owner: what somebody gave back stays with nobody.
  to_assign    boolean NOT NULL,
  -- Said once that no rule found anybody.
  rule_waits   boolean NOT NULL DEFAULT false,
  -- When its owner is to hear that it is overdue; null: nothing to say, or said.
  remind_at    timestamptz(6)
);
CREATE INDEX sweep_marks_to_assign ON review.sweep_marks (tenant_id, operation, severity, due_at, exception_id) WHERE to_assign;
CREATE INDEX sweep_marks_unsaid ON review.sweep_marks (tenant_id, operation) WHERE to_assign AND NOT rule_waits;
CREATE INDEX sweep_marks_to_remind ON review.sweep_marks (remind_at) WHERE remind_at IS NOT NULL;
GRANT SELECT ON review.sweep_marks TO onceover_app;

-- Which operations have overdue work without owner is asked by steps through this index, which
-- deferrals are over and which notifications are old by the others.
DROP INDEX review.exceptions_to_assign;
CREATE INDEX exceptions_unowned_by_due ON review.exceptions (tenant_id, operation, due_at) WHERE state = 'OPEN' AND assignee_id IS NULL;
CREATE INDEX notifications_old ON review.notifications (made_at) WHERE planned_at IS NOT NULL;
CREATE INDEX exceptions_deferred ON review.exceptions (deferred_until) WHERE state = 'OPEN' AND deferred_until IS NOT NULL;

-- An owner is reminded when it is due, and not while it is deferred.
CREATE FUNCTION review.remind_at(x review.exceptions) RETURNS timestamptz
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT CASE WHEN x.assignee_id IS NOT NULL THEN greatest(x.due_at, x.deferred_until) END $$;

CREATE FUNCTION review.sweep_marks_follow() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NEW.state = 'CLOSED' THEN
    DELETE FROM review.sweep_marks WHERE exception_id = NEW.exception_id;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO review.sweep_marks (exception_id, tenant_id, operation, severity, due_at, to_assign, remind_at)
      VALUES (NEW.exception_id, NEW.tenant_id, NEW.operation, NEW.severity, NEW.due_at, NEW.assignee_id IS NULL, review.remind_at(NEW));
  ELSE
    UPDATE review.sweep_marks SET severity = NEW.severity, due_at = NEW.due_at, to_assign = to_assign AND NEW.assignee_id IS NULL,
        remind_at = CASE WHEN (NEW.assignee_id, NEW.due_at, NEW.deferred_until) IS DISTINCT FROM (OLD.assignee_id, OLD.due_at, OLD.deferred_until)
          THEN review.remind_at(NEW) ELSE remind_at END
      WHERE exception_id = NEW.exception_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER sweep_marks_follow_new AFTER INSERT ON review.exceptions FOR EACH ROW EXECUTE FUNCTION review.sweep_marks_follow();
CREATE TRIGGER sweep_marks_follow_change AFTER UPDATE ON review.exceptions FOR EACH ROW
  WHEN ((NEW.state, NEW.assignee_id, NEW.severity, NEW.due_at, NEW.deferred_until)
    IS DISTINCT FROM (OLD.state, OLD.assignee_id, OLD.severity, OLD.due_at, OLD.deferred_until)) EXECUTE FUNCTION review.sweep_marks_follow();
REVOKE EXECUTE ON FUNCTION review.sweep_marks_follow(), review.remind_at(review.exceptions) FROM PUBLIC;

INSERT INTO review.sweep_marks (exception_id, tenant_id, operation, severity, due_at, to_assign, rule_waits, remind_at)
  SELECT x.exception_id, x.tenant_id, x.operation, x.severity, x.due_at,
         x.assignee_id IS NULL AND NOT EXISTS (SELECT FROM review.exception_events v WHERE v.exception_id = x.exception_id AND v.event = 'assigned'),
         EXISTS (SELECT FROM review.exception_events v WHERE v.exception_id = x.exception_id AND v.event = 'rule_waits'), review.remind_at(x)
  FROM review.exceptions x WHERE x.state = 'OPEN';

-- The operations of a tenant in which something waits for its first owner, by steps through the index.
CREATE FUNCTION review.operations_to_assign(p_tenant_id text) RETURNS SETOF text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  WITH RECURSIVE found AS (
    (SELECT m.operation FROM review.sweep_marks m WHERE m.to_assign AND m.tenant_id = p_tenant_id ORDER BY m.operation LIMIT 1)
    UNION ALL
    SELECT n.operation FROM found f CROSS JOIN LATERAL (
      SELECT m.operation FROM review.sweep_marks m WHERE m.to_assign AND m.tenant_id = p_tenant_id AND m.operation > f.operation
        ORDER BY m.operation LIMIT 1) n
  ) SELECT operation FROM found
$$;

-- Changed: an operation that nobody may take at this moment is passed over as a whole, so that what stands behind it comes first. For each
-- rule the work of one sweep has a bound, however much waits: 50 are given, and of 50 it is said that they wait.
CREATE OR REPLACE FUNCTION review.apply_assignment_rules() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.assignment_rules;
  x record;
  v_taken text[];
  v_nobodys text[];
  v_person uuid;
  v_given integer := 0;
BEGIN
  FOR r IN SELECT * FROM review.assignment_rules WHERE ended_at IS NULL ORDER BY rule_id FOR NO KEY UPDATE SKIP LOCKED LOOP
    v_taken := '{}';
    v_nobodys := '{}';
    FOR x IN
      SELECT o.operation, p.authority FROM review.operations_to_assign(r.tenant_id) AS o (operation)
        CROSS JOIN LATERAL (SELECT (ledger.policy_for(r.tenant_id, o.operation)).authority) p
        WHERE o.operation = coalesce(r.operation, o.operation) AND p.authority = coalesce(r.authority, p.authority)
          AND NOT EXISTS (SELECT FROM review.assignment_rules n WHERE n.tenant_id = r.tenant_id AND n.ended_at IS NULL AND n.rule_id <> r.rule_id
            AND (n.operation = o.operation OR r.operation IS NULL AND r.authority IS NULL AND n.authority = p.authority))
    LOOP
      IF review.next_assignee(r, x.authority) IS NULL THEN v_nobodys := v_nobodys || x.operation; ELSE v_taken := v_taken || x.operation; END IF;
    END LOOP;
    FOR x IN
      SELECT m.exception_id FROM review.sweep_marks m WHERE m.to_assign AND NOT m.rule_waits AND m.tenant_id = r.tenant_id
        AND m.operation = ANY (v_nobodys) LIMIT 50 FOR UPDATE SKIP LOCKED
    LOOP
      UPDATE review.sweep_marks SET rule_waits = true WHERE exception_id = x.exception_id;
      PERFORM review.note_event(x.exception_id, 'rule_waits', '{}');
    END LOOP;
    FOR x IN
      SELECT w.exception_id FROM unnest(v_taken) AS o (operation) CROSS JOIN LATERAL (
          SELECT m.exception_id, m.severity, m.due_at FROM review.sweep_marks m
          WHERE m.to_assign AND m.tenant_id = r.tenant_id AND m.operation = o.operation ORDER BY m.severity, m.due_at, m.exception_id LIMIT 50) w
        ORDER BY w.severity, w.due_at, w.exception_id LIMIT 50
    LOOP
      -- Whoever holds it is acting on it at this moment.
      SELECT e.exception_id, e.tenant_id, e.execution_id, e.operation INTO x FROM review.exceptions e
        WHERE e.exception_id = x.exception_id AND e.state = 'OPEN' AND e.assignee_id IS NULL FOR NO KEY UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      v_person := review.next_assignee(r, (ledger.policy_for(x.tenant_id, x.operation)).authority);
      CONTINUE WHEN v_person IS NULL;
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

-- Changed: what is due is found by its mark, and operations with overdue work that nobody owns by steps through an index.
CREATE OR REPLACE FUNCTION review.remind_overdue() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_now timestamptz := ledger.clock();
  v_day text := to_char(v_now AT TIME ZONE 'UTC', 'YYYY-MM-DD');
  x record;
  v_told integer := 0;
BEGIN
  FOR x IN
    SELECT m.exception_id, m.tenant_id, e.assignee_id FROM review.sweep_marks m JOIN review.exceptions e USING (exception_id)
      WHERE m.remind_at <= v_now ORDER BY m.remind_at LIMIT 500 FOR UPDATE OF m SKIP LOCKED
  LOOP
    v_told := v_told + review.notify(ARRAY[x.assignee_id], 'OVERDUE', x.tenant_id, x.exception_id, NULL, NULL, x.exception_id::text);
    UPDATE review.sweep_marks SET remind_at = NULL WHERE exception_id = x.exception_id;
  END LOOP;
  FOR x IN
    WITH RECURSIVE unowned AS (
      (SELECT e.tenant_id, e.operation FROM review.exceptions e WHERE e.state = 'OPEN' AND e.assignee_id IS NULL ORDER BY e.tenant_id, e.operation LIMIT 1)
      UNION ALL
      SELECT n.tenant_id, n.operation FROM unowned u CROSS JOIN LATERAL (
        SELECT e.tenant_id, e.operation FROM review.exceptions e WHERE e.state = 'OPEN' AND e.assignee_id IS NULL
          AND (e.tenant_id, e.operation) > (u.tenant_id, u.operation) ORDER BY e.tenant_id, e.operation LIMIT 1) n
    )
    SELECT o.tenant_id, array_agg(DISTINCT p.person_id) AS people
      FROM (SELECT u.tenant_id, u.operation FROM unowned u WHERE EXISTS (SELECT FROM review.exceptions e WHERE e.state = 'OPEN' AND e.assignee_id IS NULL
        AND e.tenant_id = u.tenant_id AND e.operation = u.operation AND e.due_at <= v_now)) o
      CROSS JOIN LATERAL (SELECT (ledger.policy_for(o.tenant_id, o.operation)).authority) a
      JOIN review.people p ON o.tenant_id = ANY (p.tenant_ids) AND p.disabled_at IS NULL
        AND review.may_decide(p.roles, ARRAY['OPERATOR', 'APPROVER'], p.authorities, a.authority) IS NULL
      WHERE NOT EXISTS (SELECT FROM review.notifications n WHERE n.person_id = p.person_id AND n.reason = 'UNOWNED' AND n.cause = o.tenant_id || ' ' || v_day)
      GROUP BY o.tenant_id
  LOOP
    v_told := v_told + review.notify(x.people, 'UNOWNED', x.tenant_id, NULL, NULL, NULL, x.tenant_id || ' ' || v_day);
  END LOOP;
  -- What is older than the queue's memory of it is nobody's news.
  DELETE FROM review.notifications WHERE notification_id IN (
    SELECT notification_id FROM review.notifications WHERE made_at < v_now - interval '90 days' AND planned_at IS NOT NULL LIMIT 500);
  RETURN v_told;
END
$$;
