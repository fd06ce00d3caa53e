-- R-019: a claim stays inside what its approval names, whoever claims: the API, the functions, or a plain INSERT. A result
-- is not judged here: what was done outside the approval must still be told, and R-014 has its doubts about it.
CREATE FUNCTION ledger.keep_inside_approval() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NEW.target_system <> NEW.approval_ref#>>'{target,system}' OR NEW.target_account <> NEW.approval_ref#>>'{target,account}' THEN
    RAISE EXCEPTION 'target is not what approvalRef approved' USING ERRCODE = 'OO005';
  END IF;
  IF NEW.content_version <> NEW.approval_ref->>'contentVersion' THEN
    RAISE EXCEPTION 'contentVersion is not what approvalRef approved' USING ERRCODE = 'OO005';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER executions_3_inside_approval BEFORE INSERT OR UPDATE ON ledger.executions
  FOR EACH ROW WHEN (NEW.approval_ref IS NOT NULL AND NEW.moved_by IN ('claim', 'register'))
  EXECUTE FUNCTION ledger.keep_inside_approval();
