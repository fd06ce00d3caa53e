/** A person where only the name matters. */
export interface PersonRef {
  readonly personId: string;
  readonly displayName: string;
}
