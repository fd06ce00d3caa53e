import type { Amount } from './amount';

/** What becomes of an effect that should not have been, from harmless to final. */
export const EFFECT_CLASSES = ['NONE', 'REVERSIBLE', 'COMPENSABLE', 'IRREVERSIBLE'] as const;
export type EffectClass = (typeof EFFECT_CLASSES)[number];

/** What a wrong decision could cost at worst. */
export interface Exposure {
  /** Tries whose effect had started, or results reported or found if those are more. */
  readonly effectsPossible: number;
  /** Effects beyond the one intended, if new work were started and every try so far had worked. */
  readonly doubleEffects: number;
  /** The same in money; null when no amount is kept. */
  readonly doubleAmount: Amount | null;
}

/** What began after an exception was settled: none of it was at stake when it was decided. */
export interface SinceSettled {
  readonly attempts: number;
  /** Of these, those whose effect started. */
  readonly effects: number;
}

export interface AtStake {
  /** Of a settled exception as it was when it was settled. */
  readonly exposure: Exposure;
  /** Null while it is open. */
  readonly sinceSettled: SinceSettled | null;
}

export function exposureOf(effectsStarted: number, effectsFound: number, amount: Amount | null): Exposure {
  const effectsPossible = Math.max(effectsStarted, effectsFound);
  const doubleEffects = Math.max(1, effectsPossible);
  return {
    effectsPossible,
    doubleEffects,
    doubleAmount:
      amount === null ? null : { value: times(amount.value, doubleEffects), currency: amount.currency },
  };
}

/** A decimal times a whole number, every digit kept. */
function times(decimal: string, factor: number): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const digits = (BigInt(whole + fraction) * BigInt(factor)).toString();
  if (fraction === '') return digits;
  const negative = digits.startsWith('-');
  const padded = digits.replace('-', '').padStart(fraction.length + 1, '0');
  const at = padded.length - fraction.length;
  return `${negative ? '-' : ''}${padded.slice(0, at)}.${padded.slice(at)}`;
}

/** What the outside system's own memory of the request key makes safe. */
export interface DedupeWindow {
  /** RFC 3339; until then a retry with the same key is refused by the outside system itself. */
  readonly until: string;
  readonly over: boolean;
}

/** Null when the policy knows no such window, or nothing was ever sent. Counts from the first try's effect. */
export function dedupeWindow(
  firstEffectStartedAt: string | null,
  windowSeconds: number | null,
  now: Date,
): DedupeWindow | null {
  if (firstEffectStartedAt === null || windowSeconds === null) return null;
  const until = new Date(Date.parse(firstEffectStartedAt) + windowSeconds * 1000);
  return { until: until.toISOString(), over: until <= now };
}
