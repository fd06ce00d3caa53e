/** Parts of the system that act by themselves, with the word that names each: a key of `audit.actor`. */
export const SYSTEM_ACTORS = {
  'system:login': 'login',
  'system:worker': 'worker',
  'system:sweep': 'sweep',
  'system:ledger': 'ledger',
  'system:signer': 'signer',
  'system:bootstrap': 'bootstrap',
  'system:audit-retire': 'retirement',
} as const;

export type SystemActor = keyof typeof SYSTEM_ACTORS;

/** Which part an actor id names; null for one without a word of its own. */
export function systemActorOf(actorId: string): SystemActor | null {
  return Object.hasOwn(SYSTEM_ACTORS, actorId) ? (actorId as SystemActor) : null;
}
