-- R-019: what a claim says about its approval, and how often one approval can be used.

-- An approval reference as it is kept: its terms alone, and one use where it names no number. OO005 names the member at fault.
CREATE FUNCTION ledger.read_approval(p_approval jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_approval jsonb := CASE jsonb_typeof(p_approval) WHEN 'object' THEN jsonb_strip_nulls(p_approval) END;
BEGIN
  IF p_approval IS NULL THEN
    RETURN NULL;
  END IF;
  IF v_approval IS NULL THEN
    RAISE EXCEPTION 'approvalRef: an object with the id of an approval; free text approves nothing' USING ERRCODE = 'OO005';
  END IF;
  IF v_approval - ARRAY['id', 'target', 'contentVersion', 'count'] <> '{}' THEN
    RAISE EXCEPTION 'approvalRef: id, target, contentVersion and count are its only members' USING ERRCODE = 'OO005';
  END IF;
  IF coalesce(jsonb_typeof(v_approval->'id'), '') <> 'string' OR length(v_approval->>'id') NOT BETWEEN 1 AND 255 THEN
    RAISE EXCEPTION 'approvalRef.id: 1 to 255 characters' USING ERRCODE = 'OO005';
  END IF;
  IF v_approval ? 'target' AND (jsonb_typeof(v_approval->'target') <> 'object'
      OR coalesce(jsonb_typeof(v_approval#>'{target,system}'), '') <> 'string'
      OR coalesce(jsonb_typeof(v_approval#>'{target,account}'), '') <> 'string'
      OR (v_approval->'target') - ARRAY['system', 'account'] <> '{}') THEN
    RAISE EXCEPTION 'approvalRef.target: a system and an account' USING ERRCODE = 'OO005';
  END IF;
  IF v_approval ? 'contentVersion' AND jsonb_typeof(v_approval->'contentVersion') <> 'string' THEN
    RAISE EXCEPTION 'approvalRef.contentVersion: text' USING ERRCODE = 'OO005';
  END IF;
  IF v_approval ? 'count' AND (jsonb_typeof(v_approval->'count') <> 'number' OR v_approval->>'count' !~ '^[1-9][0-9]{0,8}$') THEN
    RAISE EXCEPTION 'approvalRef.count: a whole number from 1 on' USING ERRCODE = 'OO005';
  END IF;
  RETURN '{"count": 1}' || v_approval;
END
$$;

-- One row per execution that an approval covers. Numbered without gaps: each use is taken by the unique number alone, so
-- two claims at once cannot both be the last one.
CREATE TABLE ledger.approval_uses (
  tenant_id    text NOT NULL,
  principal_id text NOT NULL REFERENCES ledger.principals (principal_id),
  approval_id  text NOT NULL,
  use_number   integer NOT NULL CHECK (use_number >= 1),
  approved     jsonb NOT NULL,
  execution_id uuid NOT NULL UNIQUE REFERENCES ledger.executions (execution_id),
  used_at      timestamptz(6) NOT NULL,
  PRIMARY KEY (tenant_id, principal_id, approval_id, use_number),
  CONSTRAINT approval_uses_stay_within_count CHECK (use_number <= (approved->>'count')::integer)
);
CREATE TRIGGER approval_uses_are_only_added BEFORE UPDATE OR DELETE ON ledger.approval_uses FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER approval_uses_are_not_truncated BEFORE TRUNCATE ON ledger.approval_uses FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE ledger.approval_uses ENABLE ALWAYS TRIGGER approval_uses_are_only_added;
ALTER TABLE ledger.approval_uses ENABLE ALWAYS TRIGGER approval_uses_are_not_truncated;
GRANT SELECT ON ledger.approval_uses TO onceover_app, onceover_worker;

-- Takes the next use of the approval that an execution has just come under. Guarantee: the primary key decides; a rival's
-- uncommitted use is waited for and then read afresh. Locks: that rival's row. Index: approval_uses_pkey.
CREATE FUNCTION ledger.use_approval() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_last record;
BEGIN
  LOOP
    SELECT u.use_number, u.approved INTO v_last FROM ledger.approval_uses u
      WHERE u.tenant_id = NEW.tenant_id AND u.principal_id = NEW.principal_id AND u.approval_id = NEW.approval_ref->>'id'
      ORDER BY u.use_number DESC LIMIT 1;
    -- Whoever could tell an approval anew could widen it.
    IF FOUND AND v_last.approved <> NEW.approval_ref THEN
      RAISE EXCEPTION 'approvalRef: its first use told other terms of this approval' USING ERRCODE = 'OO005';
    END IF;
    IF coalesce(v_last.use_number, 0) >= (NEW.approval_ref->>'count')::integer THEN
      RAISE EXCEPTION 'approvalRef.count: the approval is used up' USING ERRCODE = 'OO005';
    END IF;
    INSERT INTO ledger.approval_uses (tenant_id, principal_id, approval_id, use_number, approved, execution_id, used_at)
      VALUES (NEW.tenant_id, NEW.principal_id, NEW.approval_ref->>'id', coalesce(v_last.use_number, 0) + 1, NEW.approval_ref, NEW.execution_id, ledger.clock())
      ON CONFLICT (tenant_id, principal_id, approval_id, use_number) DO NOTHING;
    EXIT WHEN FOUND;
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER executions_4_use_approval_on_insert AFTER INSERT ON ledger.executions
  FOR EACH ROW WHEN (NEW.approval_ref IS NOT NULL) EXECUTE FUNCTION ledger.use_approval();
CREATE TRIGGER executions_4_use_approval_on_update AFTER UPDATE OF approval_ref ON ledger.executions
  FOR EACH ROW WHEN (NEW.approval_ref IS NOT NULL AND OLD.approval_ref IS NULL) EXECUTE FUNCTION ledger.use_approval();
