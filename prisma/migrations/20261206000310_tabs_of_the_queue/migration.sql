-- "Unowned" and "on hold" are few among many, or many among few: each tab of the queue is counted and listed along its own index.
-- "Mine" has exceptions_by_assignee, "overdue" exceptions_by_due.
CREATE INDEX exceptions_unowned ON review.exceptions (tenant_id, state, severity, due_at, exception_id) WHERE assignee_id IS NULL;
CREATE INDEX exceptions_held ON review.exceptions (tenant_id, state, severity, due_at, exception_id) WHERE deferred_until IS NOT NULL;
