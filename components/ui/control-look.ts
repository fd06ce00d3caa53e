/** Shared by every control that text goes into. */
export const CONTROL =
  'weak:w-full rounded-md border weak:border-line-control bg-surface text-ink shadow-sm outline-offset-0 placeholder:text-ink-faint focus-visible:outline-2 aria-invalid:border-danger [&[readonly]]:bg-sunken';

/** Height and text of one-line controls; 16 px on a phone, below which iOS zooms the page. */
export const CONTROL_LINE = 'weak:h-8 px-2.5 weak:text-sm max-md:h-11 max-md:text-lg';
