-- R-088: an event of a request is found by whoever asked for it and whoever decided it, also when the system carried it out.
CREATE INDEX approval_requests_by_requester ON review.approval_requests (requested_by);
CREATE INDEX approval_decisions_by_approver ON review.approval_decisions (approver_id);
