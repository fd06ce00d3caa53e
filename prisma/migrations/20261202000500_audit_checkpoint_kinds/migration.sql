-- The changes of keys are few among many checkpoints: found by an index and not by reading all of them.
CREATE INDEX audit_checkpoints_key_changes ON review.audit_checkpoints (sequence) WHERE kind <> 'checkpoint';
