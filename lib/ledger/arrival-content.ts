import {
  FINGERPRINT_ALGORITHM,
  countedContent,
  displayFields,
  fingerprintOf,
  type FieldRefusal,
} from '@/lib/domain/fingerprint';
import { fieldHashes } from '@/lib/domain/field-hashes';
import type { JsonValue } from './client/wire';
import type { ArrivalPolicies } from './operation-policies';

/** The part of an arrival that identifies its content; the payload itself goes no further. */
export interface ArrivalContent {
  readonly fingerprint: string;
  readonly fingerprintAlgorithm: string;
  readonly policyVersion: number;
  readonly fingerprints: Readonly<Record<string, string>>;
  readonly fieldHashes?: Readonly<Record<string, string>>;
  readonly displayFields?: Readonly<Record<string, JsonValue>>;
}

type Counted =
  | {
      readonly ok: true;
      readonly value: ArrivalContent;
      /** Why the policy in force takes no new record of it; only records under an older policy can equal it then. */
      readonly refusedNow: FieldRefusal | null;
    }
  | FieldRefusal;

/**
 * Fingerprints a payload under the policy in force and under every other that a record may have been made with. What the
 * policy in force refuses may still be the repetition of what an older one took.
 */
export function contentOfPayload(
  payload: JsonValue,
  policies: ArrivalPolicies,
  fieldHashKey: Uint8Array,
): Counted {
  const now = countedContent(payload, policies.inForce);
  const under = (
    policy: ArrivalPolicies['inForce'],
    content: JsonValue,
    refusedNow: FieldRefusal | null,
  ) => ({
    ok: true as const,
    value: {
      fingerprint: fingerprintOf(content),
      fingerprintAlgorithm: FINGERPRINT_ALGORITHM,
      policyVersion: policy.version,
      fingerprints: Object.fromEntries(
        older.map(({ version, content }) => [version, fingerprintOf(content)]),
      ),
      fieldHashes: fieldHashes(content, fieldHashKey),
      displayFields: displayFields(payload, policies.inForce.displayFields),
    },
    refusedNow,
  });
  // A payload that an older policy would have refused has no fingerprint under it and cannot equal its records.
  const older = policies.others.flatMap((policy) => {
    const counted = countedContent(payload, policy);
    return counted.ok ? [{ version: policy.version, policy, content: counted.content }] : [];
  });
  if (now.ok) return under(policies.inForce, now.content, null);
  const [newest] = older;
  return newest === undefined ? now : under(newest.policy, newest.content, now);
}

/** A fingerprint that the caller made is the same under every policy: we cannot know what it covers. */
export function contentOfFingerprint(fingerprint: string, policies: ArrivalPolicies): ArrivalContent {
  return {
    fingerprint,
    fingerprintAlgorithm: 'caller-sha256',
    policyVersion: policies.inForce.version,
    fingerprints: Object.fromEntries(policies.others.map((policy) => [policy.version, fingerprint])),
  };
}
