-- What the queue and the list of executions read by. Orders and figures walk one tenant and state at a time.

-- Figures per kind, and the queue narrowed to kinds.
CREATE INDEX exceptions_by_kind ON review.exceptions (tenant_id, state, kind, severity, due_at, exception_id);
CREATE INDEX exceptions_by_due ON review.exceptions (tenant_id, state, due_at, exception_id);
-- "Mine": few rows among many.
CREATE INDEX exceptions_by_assignee ON review.exceptions (assignee_id, tenant_id, state) WHERE assignee_id IS NOT NULL;

-- "Starts with": the default collation's order is of no use to LIKE.
CREATE INDEX executions_request_prefix ON ledger.executions (tenant_id, request_id text_pattern_ops) WHERE request_id IS NOT NULL;
CREATE INDEX executions_result_prefix ON ledger.executions (tenant_id, result_id text_pattern_ops) WHERE result_id IS NOT NULL;
CREATE INDEX intakes_request_prefix ON ledger.intakes (tenant_id, request_id text_pattern_ops) WHERE request_id IS NOT NULL;
