// Ways of breaking what a claim is told, noticed through every door, and what a history of calls shows.
import type { Mutant } from './mutant';

const GUARDS = 'prisma/migrations/20261130000220_policy_guards/migration.sql';
const JUDGE = 'prisma/migrations/20261130000800_what_an_end_leaves/migration.sql';
const WAITS = 'prisma/migrations/20261130000710_bounded_waits/migration.sql';
const REPORTS = 'prisma/migrations/20261129000550_reports/migration.sql';
const HEARD = 'prisma/migrations/20261130000500_heard_late/migration.sql';

export const MUTANTS_OF_CLAIMS: readonly Mutant[] = [
  {
    rule: 'R-029c',
    file: HEARD,
    find: `IF v_row.state = 'UNKNOWN' AND v_row.unknown_reason IN ('DECLARED', 'CONTRADICTED') THEN`,
    replace: `IF false THEN`,
  },
  {
    rule: 'LC-14',
    file: REPORTS,
    find: `    PERFORM ledger.keep_late_report(v_row, 'complete', p_report);
    SELECT * INTO v_row`,
    replace: `    p_report := p_report || jsonb_build_object('fencingToken', v_row.fencing_token);
  END IF;
  IF false THEN
    SELECT * INTO v_row`,
  },
  {
    rule: 'LC-14',
    file: GUARDS,
    find: `  IF v_row.effect_started_at IS NULL THEN
    IF v_row.lease_expires_at`,
    replace: `  IF false THEN
    IF v_row.lease_expires_at`,
  },
  {
    rule: 'R-028a',
    file: JUDGE,
    find: `IF p_row.state = 'PROCESSING' AND p_row.lease_expires_at > p_now THEN`,
    replace: `IF p_row.state = 'PROCESSING' AND p_row.lease_expires_at >= p_now THEN`,
  },
  {
    rule: 'R-028b',
    file: JUDGE,
    find: `p_row.effect_started_at IS NOT NULL AND p_row.lease_expires_at <= p_now THEN`,
    replace: `p_row.effect_started_at IS NOT NULL AND p_row.lease_expires_at < p_now THEN`,
  },
  {
    rule: 'R-018b',
    file: WAITS,
    find: 'least(60, greatest(1, floor(extract(epoch FROM p_rest))))',
    replace: 'least(60, greatest(0, floor(extract(epoch FROM p_rest))))',
  },
  {
    rule: 'R-018b',
    file: WAITS,
    find: 'least(60, greatest(1, floor(extract(epoch FROM p_rest))))',
    replace: 'greatest(1, floor(extract(epoch FROM p_rest)))',
  },
  {
    rule: 'R-018b',
    file: WAITS,
    find: 'ledger.bounded_wait(max(lease_expires_at) - p_now)',
    replace: 'floor(extract(epoch FROM max(lease_expires_at) - p_now))::integer',
  },
  {
    rule: 'R-021',
    file: JUDGE,
    find: `jsonb_build_object('disposition', 'SAME_ATTEMPT', 'code', 'INVALID_STATE')`,
    replace: `jsonb_build_object('disposition', 'SAME_ATTEMPT', 'code', NULL)`,
  },
  {
    rule: 'R-033a',
    file: REPORTS,
    find: `IF v_row.state = 'PROCESSING' AND v_row.effect_started_at IS NOT NULL THEN`,
    replace: `IF false THEN`,
  },
];
