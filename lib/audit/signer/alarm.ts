/**
 * Why the signer does not sign. `TRUNCATED`, `REWRITTEN`: the log is not what was signed · `BROKEN`: what came since does not
 * hold together · `OTHER_LOG`: another log altogether · `FILE_CHANGED`: the published file is not as the signer left it ·
 * `STATE_LOST`: the database knows checkpoints and the signer none · `KEY_NOT_CURRENT`: another key signed last ·
 * `FORKED`: the database holds another checkpoint at the same place · `CLOCK`: the signer's clock, the database's and the times
 * of the events do not agree. The database has the same list.
 */
export const SIGNER_ALARMS = [
  'TRUNCATED',
  'REWRITTEN',
  'BROKEN',
  'OTHER_LOG',
  'FILE_CHANGED',
  'STATE_LOST',
  'KEY_NOT_CURRENT',
  'FORKED',
  'CLOCK',
] as const;

export interface SignerAlarm {
  code: (typeof SIGNER_ALARMS)[number];
  /** The first bad number, where there is one. */
  number: bigint | null;
}
