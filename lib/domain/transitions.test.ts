import { expect, it } from 'vitest';
import { EXECUTION_STATES, businessView, isTerminal } from './states';
import { canMove, MOVERS, TRANSITIONS } from './transitions';

it('R-045b only a claim makes a record PROCESSING', () => {
  const makers = TRANSITIONS.filter((move) => move.to === 'PROCESSING').map((move) => move.by);
  expect(new Set(makers)).toEqual(new Set(['claim']));
});

it('R-045b nothing leaves EXPIRED, and nothing but a person or retention touches what has ended', () => {
  for (const to of EXECUTION_STATES) for (const by of MOVERS) expect(canMove('EXPIRED', to, by)).toBe(false);
  const fromEnded = TRANSITIONS.filter(({ from }) => from !== null && isTerminal(from)).map(({ by }) => by);
  expect(new Set(fromEnded)).toEqual(new Set(['retention', 'person']));
  expect(TRANSITIONS.filter(({ from }) => from === 'SUCCEEDED').map(({ to }) => to)).toEqual(['EXPIRED']);
});

it('R-031a of what is UNKNOWN an executor can only say that it succeeded', () => {
  expect(
    TRANSITIONS.filter(({ from, by }) => from === 'UNKNOWN' && by === 'executor').map(({ to }) => to),
  ).toEqual(['SUCCEEDED']);
});

it('R-033a cancelling ends what has not begun', () => {
  const cancelled = TRANSITIONS.filter(({ by }) => by === 'cancel').map(({ from, to }) => `${from} ${to}`);
  expect(cancelled).toEqual(['RECEIVED FAILED_FINAL', 'PROCESSING FAILED_FINAL']);
});

it('R-040b retention reaches terminal records only', () => {
  expect(TRANSITIONS.filter(({ by }) => by === 'retention').map(({ from }) => from)).toEqual([
    'SUCCEEDED',
    'FAILED_FINAL',
  ]);
});

it('R-042a the business view tells what each state means to people', () => {
  expect(EXECUTION_STATES.map((state) => businessView(state))).toEqual([
    'NOT_ATTEMPTED',
    'IN_PROGRESS',
    'CONFIRMED_COMPLETE',
    'NOT_ATTEMPTED',
    'CONFIRMED_REFUSED',
    'RESULT_UNKNOWN',
    'RESULT_UNKNOWN',
  ]);
  expect(businessView('FAILED_RETRYABLE', { noEffectProven: false })).toBe('RESULT_UNKNOWN');
  expect(businessView('EXPIRED', { before: 'SUCCEEDED' })).toBe('CONFIRMED_COMPLETE');
  expect(businessView('EXPIRED', { before: 'FAILED_FINAL' })).toBe('CONFIRMED_REFUSED');
});
