interface Narrowing {
  /** Anything at all is left out. */
  readonly narrowed: boolean;
  /** A text was looked for. */
  readonly text: boolean;
  /** The search has not come to the end of the log. */
  readonly soFar: boolean;
}

type Words = 'empty.soFar' | 'empty.text' | 'empty.title' | 'empty.none';
type Advice = 'empty.soFarBody' | 'empty.textBody' | 'empty.body' | 'empty.noneBody';

/** Why a list of events is empty, and what would change that: a text that is not there is no filter to take off. */
export function emptinessOf({ narrowed, text, soFar }: Narrowing): { title: Words; body: Advice } {
  if (soFar) return { title: 'empty.soFar', body: 'empty.soFarBody' };
  if (text) return { title: 'empty.text', body: 'empty.textBody' };
  if (narrowed) return { title: 'empty.title', body: 'empty.body' };
  return { title: 'empty.none', body: 'empty.noneBody' };
}
