/** A person where only the name matters. */
export interface PersonRef {
  readonly personId: string;
  readonly displayName: string;
}

/** Whoever acted: somebody, or the system. */
export interface ActorRef {
  readonly kind: 'person' | 'system';
  readonly id: string;
  /** Null for system actors, and for people who are gone. */
  readonly name: string | null;
}
