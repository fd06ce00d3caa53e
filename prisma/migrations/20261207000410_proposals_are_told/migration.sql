-- R-049 A change of a policy, of a connector or of somebody's rights that waits for a second administrator is told to those who may confirm it,
-- in the transaction that files it, by a trigger of each table, so that no way of filing one forgets it.
-- Replaced here: notify (it names a proposal), begin_message.

ALTER TABLE review.notifications
  -- Of policy_proposals, connector_proposals or right_grants.
  ADD COLUMN proposal_id uuid,
  DROP CONSTRAINT notifications_have_subject,
  ADD CONSTRAINT notifications_have_subject CHECK (reason = 'UNOWNED' OR num_nonnulls(exception_id, request_id, job_id, proposal_id) > 0);

DROP FUNCTION review.notify(uuid[], text, text, uuid, uuid, uuid, text);
CREATE FUNCTION review.notify(p_people uuid[], p_reason text, p_tenant_id text, p_exception_id uuid, p_request_id uuid, p_job_id uuid, p_cause text,
  p_proposal_id uuid DEFAULT NULL) RETURNS integer
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  WITH told AS (
  INSERT INTO review.notifications (person_id, tenant_id, reason, exception_id, request_id, job_id, cause, proposal_id, actor_id)
  SELECT p.person_id, p_tenant_id, p_reason, p_exception_id, p_request_id, p_job_id, p_cause, p_proposal_id,
         CASE WHEN a.actor_kind = 'person' THEN a.actor_id::uuid END
  FROM review.acting() a, review.people p
  WHERE p.person_id = ANY (p_people) AND p.disabled_at IS NULL AND p_tenant_id = ANY (p.tenant_ids) AND p.person_id::text <> a.actor_id
  ON CONFLICT ON CONSTRAINT notifications_once DO NOTHING RETURNING 1)
  SELECT count(*)::integer FROM told
$$;
REVOKE EXECUTE ON FUNCTION review.notify(uuid[], text, text, uuid, uuid, uuid, text, uuid) FROM PUBLIC;

-- What a proposal is about, as a code and an id for its address; null where there is none.
CREATE FUNCTION review.proposal_told(p_proposal_id uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object('of', 'POLICY', 'subject', p.operation) FROM review.policy_proposals p WHERE p.proposal_id = p_proposal_id
  UNION ALL SELECT jsonb_build_object('of', 'CONNECTOR', 'subject', p.connector_id) FROM review.connector_proposals p WHERE p.proposal_id = p_proposal_id
  UNION ALL SELECT jsonb_build_object('of', 'RIGHTS', 'subject', g.person_id) FROM review.right_grants g WHERE g.grant_id = p_proposal_id
$$;
REVOKE EXECUTE ON FUNCTION review.proposal_told(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.proposal_told(uuid) TO onceover_app;

-- Administrators with all of these tenants, for whom the proposal is not; notify leaves out whoever files it. The most that are told is 200.
CREATE FUNCTION review.ask_administrators(p_proposal_id uuid, p_tenant_ids text[], p_not uuid) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT review.notify(ARRAY(SELECT p.person_id FROM review.people p WHERE 'ADMIN' = ANY (p.roles) AND p_tenant_ids <@ p.tenant_ids
      AND p.disabled_at IS NULL AND p.person_id IS DISTINCT FROM p_not ORDER BY p.person_id LIMIT 200),
    'DECISION_ASKED', (SELECT min(t) FROM unnest(p_tenant_ids) t), NULL, NULL, NULL, 'proposal:' || p_proposal_id, p_proposal_id)
$$;
REVOKE EXECUTE ON FUNCTION review.ask_administrators(uuid, text[], uuid) FROM PUBLIC;

CREATE FUNCTION review.notifications_follow_policy() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM review.ask_administrators(NEW.proposal_id, ARRAY[NEW.tenant_id], NULL);
  RETURN NULL;
END
$$;
CREATE FUNCTION review.notifications_follow_connector() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- One for every tenant is confirmed by those who have them all.
  PERFORM review.ask_administrators(NEW.proposal_id,
    CASE WHEN NEW.tenant_id IS NULL THEN ARRAY(SELECT tenant_id FROM review.tenants) ELSE ARRAY[NEW.tenant_id] END, NULL);
  RETURN NULL;
END
$$;
CREATE FUNCTION review.notifications_follow_grant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM review.ask_administrators(NEW.grant_id, (SELECT p.tenant_ids || NEW.tenant_ids FROM review.people p WHERE p.person_id = NEW.person_id), NEW.person_id);
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION review.notifications_follow_policy(), review.notifications_follow_connector(), review.notifications_follow_grant() FROM PUBLIC;
CREATE TRIGGER notifications_follow_policy AFTER INSERT ON review.policy_proposals
  FOR EACH ROW WHEN (NEW.state = 'PENDING') EXECUTE FUNCTION review.notifications_follow_policy();
CREATE TRIGGER notifications_follow_connector AFTER INSERT ON review.connector_proposals
  FOR EACH ROW WHEN (NEW.state = 'PENDING') EXECUTE FUNCTION review.notifications_follow_connector();
CREATE TRIGGER notifications_follow_grant AFTER INSERT ON review.right_grants
  FOR EACH ROW WHEN (NEW.state = 'PENDING') EXECUTE FUNCTION review.notifications_follow_grant();

-- Changed: a proposal is named.
CREATE OR REPLACE FUNCTION review.begin_message(p_message_id uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  m review.outbox_messages;
  p review.people;
  v_items jsonb;
BEGIN
  SELECT * INTO m FROM review.outbox_messages WHERE message_id = p_message_id AND state = 'WAITING' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF m.attempts >= 8 THEN
    UPDATE review.outbox_messages SET state = 'DEAD', ended_at = ledger.clock(), failure = coalesce(failure, 'KILLED') WHERE message_id = m.message_id;
    RETURN NULL;
  END IF;
  SELECT * INTO p FROM review.people WHERE person_id = m.person_id;
  SELECT jsonb_agg(jsonb_build_object('reason', n.reason, 'tenant', t.display_name, 'tenantId', n.tenant_id, 'kind', x.kind, 'severity', x.severity,
           'exceptionId', n.exception_id, 'requestId', n.request_id, 'jobId', n.job_id,
           'proposal', review.proposal_told(n.proposal_id), 'jobRows', CASE WHEN n.reason = 'ASSIGNED' THEN j.done END) ORDER BY n.made_at, n.notification_id) INTO v_items
    FROM review.outbox_items i JOIN review.notifications n USING (notification_id) JOIN review.tenants t ON t.tenant_id = n.tenant_id
    LEFT JOIN review.exceptions x USING (exception_id) LEFT JOIN review.bulk_jobs j ON j.job_id = n.job_id
    WHERE i.message_id = m.message_id AND n.read_at IS NULL AND p.disabled_at IS NULL AND n.tenant_id = ANY (p.tenant_ids);
  UPDATE review.outbox_messages SET attempts = attempts + 1, tried_at = ledger.clock(),
      state = CASE WHEN v_items IS NULL THEN 'DROPPED' ELSE state END, ended_at = CASE WHEN v_items IS NULL THEN ledger.clock() END
    WHERE message_id = m.message_id;
  RETURN CASE WHEN v_items IS NOT NULL THEN jsonb_build_object('messageId', m.message_id, 'way', m.way, 'email', p.email, 'locale', p.locale,
    'name', p.display_name, 'secret', (SELECT chat_secret FROM review.notification_settings WHERE person_id = m.person_id), 'items', v_items) END;
END
$$;
