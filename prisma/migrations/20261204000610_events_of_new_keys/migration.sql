-- R-088: an event is found by each execution that it names. The one it is about is a column; the new one stands in the body.

-- Read out of the text itself: no cast of a body can fail here, and what people wrote cannot look like it, as JSON escapes its quotes.
CREATE FUNCTION review.new_execution_of(p_body text) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT substring(p_body FROM '"newExecutionId": "([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"')::uuid
$$;
GRANT EXECUTE ON FUNCTION review.new_execution_of(text) TO onceover_app;

CREATE INDEX audit_events_new_execution ON review.audit_events (review.new_execution_of(body)) WHERE review.new_execution_of(body) IS NOT NULL;
