-- Old events leave only with the signer's word: the owner proposes a range with the digest of its archive, the signer makes the same
-- archive from the events itself, judges their age by the times it signed, and signs the range; only then may anything be dropped.
-- retire_audit is as before but for that. Whoever goes around it, as owner or superuser, leaves an anchor that nobody signed.
-- CLOCK: the signer's clock and the database's, or the events' own times, do not agree.

CREATE TABLE review.audit_retirement_proposals (
  proposal_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  first_number bigint NOT NULL,
  last_number  bigint NOT NULL,
  -- Of the last event.
  hash         bytea NOT NULL CONSTRAINT audit_retirement_proposals_hash_length CHECK (octet_length(hash) = 32),
  archive      text NOT NULL CONSTRAINT audit_retirement_proposals_archive_form CHECK (archive ~ '^[A-Za-z0-9._-]{1,100}$'),
  sha256       bytea NOT NULL CONSTRAINT audit_retirement_proposals_sha256_length CHECK (octet_length(sha256) = 32),
  CONSTRAINT audit_retirement_proposals_range_runs_on CHECK (first_number BETWEEN 1 AND last_number)
);
CREATE TRIGGER audit_retirement_proposals_are_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON review.audit_retirement_proposals
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
ALTER TABLE review.audit_retirement_proposals ENABLE ALWAYS TRIGGER audit_retirement_proposals_are_only_added;
REVOKE UPDATE, DELETE, TRUNCATE ON review.audit_retirement_proposals FROM CURRENT_USER;
GRANT SELECT ON review.audit_retirement_proposals TO onceover_signer;

ALTER TABLE review.audit_checkpoints DROP CONSTRAINT audit_checkpoints_kind_known,
  ADD CONSTRAINT audit_checkpoints_kind_known CHECK (kind IN ('key', 'checkpoint', 'rotation', 'revocation', 'retirement'));
ALTER TABLE review.audit_signer DROP CONSTRAINT audit_signer_alarm_known,
  ADD CONSTRAINT audit_signer_alarm_known CHECK (alarm IN
    ('TRUNCATED', 'REWRITTEN', 'BROKEN', 'OTHER_LOG', 'FILE_CHANGED', 'STATE_LOST', 'KEY_NOT_CURRENT', 'FORKED', 'CLOCK'));

-- Asks for the signer's word on what judge_retirement found due; the same again asks nothing new.
CREATE FUNCTION review.propose_retirement(p_first bigint, p_last bigint, p_archive text, p_sha256 bytea) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO review.audit_retirement_proposals (first_number, last_number, hash, archive, sha256)
  SELECT p_first, p_last, e.hash, p_archive, p_sha256 FROM review.audit_events e WHERE e.number = p_last
    AND NOT EXISTS (SELECT FROM review.audit_retirement_proposals p WHERE p.proposal_id = (SELECT max(proposal_id) FROM review.audit_retirement_proposals)
      AND (p.first_number, p.last_number, p.hash, p.archive, p.sha256) = (p_first, p_last, e.hash, p_archive, p_sha256))
$$;

-- Whether the signer has given it.
CREATE FUNCTION review.is_retirement_signed(p_last bigint, p_archive text, p_sha256 bytea) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (SELECT FROM review.audit_checkpoints k WHERE k.kind = 'retirement'
    AND k.record::jsonb->'retired' @> jsonb_build_object('last', p_last::text, 'archive', p_archive, 'sha256', encode(p_sha256, 'hex')))
$$;
REVOKE EXECUTE ON FUNCTION review.propose_retirement(bigint, bigint, text, bytea), review.is_retirement_signed(bigint, text, bytea) FROM PUBLIC;

CREATE OR REPLACE FUNCTION review.retire_audit(p_last bigint, p_archive text, p_sha256 bytea, p_texts bigint) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_head bigint;
  v_judged jsonb;
  v_first bigint;
  v_cut bigint;
  v_table text;
  v_texts bigint := 0;
  v_some bigint;
BEGIN
  v_judged := review.judge_retirement(p_last);
  IF v_judged->>'outcome' <> 'due' THEN
    RETURN v_judged;
  END IF;
  IF NOT review.is_retirement_signed(p_last, p_archive, p_sha256) THEN
    RAISE EXCEPTION 'the signer has not signed that % leaves with this archive', p_last USING ERRCODE = 'OA006';
  END IF;
  v_first := (v_judged->>'first')::bigint;
  FOR v_cut IN SELECT last_number FROM review.audit_cuts WHERE last_number BETWEEN v_first AND p_last ORDER BY last_number LOOP
    FOREACH v_table IN ARRAY ARRAY['audit_events', 'audit_texts'] LOOP
      EXECUTE format('ALTER TABLE review.%I DETACH PARTITION review.%I', v_table, v_table || '_' || v_first);
    END LOOP;
    EXECUTE format('SELECT count(*) FROM review.%I', 'audit_texts_' || v_first) INTO v_some;
    v_texts := v_texts + v_some;
    EXECUTE format('DROP TABLE review.%I, review.%I', 'audit_events_' || v_first, 'audit_texts_' || v_first);
    v_first := v_cut + 1;
  END LOOP;
  IF v_texts <> p_texts THEN
    RAISE EXCEPTION 'the archive holds % texts and the audit %: write it again', p_texts, v_texts USING ERRCODE = 'OA006';
  END IF;
  SELECT number INTO STRICT v_head FROM review.audit_head;
  INSERT INTO review.audit_retirements (last_number, first_number, hash, log_id, archive, sha256, retired_at, retired_by, event_number)
    VALUES (p_last, (v_judged->>'first')::bigint, decode(v_judged->>'hash', 'hex'), decode(v_judged->>'logId', 'hex'), p_archive, p_sha256,
            ledger.clock(), current_setting('onceover.actor_id'), v_head + 1);
  PERFORM review.append_audit('audit.retired', 'done', NULL, NULL, NULL, NULL, NULL, NULL, NULL, v_judged - 'outcome'
    || jsonb_build_object('archive', p_archive, 'sha256', encode(p_sha256, 'hex'), 'anchors', review.anchors_digest()));
  RETURN jsonb_build_object('outcome', 'done', 'event', (v_head + 1)::text);
END
$$;
