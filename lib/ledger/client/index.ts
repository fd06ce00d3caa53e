export { EffectError, EffectInDoubt, FinalRefusal, NotSent, ProviderTransient } from './effect-errors';
export type * from './types';
export type * from '../wire';
