/** The first checkpoint that reaches an event: the earliest signature over it, by its number, key and time. */
export interface SigningCheckpoint {
  readonly number: string;
  readonly keyId: string;
  /** RFC 3339. */
  readonly at: string;
}
