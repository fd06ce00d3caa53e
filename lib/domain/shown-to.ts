/** The member of an act's input that names whom its page was shown to. It is no part of any command. */
export const SHOWN_TO = 'shownTo';

/**
 * Takes out of an act's input whom its page was shown to. Tabs share one session: who signs in in another one would else
 * be on record for what somebody else has filled in. Undefined: the input does not say.
 */
export function takeShownTo(input: unknown): { shownTo: unknown; input: unknown } {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, SHOWN_TO))
    return { shownTo: undefined, input };
  const { [SHOWN_TO]: shownTo, ...rest } = input as Record<string, unknown>;
  return { shownTo, input: rest };
}
