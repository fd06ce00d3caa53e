// What surrounds an automation: a network that loses things, and an outside system that counts what it did.
import type { EffectResult, StoredResponse } from '@/lib/ledger/client';

export interface FaultyFetch {
  readonly fetch: typeof globalThis.fetch;
  /** How often the fault really struck. */
  lost(): number;
}

/** A fetch that loses the request or the answer of the first `times` calls whose address ends in `suffix`. */
export function faultyFetch(
  suffix: string,
  times: number,
  fault: 'lose answer' | 'lose request',
): FaultyFetch {
  let lost = 0;
  return {
    lost: () => lost,
    fetch: async (input, init) => {
      const strikes = lost < times && String(input).endsWith(suffix);
      if (strikes) lost += 1;
      if (strikes && fault === 'lose request') throw new TypeError('fetch failed');
      const response = await globalThis.fetch(input, init);
      if (!strikes) return response;
      await response.arrayBuffer();
      throw new TypeError('fetch failed', { cause: new Error('socket hang up') });
    },
  };
}

export interface OutsideSystem {
  count(): number;
  act(resultId: string, response?: StoredResponse): Promise<EffectResult>;
}

export function outsideSystem(): OutsideSystem {
  let effects = 0;
  return {
    count: () => effects,
    act: (resultId, response) => {
      effects += 1;
      return Promise.resolve({ resultId, response });
    },
  };
}
