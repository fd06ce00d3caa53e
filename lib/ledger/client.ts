/** The client of the producer API: what an automation imports. */
export { newAttemptId } from './client/attempt-id';
export { BACKGROUND, INTERACTIVE } from './client/budgets';
export { createLedgerClient } from './client/create-client';
export { EffectInDoubt, FinalRefusal, NotSent, ProviderTransient } from './client/effect-errors';
export { SentAgain, type RepeatedSend } from './client/effect-fetch';
export { newIntent, nextAttempt, readIntent, writeIntent, type Intent } from './client/intent';
export { LeaseLost } from './client/lease-keeper';
export { ReportFault, type Fault } from './client/report-fault';
export type * from './client/types';
export type * from './client/wire';
