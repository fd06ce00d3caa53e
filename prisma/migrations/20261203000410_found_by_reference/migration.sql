-- "Starts with" for business references, the number that people have at hand: the queue's, the executions' and the audit's search.
CREATE INDEX executions_reference_prefix ON ledger.executions (tenant_id, business_ref text_pattern_ops) WHERE business_ref IS NOT NULL;
