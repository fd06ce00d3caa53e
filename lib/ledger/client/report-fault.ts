/** One member of what an effect told that the ledger cannot take. */
export interface Fault {
  /** `resultId`, `response`, `code` … */
  readonly member: string;
  readonly why: string;
}

/**
 * What an effect returned or threw could not be reported as it was: a mistake in the program, told after everything
 * that can be reported has been. It is a member of the outcome and not thrown, since the effect has happened.
 */
export class ReportFault extends Error {
  override readonly name = 'ReportFault';
  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ member, why }) => `${member} ${why}`).join('; '));
  }
}

export const faultOf = (faults: readonly Fault[]): ReportFault | null =>
  faults.length === 0 ? null : new ReportFault(faults);
