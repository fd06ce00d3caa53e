// Guarantees that can be taken away, to see that the suite would notice. Each replaces a text wherever the migrations have it.
export const CHAOS_MUTANTS = {
  /** Reports of an owner that was taken over are believed. */
  fencing: {
    find: `IF (p_report->>'fencingToken')::bigint IS DISTINCT FROM v_row.fencing_token THEN`,
    replace: 'IF false THEN',
  },
  /** Two claims of one key can both be first. */
  'unique-constraint': {
    find: 'CONSTRAINT executions_scope_is_unique UNIQUE (principal_id, operation, idempotency_key),',
    replace: '',
  },
  /** A lease that ended after the effect started is taken over like any other. */
  'effect-started': {
    find: `IF p_row.state = 'PROCESSING' AND p_row.effect_started_at IS NOT NULL AND p_row.lease_expires_at <= p_now THEN`,
    replace: 'IF false THEN',
  },
} as const;

export type ChaosMutantName = keyof typeof CHAOS_MUTANTS;

export const CHAOS_MUTANT_NAMES = Object.keys(CHAOS_MUTANTS) as ChaosMutantName[];

export const isChaosMutant = (name: string): name is ChaosMutantName => Object.hasOwn(CHAOS_MUTANTS, name);
