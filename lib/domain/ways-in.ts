/** How a person can show who they are. */
export interface WaysIn {
  /** Has a password. */
  readonly password: boolean;
  /** The configured provider's name; null: none is configured. */
  readonly provider: string | null;
  /** Signs in through that provider. */
  readonly byProvider: boolean;
}
