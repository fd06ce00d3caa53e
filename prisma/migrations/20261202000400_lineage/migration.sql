-- R-072: a lineage is drawn by walking from key to key, and new work that began at one has a lineage of its own. Only
-- reissues stand in the index, so that an ordinary claim does not write to it.
CREATE INDEX executions_by_original ON ledger.executions (reissue_of) WHERE reissue_of IS NOT NULL;
