// Ways of breaking what a claim is told, noticed through every door, and what a history of calls shows.
import type { Mutant } from './mutant';

const PROTOCOL = 'prisma/migrations/20261129000500_protocol/migration.sql';
const REPORTS = 'prisma/migrations/20261129000550_reports/migration.sql';
const APPROVAL = 'prisma/migrations/20261129001300_inside_approval/migration.sql';

export const MUTANTS_OF_CLAIMS: readonly Mutant[] = [
  {
    rule: 'R-019a',
    file: APPROVAL,
    find: `NEW.target_system <> NEW.approval_ref#>>'{target,system}' OR `,
    replace: '',
  },
  {
    rule: 'R-019a',
    file: APPROVAL,
    find: ` OR NEW.target_account <> NEW.approval_ref#>>'{target,account}'`,
    replace: '',
  },
  {
    rule: 'R-019a',
    file: APPROVAL,
    find: `IF NEW.content_version <> NEW.approval_ref->>'contentVersion' THEN`,
    replace: 'IF false THEN',
  },
  {
    rule: 'R-028a',
    file: PROTOCOL,
    find: `IF p_row.state = 'PROCESSING' AND p_row.lease_expires_at > p_now THEN`,
    replace: `IF p_row.state = 'PROCESSING' AND p_row.lease_expires_at >= p_now THEN`,
  },
  {
    rule: 'R-028b',
    file: PROTOCOL,
    find: `p_row.effect_started_at IS NOT NULL AND p_row.lease_expires_at <= p_now THEN`,
    replace: `p_row.effect_started_at IS NOT NULL AND p_row.lease_expires_at < p_now THEN`,
  },
  {
    rule: 'R-018b',
    file: PROTOCOL,
    find: `v_retry_after := greatest(1, floor(`,
    replace: `v_retry_after := greatest(0, floor(`,
  },
  {
    rule: 'R-021',
    file: PROTOCOL,
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
