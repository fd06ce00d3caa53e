import { expect, it } from 'vitest';
import { settledLook } from './settled-look';

type Known = Parameters<typeof settledLook>[0];
// Only what is read is given: a whole row of the ledger would hide which members these are.
const known = (decision: object, exception: object = {}) =>
  ({
    exception: { state: 'CLOSED', closingCode: 'LINK_RESULT', closedAt: 'then', ...exception },
    decisions: [
      { decision: 'LINK_RESULT', at: 'then', evidenceId: 'L2', shownEvidenceId: null, ...decision },
    ],
  }) as unknown as Known;

it('R-086g a settled exception names the look that carried it, and when that was made', () => {
  expect(settledLook(known({}))).toEqual({ lookupId: 'L2', moment: 'SHOWN', shownId: null });
  expect(settledLook(known({ shownEvidenceId: 'L2' }))).toMatchObject({ moment: 'SHOWN', shownId: null });
  expect(settledLook(known({ shownEvidenceId: 'L1' }))).toMatchObject({
    ...{ moment: 'ON_DECIDING', shownId: 'L1' },
  });
});

it.each(['REISSUE', 'REISSUE_AS_NEW_WORK'])(
  'R-086g the look of a %s came after the approval: the approver had another one, or none',
  (decision) => {
    const closing = { closingCode: decision };
    expect(settledLook(known({ decision }, closing))).toMatchObject({ moment: 'AFTER_APPROVAL' });
    expect(settledLook(known({ decision, shownEvidenceId: 'L1' }, closing))).toMatchObject({ shownId: 'L1' });
  },
);

it('R-086g none while it is open, none without a look', () => {
  expect(settledLook(known({}, { state: 'OPEN' }))).toBeNull();
  expect(settledLook(known({ evidenceId: null, shownEvidenceId: 'L1' }))).toBeNull();
});
