-- People are managed by administrators on pages. No administrator alone can raise anybody's power to decide, nobody
-- changes their own rights, one active administrator always stays, and a right counts for what was asked after it.
-- Private SQLSTATEs: OA011 own rights, OA012 last administrator, OA013 a right newer than the request, OA014 a second
-- administrator is missing.

INSERT INTO review.audit_event_types (event) VALUES
  ('people.rights_changed'), ('people.grant_requested'), ('people.grant_confirmed'), ('people.grant_ended'),
  ('people.disabled'), ('people.enabled'), ('people.reset'), ('session.ended');

-- Since when each right is held. Kept by trigger for every writer.
CREATE TABLE review.person_rights (
  person_id uuid NOT NULL REFERENCES review.people (person_id),
  kind      text NOT NULL CONSTRAINT person_rights_kind_known CHECK (kind IN ('ROLE', 'AUTHORITY', 'TENANT')),
  name      text NOT NULL,
  since     timestamptz(6) NOT NULL,
  PRIMARY KEY (person_id, kind, name)
);
INSERT INTO review.person_rights (person_id, kind, name, since)
  SELECT p.person_id, held.kind, held.name, p.created_at FROM review.people p CROSS JOIN LATERAL (
    SELECT 'ROLE' AS kind, unnest(p.roles) AS name UNION SELECT 'AUTHORITY', unnest(p.authorities) UNION SELECT 'TENANT', unnest(p.tenant_ids)
  ) held;
GRANT SELECT ON review.person_rights TO onceover_app;

CREATE FUNCTION review.keep_person_rights() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM review.person_rights WHERE person_id = NEW.person_id
    AND NOT name = ANY (CASE kind WHEN 'ROLE' THEN NEW.roles WHEN 'AUTHORITY' THEN NEW.authorities ELSE NEW.tenant_ids END);
  INSERT INTO review.person_rights (person_id, kind, name, since)
    SELECT NEW.person_id, held.kind, held.name, ledger.clock() FROM (
      SELECT 'ROLE' AS kind, unnest(NEW.roles) AS name UNION SELECT 'AUTHORITY', unnest(NEW.authorities) UNION SELECT 'TENANT', unnest(NEW.tenant_ids)
    ) held
    ON CONFLICT (person_id, kind, name) DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER people_keep_rights AFTER INSERT OR UPDATE OF roles, authorities, tenant_ids ON review.people
  FOR EACH ROW EXECUTE FUNCTION review.keep_person_rights();
ALTER TABLE review.people ENABLE ALWAYS TRIGGER people_keep_rights;

-- AZ-15: whether somebody held, when the request was made, what deciding it takes: a right that came later decides nothing of it.
CREATE FUNCTION review.rights_are_older(p_person_id uuid, p_request_id uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (SELECT FROM review.person_rights WHERE person_id = p_person_id AND kind = 'ROLE'
                   AND name = ANY (review.roles_for_request(r.kind)) AND since <= r.requested_at)
     AND EXISTS (SELECT FROM review.person_rights WHERE person_id = p_person_id AND kind = 'TENANT'
                   AND name = r.tenant_id AND since <= r.requested_at)
     AND (o.authority = 'general'
       OR EXISTS (SELECT FROM review.person_rights WHERE person_id = p_person_id AND kind = 'AUTHORITY'
                    AND name = o.authority AND since <= r.requested_at))
  FROM review.approval_requests r CROSS JOIN LATERAL ledger.policy_for(r.tenant_id, r.operation) o WHERE r.request_id = p_request_id
$$;
GRANT EXECUTE ON FUNCTION review.rights_are_older(uuid, uuid) TO onceover_app;

CREATE FUNCTION review.refuse_later_rights() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF review.rights_are_older(NEW.approver_id, NEW.request_id) IS NOT TRUE THEN
    RAISE EXCEPTION 'the right is newer than request %', NEW.request_id USING ERRCODE = 'OA013';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER approval_decisions_refuse_later_rights AFTER INSERT ON review.approval_decisions
  FOR EACH ROW EXECUTE FUNCTION review.refuse_later_rights();
ALTER TABLE review.approval_decisions ENABLE ALWAYS TRIGGER approval_decisions_refuse_later_rights;

-- What one administrator asks for somebody and another confirms: APPROVER, ADMIN and authorities.
CREATE TABLE review.right_grants (
  grant_id     uuid PRIMARY KEY DEFAULT ledger.new_id(),
  person_id    uuid NOT NULL REFERENCES review.people (person_id),
  roles        text[] NOT NULL,
  authorities  text[] NOT NULL,
  reason       text NOT NULL CONSTRAINT right_grants_say_why CHECK (review.visible_length(reason) BETWEEN 10 AND 4000),
  requested_by uuid NOT NULL REFERENCES review.people (person_id),
  requested_at timestamptz(6) NOT NULL,
  expires_at   timestamptz(6) NOT NULL,
  -- CONFIRMED lasts within one transaction only: the change of the person's row uses it up.
  state        text NOT NULL DEFAULT 'PENDING'
               CONSTRAINT right_grants_state_known CHECK (state IN ('PENDING', 'CONFIRMED', 'APPLIED', 'REJECTED', 'WITHDRAWN', 'EXPIRED')),
  decided_by   uuid REFERENCES review.people (person_id),
  decided_at   timestamptz(6),
  CONSTRAINT right_grants_give_something CHECK (cardinality(roles) + cardinality(authorities) > 0),
  CONSTRAINT right_grants_roles_need_two CHECK (roles <@ ARRAY['APPROVER', 'ADMIN']),
  CONSTRAINT right_grants_not_for_oneself CHECK (person_id <> requested_by AND person_id <> decided_by),
  CONSTRAINT right_grants_two_administrators CHECK (state NOT IN ('CONFIRMED', 'APPLIED') OR (decided_by IS NOT NULL AND decided_by <> requested_by))
);
CREATE UNIQUE INDEX right_grants_one_pending ON review.right_grants (person_id) WHERE state = 'PENDING';
CREATE INDEX right_grants_person ON review.right_grants (person_id, requested_at);

CREATE FUNCTION review.keep_grant() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF to_jsonb(NEW) - ARRAY['state', 'decided_by', 'decided_at'] <> to_jsonb(OLD) - ARRAY['state', 'decided_by', 'decided_at']
     OR NOT ((OLD.state = 'PENDING' AND NEW.state IN ('CONFIRMED', 'REJECTED', 'WITHDRAWN', 'EXPIRED'))
          OR (OLD.state = 'CONFIRMED' AND NEW.state = 'APPLIED' AND NEW.decided_by = OLD.decided_by)) THEN
    RAISE EXCEPTION 'grant % never changes what it gives, and ends once', OLD.grant_id USING ERRCODE = 'OA002';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER right_grants_keep BEFORE UPDATE ON review.right_grants FOR EACH ROW EXECUTE FUNCTION review.keep_grant();
CREATE TRIGGER right_grants_stay BEFORE DELETE OR TRUNCATE ON review.right_grants FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
CREATE TRIGGER right_grants_require_context BEFORE INSERT OR UPDATE ON review.right_grants
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
ALTER TABLE review.right_grants ENABLE ALWAYS TRIGGER right_grants_keep;
ALTER TABLE review.right_grants ENABLE ALWAYS TRIGGER right_grants_stay;
GRANT SELECT ON review.right_grants TO onceover_app;

-- For every writer who is a person; installation programs (system actors, run by the owner) answer by themselves.
CREATE FUNCTION review.guard_rights() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_me text := current_setting('onceover.actor_id', true);
  v_roles text[];
  v_authorities text[];
BEGIN
  IF current_setting('onceover.actor_kind', true) IS DISTINCT FROM 'person' THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.person_id::text = v_me
     AND (NEW.roles, NEW.authorities, NEW.tenant_ids, NEW.disabled_at) IS DISTINCT FROM (OLD.roles, OLD.authorities, OLD.tenant_ids, OLD.disabled_at) THEN
    RAISE EXCEPTION 'nobody changes their own rights' USING ERRCODE = 'OA011';
  END IF;
  SELECT coalesce(array_agg(name), '{}') INTO v_roles FROM unnest(NEW.roles) name
    WHERE name IN ('APPROVER', 'ADMIN') AND (TG_OP = 'INSERT' OR NOT name = ANY (OLD.roles));
  SELECT coalesce(array_agg(name), '{}') INTO v_authorities FROM unnest(NEW.authorities) name
    WHERE TG_OP = 'INSERT' OR NOT name = ANY (OLD.authorities);
  IF cardinality(v_roles) + cardinality(v_authorities) > 0 THEN
    UPDATE review.right_grants SET state = 'APPLIED'
      WHERE person_id = NEW.person_id AND state = 'CONFIRMED' AND decided_by::text = v_me
        AND roles @> v_roles AND authorities @> v_authorities;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'a second administrator has to confirm it' USING ERRCODE = 'OA014';
    END IF;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER people_guard_rights BEFORE INSERT OR UPDATE OF roles, authorities, tenant_ids, disabled_at ON review.people
  FOR EACH ROW EXECUTE FUNCTION review.guard_rights();
ALTER TABLE review.people ENABLE ALWAYS TRIGGER people_guard_rights;

-- Two administrators who take each other's role away at once queue here; the second finds nobody left but himself.
CREATE FUNCTION review.keep_an_administrator() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('onceover active administrators', 0));
  IF NOT EXISTS (SELECT FROM review.people WHERE 'ADMIN' = ANY (roles) AND disabled_at IS NULL) THEN
    RAISE EXCEPTION 'one active administrator has to stay' USING ERRCODE = 'OA012';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER people_keep_an_administrator AFTER UPDATE OF roles, disabled_at ON review.people FOR EACH ROW
  WHEN ('ADMIN' = ANY (OLD.roles) AND OLD.disabled_at IS NULL AND NOT ('ADMIN' = ANY (NEW.roles) AND NEW.disabled_at IS NULL))
  EXECUTE FUNCTION review.keep_an_administrator();
CREATE TRIGGER people_keep_an_administrator_there AFTER DELETE ON review.people FOR EACH ROW
  WHEN ('ADMIN' = ANY (OLD.roles) AND OLD.disabled_at IS NULL) EXECUTE FUNCTION review.keep_an_administrator();
ALTER TABLE review.people ENABLE ALWAYS TRIGGER people_keep_an_administrator;
ALTER TABLE review.people ENABLE ALWAYS TRIGGER people_keep_an_administrator_there;
