import { describe, expect, it } from 'vitest';
import { attemptsOf } from './exception-attempts';
import type { AttemptView, LateReportView } from './exception-view';

const attempt = (number: number, minute: number): AttemptView => ({
  attempt: number,
  owner: `executor/${number}`,
  fencingToken: String(number * 2 - 1),
  startedAt: `2026-11-29T21:${minute}:00.000000Z`,
  effectStartedAt: null,
  externalJobId: null,
  endedAt: null,
  outcome: null,
  failureCode: null,
  failureMessage: null,
});

const report = (fencingToken: string, minute: number): LateReportView => ({
  reportId: `r-${minute}`,
  verb: 'complete',
  fencingToken,
  resultId: `MSG-${minute}`,
  resultUrl: null,
  stateFound: 'FAILED_RETRYABLE',
  receivedAt: `2026-11-29T21:${minute}:00.000000Z`,
});

const exception = (reasonCode: string, minute: number) => ({
  reasonCode,
  openedAt: `2026-11-29T21:${minute}:30.000000Z`,
});

describe('the attempts of an exception', () => {
  it('R-047a tells of the attempt that was running when it opened, and of later ones apart', () => {
    const [first, second] = [attempt(1, 10), attempt(2, 20)];
    const told = { attempts: [first, second], lateReports: [] };
    expect(attemptsOf({ ...told, exception: exception('REPORTED', 10) })).toEqual({
      about: first,
      report: null,
      later: [second],
    });
    expect(attemptsOf({ ...told, exception: exception('REPORTED', 20) })).toEqual({
      about: second,
      report: null,
      later: [],
    });
  });

  it('R-047a tells of the sender of a late report, though another one is at work by then', () => {
    const [first, second] = [attempt(1, 10), attempt(2, 20)];
    const early = report(first.fencingToken, 25);
    const told = { attempts: [first, second], lateReports: [early, report(second.fencingToken, 40)] };
    expect(attemptsOf({ ...told, exception: exception('LATE_SUCCESS', 25) })).toEqual({
      about: first,
      report: early,
      later: [],
    });
    expect(attemptsOf({ ...told, exception: exception('REPORTED', 25) }).report).toBeNull();
  });

  it('R-047a names nobody before the first attempt', () => {
    expect(
      attemptsOf({
        attempts: [attempt(1, 30)],
        lateReports: [],
        exception: exception('NOT_CLAIMED_IN_TIME', 10),
      }),
    ).toMatchObject({ about: null, later: [{ attempt: 1 }] });
  });
});
