/** The client of the producer API: what an automation imports. */
export { EffectError, EffectInDoubt, FinalRefusal, NotSent, ProviderTransient } from './client/effect-errors';
export type * from './client/types';
export type * from './client/wire';
