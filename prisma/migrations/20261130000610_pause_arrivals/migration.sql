-- Who was refused by a pause, for the page on which a person resumes the operation (R-054, R-080).
CREATE INDEX intakes_refused_by_pause ON ledger.intakes (tenant_id, operation, received_at) WHERE disposition = 'OPERATION_PAUSED';
