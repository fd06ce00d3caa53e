/** The orders of the queue; a minus turns one round. */
export const EXCEPTION_SORTS = ['severity', '-severity', 'due', '-due', 'opened', '-opened'] as const;

export type ExceptionSort = (typeof EXCEPTION_SORTS)[number];
