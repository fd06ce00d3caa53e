import type { QuestionSubject } from '@/lib/domain/connector-question';
import type { Proof } from '@/lib/domain/lookup-verdict';
import type { LookupSubject } from '@/lib/lookup/lookup-subject';

/** An execution as a lookup needs it, long ago and idle, without a database: its horizon is over. */
export function lookupSubject(
  about: Partial<QuestionSubject> & { key: string },
  proof: Proof = 'PRESENCE',
): LookupSubject {
  return {
    executionId: '00000000-0000-7000-8000-000000000001',
    executionVersion: '1',
    proof,
    question: {
      system: null,
      account: null,
      requestId: null,
      externalRequestKey: null,
      externalJobId: null,
      businessRef: null,
      contentVersion: null,
      resultId: null,
      display: {},
      ...about,
    },
    horizon: {
      createdAt: new Date(0),
      firstEffectStartedAt: null,
      lastActivityAt: null,
      leaseExpiresAt: null,
      graceSeconds: 0,
    },
    manualHorizonSeconds: 0,
    connector: null,
    askedAt: new Date(),
    askedAtText: new Date().toISOString(),
  };
}
