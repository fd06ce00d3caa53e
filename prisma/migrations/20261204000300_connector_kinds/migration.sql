-- Connectors by SQL beside those by HTTP (lib/domain/connector-postgres.ts): the kind is one of the two, a database's
-- connection is a secret by reference and its query no more than a SELECT by its first word.

ALTER TABLE review.connectors ADD CONSTRAINT connectors_kind_is_known CHECK (
  CASE coalesce(recipe->>'kind', 'http')
    WHEN 'http' THEN NOT recipe ?| ARRAY['connection', 'sql', 'parameters']
    WHEN 'postgres' THEN NOT recipe ?| ARRAY['baseUrl', 'headers', 'method']
      AND coalesce(recipe->>'connection' ~ '^\$\{secret:[A-Z][A-Z0-9_]{0,63}\}$', false)
      AND coalesce(recipe->>'sql' ~* '^\s*(select|with)\s' AND recipe->>'sql' !~ ';', false)
    ELSE false
  END);

-- As connectors_keep does for baseUrl: the permission to ask this machine was given for one connection.
CREATE FUNCTION review.keep_connection() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF (NEW.recipe->>'connection', coalesce(NEW.recipe->>'kind', 'http')) IS DISTINCT FROM
     (OLD.recipe->>'connection', coalesce(OLD.recipe->>'kind', 'http')) AND current_user IN ('onceover_app', 'onceover_worker') THEN
    NEW.allow_private := false;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER connectors_keep_connection BEFORE UPDATE ON review.connectors FOR EACH ROW EXECUTE FUNCTION review.keep_connection();
