// Ways of leaving a copy of what somebody wrote behind.
import type { Mutant } from './mutant';

const FILE = 'prisma/migrations/20261203000700_erasable_everywhere/migration.sql';

const REASONS = 'prisma/migrations/20261204000220_connector_reasons/migration.sql';

const mutant = (rule: string, find: string, replace: string): Mutant => ({ rule, file: FILE, find, replace });

const SESSIONS = 'prisma/migrations/20261204000120_erasable_sessions/migration.sql';

export const MUTANTS_OF_ERASURE: readonly Mutant[] = [
  mutant('R-089g', "'exception.deferred', 'break_glass.used')", "'exception.deferred')"),
  { ...mutant('R-089h', "IN ('people', 'policy', 'connector'))", "IN ('people'))"), file: REASONS },
  {
    ...mutant(
      'R-089h',
      'UPDATE review.connector_proposals SET reason = p_mark',
      'UPDATE review.connector_proposals SET reason = reason',
    ),
    file: REASONS,
  },
  {
    ...mutant(
      'R-089h',
      "p.connector_id = s.connector AND p.state = 'PENDING'",
      "p.connector_id = s.connector AND p.state = ''",
    ),
    file: REASONS,
  },
  {
    ...mutant('R-089h', "OR (e.event LIKE 'connector.%' AND", "OR (e.event LIKE 'policy.%' AND"),
    file: REASONS,
  },
  mutant('R-089h', 'UPDATE review.right_grants SET reason = p_mark WHERE person_id = s.person;', ''),
  mutant('R-089h', "g.state = 'PENDING'", "g.state = ''"),
  mutant('R-089i', 'SET reason = p_mark, review_rationale = p_mark', 'SET reason = p_mark'),
  mutant('R-089i', 'SET next_place = p_mark', 'SET next_place = next_place'),
  mutant('R-089i', 'u.request_id = ANY (requests) AND u.reviewed_at IS NULL', 'false'),
  mutant('R-089j', " AND e.outcome = 'refused'", ''),
  mutant('R-089j', 'OR e.number = s.event ', ''),
  {
    rule: 'R-089h',
    file: SESSIONS,
    find: 'SET user_agent = NULL, source_address = NULL',
    replace: 'SET user_agent = user_agent',
  },
  {
    rule: 'R-089h',
    file: SESSIONS,
    find: ' AND (revoked_at IS NOT NULL OR expires_at <= ledger.clock())',
    replace: '',
  },
];
