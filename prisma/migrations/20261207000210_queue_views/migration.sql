-- Saved views of the queue and its columns: what a person keeps for themselves, and may share with their tenants. Neither gives a right:
-- a view is an address, which shows each reader what they may see.

CREATE TABLE review.queue_views (
  -- Made with the form, so that saving sent again saves once.
  view_id    uuid PRIMARY KEY,
  owner_id   uuid NOT NULL REFERENCES review.people (person_id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  -- Nothing in it that does not show: two names that look the same are one.
  name       text NOT NULL CONSTRAINT queue_views_name_shows CHECK (char_length(name) BETWEEN 1 AND 60 AND review.visible_length(name) = char_length(name)
    -- The characters of review.visible_length: it counts one between two letters as a blank.
    AND name !~ '[\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff]'),
  name_key   text COLLATE "C" NOT NULL CONSTRAINT queue_views_key_is_the_name CHECK (name_key = lower(normalize(name, NFKC))),
  -- The query of the queue's address, without the words searched for.
  address    text NOT NULL CONSTRAINT queue_views_address_is_a_query CHECK (char_length(address) <= 4000 AND (address = '' OR address ~ '^[?][^[:space:]#]+$')),
  version    integer NOT NULL DEFAULT 1,
  updated_at timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  CONSTRAINT queue_views_one_name_per_owner UNIQUE (owner_id, name_key),
  CONSTRAINT queue_views_bear_their_name UNIQUE (view_id, name_key)
);

-- With whom; no row: its owner's alone.
CREATE TABLE review.queue_view_shares (
  view_id   uuid NOT NULL,
  tenant_id text NOT NULL REFERENCES review.tenants (tenant_id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  name_key  text COLLATE "C" NOT NULL,
  PRIMARY KEY (view_id, tenant_id),
  CONSTRAINT queue_view_shares_one_name_per_tenant UNIQUE (tenant_id, name_key),
  CONSTRAINT queue_view_shares_bear_its_name FOREIGN KEY (view_id, name_key) REFERENCES review.queue_views (view_id, name_key) ON DELETE CASCADE ON UPDATE CASCADE
);
GRANT SELECT ON review.queue_views, review.queue_view_shares TO onceover_app;

CREATE FUNCTION review.names_each_once(p_names text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT count(*) = count(DISTINCT name) FROM unnest(p_names) name $$;

-- Which columns of the queue somebody sees, in their order; no row: the default.
CREATE TABLE review.queue_columns (
  person_id uuid PRIMARY KEY REFERENCES review.people (person_id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  columns   text[] NOT NULL CONSTRAINT queue_columns_are_known CHECK (
    columns <@ ARRAY['severity', 'kind', 'work', 'state', 'amount', 'age', 'due', 'assignee', 'next'] AND columns @> ARRAY['kind', 'work'] AND review.names_each_once(columns))
);
GRANT SELECT ON review.queue_columns TO onceover_app;

-- Saves a view as its form says it, whole: new, or in place of the version that the form stood on. Only its owner's.
CREATE FUNCTION review.keep_queue_view(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a record;
  v review.queue_views;
  v_id uuid := (p_input->>'viewId')::uuid;
  v_name text := p_input->>'name';
  v_version integer := (p_input->>'version')::integer;
  v_tenants text[] := ARRAY(SELECT DISTINCT jsonb_array_elements_text(p_input->'tenantIds') ORDER BY 1);
BEGIN
  SELECT * INTO a FROM review.held_actor();
  IF a.person_id IS NULL THEN RAISE EXCEPTION 'only a person saves a view' USING ERRCODE = 'OA003'; END IF;
  -- One person's views change one after the other, whatever browsers they have open.
  PERFORM pg_advisory_xact_lock(hashtextextended('queue_views ' || a.person_id, 0));
  SELECT * INTO v FROM review.queue_views WHERE view_id = v_id FOR UPDATE;
  IF v.view_id IS NULL AND v_version IS NOT NULL
     OR v.owner_id <> a.person_id AND NOT EXISTS (SELECT FROM review.queue_view_shares WHERE view_id = v_id AND tenant_id = ANY (a.tenant_ids)) THEN
    RETURN '{"outcome": "refused", "code": "NOT_FOUND"}';
  END IF;
  IF v.owner_id <> a.person_id THEN RETURN '{"outcome": "refused", "code": "NOT_YOUR_VIEW"}'; END IF;
  IF NOT v_tenants <@ a.tenant_ids THEN RETURN '{"outcome": "refused", "code": "TENANT_NOT_GRANTED"}'; END IF;
  IF (v.name, v.address) = (v_name, p_input->>'address') AND v_tenants = ARRAY(
      SELECT tenant_id FROM review.queue_view_shares WHERE view_id = v_id AND tenant_id = ANY (a.tenant_ids) ORDER BY tenant_id) THEN
    RETURN '{"outcome": "done", "repeated": true}';
  END IF;
  IF v.view_id IS NOT NULL AND v.version IS DISTINCT FROM v_version THEN RETURN '{"outcome": "refused", "code": "CHANGED_SINCE_SEEN"}'; END IF;
  IF v.view_id IS NULL AND (SELECT count(*) FROM review.queue_views WHERE owner_id = a.person_id) >= 100 THEN
    RETURN '{"outcome": "refused", "code": "TOO_MANY_VIEWS"}';
  END IF;
  INSERT INTO review.queue_views (view_id, owner_id, name, name_key, address) VALUES (v_id, a.person_id, v_name, lower(normalize(v_name, NFKC)), p_input->>'address')
    ON CONFLICT (view_id) DO UPDATE SET (name, name_key, address, version, updated_at)
      = (excluded.name, excluded.name_key, excluded.address, queue_views.version + 1, ledger.clock());
  -- Where a grant has ended since, the view stays as it was shared.
  DELETE FROM review.queue_view_shares WHERE view_id = v_id AND tenant_id = ANY (a.tenant_ids) AND NOT tenant_id = ANY (v_tenants);
  INSERT INTO review.queue_view_shares (view_id, tenant_id, name_key) SELECT v_id, tenant_id, lower(normalize(v_name, NFKC)) FROM unnest(v_tenants) tenant_id
    ON CONFLICT (view_id, tenant_id) DO NOTHING;
  RETURN '{"outcome": "done"}';
EXCEPTION WHEN unique_violation THEN
  RETURN '{"outcome": "refused", "code": "VIEW_NAME_TAKEN"}';
END
$$;

-- Its owner's to remove; a shared one an administrator's as well, of all the tenants that it is shared with.
CREATE FUNCTION review.remove_queue_view(p_view_id uuid, p_version integer) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a record;
  v review.queue_views;
  v_tenants text[];
  v_refusal text;
BEGIN
  SELECT * INTO a FROM review.held_actor();
  SELECT * INTO v FROM review.queue_views WHERE view_id = p_view_id FOR UPDATE;
  v_tenants := ARRAY(SELECT tenant_id FROM review.queue_view_shares WHERE view_id = p_view_id);
  v_refusal := CASE
    WHEN v.view_id IS NULL OR a.person_id IS NULL OR v.owner_id <> a.person_id AND NOT v_tenants && a.tenant_ids THEN 'NOT_FOUND'
    WHEN v.owner_id <> a.person_id AND NOT 'ADMIN' = ANY (a.roles) THEN 'NOT_YOUR_VIEW'
    WHEN v.owner_id <> a.person_id AND NOT v_tenants <@ a.tenant_ids THEN 'VIEW_OF_OTHER_TENANTS'
    WHEN v.version IS DISTINCT FROM p_version THEN 'CHANGED_SINCE_SEEN' END;
  IF v_refusal IS NOT NULL THEN RETURN jsonb_build_object('outcome', 'refused', 'code', v_refusal); END IF;
  DELETE FROM review.queue_views WHERE view_id = p_view_id;
  RETURN '{"outcome": "done"}';
END
$$;

-- The acting person's own columns; null: the default again.
CREATE FUNCTION review.choose_queue_columns(p_columns text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_person uuid := (SELECT person_id FROM review.held_actor());
BEGIN
  IF v_person IS NULL THEN RAISE EXCEPTION 'only a person chooses' USING ERRCODE = 'OA003'; END IF;
  DELETE FROM review.queue_columns WHERE person_id = v_person AND p_columns IS NULL;
  INSERT INTO review.queue_columns SELECT v_person, p_columns WHERE p_columns IS NOT NULL
    ON CONFLICT (person_id) DO UPDATE SET columns = excluded.columns;
END
$$;
REVOKE ALL ON FUNCTION review.names_each_once(text[]), review.keep_queue_view(jsonb), review.remove_queue_view(uuid, integer),
  review.choose_queue_columns(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.keep_queue_view(jsonb), review.remove_queue_view(uuid, integer), review.choose_queue_columns(text[]) TO onceover_app;

-- Changed: what somebody named and chose goes with their words.
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
  DELETE FROM review.queue_views WHERE owner_id = s.person;
  DELETE FROM review.queue_columns WHERE person_id = s.person;
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
