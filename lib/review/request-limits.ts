/** Until when a request `r` may be decided and carried out, as the database judges it now; of an ended one, as it was. */
export const REQUEST_LIMITS = `
  ledger.instant(case r.state when 'PENDING' then review.decide_until(r) else r.decide_by end) as "decideBy",
  ledger.instant(case r.state when 'APPROVED' then review.execute_until(r) else r.execute_by end) as "executeBy"`;
