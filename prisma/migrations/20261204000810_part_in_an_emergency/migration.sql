-- R-082e: part in what led to the use of an emergency has whoever acted on its exceptions, was ever put in charge of one, or wrote
-- down evidence, up to the end of the use; before, only the present assignee was known, and no evidence. What a connector
-- answered is nobody's word, whoever asked; what is said afterwards belongs to the review.
CREATE OR REPLACE FUNCTION review.took_part(p_person_id uuid, p_request_id uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (SELECT FROM review.approval_requests q WHERE q.execution_id = r.execution_id AND q.requested_by = p_person_id)
      OR EXISTS (SELECT FROM review.approval_decisions d JOIN review.approval_requests q USING (request_id)
                  WHERE q.execution_id = r.execution_id AND d.approver_id = p_person_id)
      OR EXISTS (SELECT FROM review.break_glass_uses w JOIN review.approval_requests q USING (request_id)
                  WHERE q.execution_id = r.execution_id AND w.used_by = p_person_id)
      OR EXISTS (SELECT FROM review.decisions d WHERE d.execution_id = r.execution_id AND d.actor_id = p_person_id)
      OR EXISTS (SELECT FROM review.exceptions x WHERE x.execution_id = r.execution_id AND x.assignee_id = p_person_id)
      OR EXISTS (SELECT FROM review.exception_events e JOIN review.exceptions x USING (exception_id)
                  WHERE x.execution_id = r.execution_id AND e.at <= coalesce(u.expires_at, 'infinity')
                    AND (e.actor_id = p_person_id::text AND e.event NOT IN ('evidence', 'lookup_ended')
                      OR e.event = 'assigned' AND p_person_id::text IN (e.detail->>'from', e.detail->>'to')))
      OR EXISTS (SELECT FROM review.lookups l WHERE l.execution_id = r.execution_id AND l.checked_by = p_person_id::text
                  AND l.connector_id IS NULL AND l.recorded_at <= coalesce(u.expires_at, 'infinity'))
  FROM review.approval_requests r LEFT JOIN review.break_glass_uses u ON u.request_id = r.request_id WHERE r.request_id = p_request_id
$$;
