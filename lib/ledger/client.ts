/** The client of the producer API: what an automation imports. */
export { newAttemptId } from './client/attempt-id';
export { createLedgerClient } from './client/create-client';
export { EffectInDoubt, FinalRefusal, NotSent, ProviderTransient } from './client/effect-errors';
export { LeaseLost } from './client/lease-keeper';
export type * from './client/types';
export type * from './client/wire';
