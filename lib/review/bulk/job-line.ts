import type { Actor } from '@/lib/domain/actor';

/** Of `review.bulk_jobs j`, its tenant t and its starter p: what a list shows. */
export const JOB_LINE = `
  j.job_id as "jobId", j.act, j.state, j.paused_because as "pausedBecause", t.display_name as "tenantName", j.row_count as "rowCount",
  j.pending, j.done, j.refused, j.failed, ledger.instant(j.prepared_at) as "preparedAt", ledger.instant(j.ended_at) as "endedAt",
  jsonb_build_object('personId', p.person_id, 'displayName', p.display_name) as "startedBy"`;

/** Whom a job concerns: its starter, and the managers of its tenant. With `maySee` as the first two values. */
export const MAY_SEE = `j.tenant_id = any($1::text[]) and ($2::uuid is null or j.started_by = $2::uuid)`;

/** Null stands for a manager, who sees everybody's. */
export const maySee = (actor: Actor): [readonly string[], string | null] => [
  actor.tenantIds,
  actor.roles.includes('MANAGER') ? null : actor.personId,
];
