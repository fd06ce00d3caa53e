/** How a producer token stands. A replaced one is still valid, until the overlap ends. */
export const TOKEN_STATES = ['VALID', 'REPLACED', 'EXPIRED', 'REVOKED'] as const;
export type TokenState = (typeof TOKEN_STATES)[number];

/** A producer token as a list shows it: never the secret, which is nowhere kept. */
export interface TokenRow {
  readonly tokenId: string;
  readonly prefix: string;
  readonly principalId: string;
  readonly tenantId: string;
  readonly tenantName: string;
  /** Null: all. */
  readonly operations: readonly string[] | null;
  readonly state: TokenState;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}
