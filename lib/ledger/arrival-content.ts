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

/** Fingerprints a payload under the policy in force and under every other that a record may have been made with. */
export function contentOfPayload(
  payload: JsonValue,
  policies: ArrivalPolicies,
  fieldHashKey: Uint8Array,
): { readonly ok: true; readonly value: ArrivalContent } | FieldRefusal {
  const counted = countedContent(payload, policies.inForce);
  if (!counted.ok) return counted;
  const fingerprints: Record<string, string> = {};
  for (const policy of policies.others) {
    // A payload that an older policy would have refused has no fingerprint under it and cannot equal its records.
    const older = countedContent(payload, policy);
    if (older.ok) fingerprints[policy.version] = fingerprintOf(older.content);
  }
  return {
    ok: true,
    value: {
      fingerprint: fingerprintOf(counted.content),
      fingerprintAlgorithm: FINGERPRINT_ALGORITHM,
      policyVersion: policies.inForce.version,
      fingerprints,
      fieldHashes: fieldHashes(counted.content, fieldHashKey),
      displayFields: displayFields(payload, policies.inForce.displayFields),
    },
  };
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
