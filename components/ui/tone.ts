/** Colour with a meaning (see app/globals.css); always beside an icon and words. */
export type Tone = 'quiet' | 'accent' | 'progress' | 'confirmed' | 'caution' | 'danger' | 'novel';

/** Text in the tone's colour. */
export const TONE_TEXT: Readonly<Record<Tone, string>> = {
  quiet: 'text-ink-muted',
  accent: 'text-accent',
  progress: 'text-progress',
  confirmed: 'text-confirmed',
  caution: 'text-caution',
  danger: 'text-danger',
  novel: 'text-novel',
};

/** A soft surface of the tone, with its text and edge. */
export const TONE_SURFACE: Readonly<Record<Tone, string>> = {
  quiet: 'bg-quiet-soft text-ink-muted ring-line',
  accent: 'bg-accent-soft text-accent ring-line',
  progress: 'bg-progress-soft text-progress ring-progress-line',
  confirmed: 'bg-confirmed-soft text-confirmed ring-confirmed-line',
  caution: 'bg-caution-soft text-caution ring-caution-line',
  danger: 'bg-danger-soft text-danger ring-danger-line',
  novel: 'bg-novel-soft text-novel ring-novel-line',
};
