-- R-051 What has changed in the queue since a page was read, without anybody waiting for anybody: each change carries its transaction's
-- id, and what was not visible to the snapshot that the page was read by is new to it. A counter per tenant would be one row that every
-- claim in doubt waits for, and times of changes are not in the order in which they are committed.

ALTER TABLE review.exceptions ADD COLUMN changed_in bigint;

CREATE FUNCTION review.mark_change() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION review.mark_change() FROM PUBLIC;
CREATE TRIGGER exceptions_mark_change BEFORE INSERT OR UPDATE ON review.exceptions FOR EACH ROW EXECUTE FUNCTION review.mark_change();

CREATE INDEX exceptions_by_change ON review.exceptions (tenant_id, changed_in);
