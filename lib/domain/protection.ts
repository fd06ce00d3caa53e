/** What stops a double effect of an operation, from the surest to nothing. */
export const PROTECTION_CLASSES = [
  'SAME_DATABASE',
  'PROVIDER_KEY',
  'CONDITIONAL',
  'LOOKUP_ONLY',
  'NONE',
] as const;
export type ProtectionClass = (typeof PROTECTION_CLASSES)[number];

export interface Protection {
  /** What the policy says. */
  readonly declaredProtection: ProtectionClass;
  /** What counts now: `NONE` where what is declared has no valid proof. */
  readonly protectionClass: ProtectionClass;
}
