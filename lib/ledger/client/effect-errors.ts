import type { StoredResponse } from './wire';

/**
 * What an effect may throw to say that it is certain. Everything else it throws counts as doubt: a time-out, a lost
 * connection or a 5xx after the effect started proves nothing.
 */
export abstract class EffectError extends Error {
  /** @param code machine word that the operation's policy table knows, e.g. `ACCOUNT_CLOSED` */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/**
 * The outside system refused for good. Later equal requests are answered with `response` (`REPLAYED`); without one they
 * are `REFUSED` with `EXECUTION_FAILED_FINAL`.
 */
export class FinalRefusal extends EffectError {
  constructor(
    code: string,
    message: string,
    readonly response?: StoredResponse,
  ) {
    super(code, message);
  }
}

/** The call provably never left this process (name not resolved, connection refused, guard before the send). */
export class NotSent extends EffectError {}

/** A passing refusal of a provider that keeps our key; counts as proof only for codes that the policy lists. */
export class ProviderTransient extends EffectError {}

/** The effect knows that it does not know, and says more than a stack trace would. */
export class EffectInDoubt extends EffectError {}
