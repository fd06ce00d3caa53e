import { describe, expect, it } from 'vitest';
import { checkHistory, type HistoryEvent } from './check-history';

type Told = Partial<HistoryEvent> & Pick<HistoryEvent, 'call'>;

/** Events that follow each other, each with an answer, unless they say otherwise. */
const history = (...events: Told[]): HistoryEvent[] =>
  events.map((event, index) => ({
    scope: 'K',
    process: 'a',
    invokedAt: index * 10,
    returnedAt: index * 10 + 5,
    ...event,
  }));

const claimed = (token: number, more: Partial<HistoryEvent> = {}): Told => ({
  call: 'claim',
  token,
  disposition: 'CLAIMED',
  ...more,
});
const started = (token: number, more: Partial<HistoryEvent> = {}): Told => ({
  call: 'effect_started',
  token,
  state: 'PROCESSING',
  ...more,
});
const completed = (token: number, resultId: string, more: Partial<HistoryEvent> = {}): Told => ({
  call: 'complete',
  token,
  resultId,
  state: 'SUCCEEDED',
  ...more,
});
const failed = (token: number, state: string, more: Partial<HistoryEvent> = {}): Told => ({
  call: 'fail',
  token,
  state,
  ...more,
});
const replayed = (resultId: string, more: Partial<HistoryEvent> = {}): Told => ({
  call: 'claim',
  disposition: 'RESULT_REUSED',
  resultId,
  ...more,
});
const refused = (code: string, more: Partial<HistoryEvent> = {}): Told => ({ call: 'claim', code, ...more });
const b = { process: 'b' };

describe('LC-14 a history that the ledger can make is accepted', () => {
  it.each<[string, Told[]]>([
    [
      'a first claim that the server repeated itself',
      [claimed(1, { disposition: 'SAME_ATTEMPT' }), started(1), completed(1, 'R'), replayed('R', b)],
    ],
    [
      'one after the other',
      [
        claimed(1),
        started(1),
        refused('REQUEST_IN_PROGRESS', b),
        completed(1, 'R'),
        replayed('R', b),
        refused('IDEMPOTENCY_KEY_REUSED', b),
      ],
    ],
    [
      'a takeover before the effect, and the old owner fenced',
      [claimed(1), claimed(2, b), started(1, { code: 'FENCED', state: undefined }), started(2, b)],
    ],
    [
      'a retry with the same key',
      [
        claimed(1),
        started(1),
        failed(1, 'FAILED_RETRYABLE'),
        claimed(2, { ...b, disposition: 'RETRY_SAME_KEY' }),
        started(2, b),
      ],
    ],
    [
      'the same attempt twice',
      [
        claimed(1, { returnedAt: null, token: undefined, disposition: undefined }),
        claimed(1, { disposition: 'SAME_ATTEMPT' }),
        started(1),
      ],
    ],
    [
      'a lost completion that happened',
      [claimed(1), started(1), completed(1, 'R', { returnedAt: null, state: undefined }), replayed('R', b)],
    ],
    [
      'a lost completion that did not happen yet',
      [
        claimed(1),
        started(1),
        completed(1, 'R', { returnedAt: null, state: undefined }),
        refused('REQUEST_IN_PROGRESS', b),
      ],
    ],
    [
      'calls that overlap, answered in either order',
      [
        claimed(1),
        started(1),
        completed(1, 'R', { invokedAt: 30, returnedAt: 90 }),
        replayed('R', { ...b, invokedAt: 40, returnedAt: 50 }),
        refused('REQUEST_IN_PROGRESS', { ...b, invokedAt: 35, returnedAt: 95 }),
      ],
    ],
    [
      'a doubt that a person settled',
      [
        claimed(1),
        started(1),
        { call: 'unknown', token: 1, state: 'UNKNOWN' },
        refused('RECONCILE_REQUIRED', b),
        { call: 'decision', state: 'FAILED_RETRYABLE' },
        claimed(3, { ...b, disposition: 'RETRY_SAME_KEY' }),
      ],
    ],
    [
      'a result that a person linked',
      [claimed(1), started(1), { call: 'decision', resultId: 'R' }, replayed('R', b)],
    ],
    [
      'a claim that was lost and took the token between two others',
      [
        claimed(1),
        claimed(2, { ...b, returnedAt: null, token: undefined, disposition: undefined }),
        claimed(3),
      ],
    ],
    [
      'a late success that contradicts a failure without effect',
      [
        claimed(1),
        claimed(2, b),
        started(2, b),
        failed(2, 'FAILED_RETRYABLE', b),
        completed(1, 'R', { code: 'FENCED', state: undefined }),
        refused('RECONCILE_REQUIRED', b),
      ],
    ],
    [
      'two scopes with the same tokens',
      [
        claimed(1),
        claimed(1, { ...b, scope: 'L' }),
        completed(1, 'R'),
        completed(1, 'S', { ...b, scope: 'L' }),
      ],
    ],
  ])('%s', (_, events) => {
    expect(checkHistory(history(...events))).toEqual([]);
  });
});

describe('LC-14 a history that breaks a promise is told', () => {
  it.each<[string, Told[]]>([
    ['two owners of one token', [claimed(1), claimed(1, b)]],
    ['two owners of one token', [claimed(1), claimed(1)]],
    ['two owners of one token', [claimed(1), claimed(1, { ...b, disposition: 'SAME_ATTEMPT' })]],
    ['two owners of one token', [claimed(1, { returnedAt: 90 }), claimed(1, { ...b, returnedAt: 95 })]],
    ['a token that had been taken away was used', [claimed(2), claimed(1, b)]],
    ['a token that had been taken away was used', [claimed(1), claimed(2, b), completed(1, 'R')]],
    ['a token was used before it was given', [claimed(1), started(2, b), claimed(2, b)]],
    ['no order of the calls explains', [claimed(2, { disposition: 'SAME_ATTEMPT' })]],
    [
      'a fenced token was accepted again',
      [claimed(1), started(1, { code: 'FENCED', state: undefined }), completed(1, 'R')],
    ],
    ['a started effect was taken over', [claimed(1), started(1), claimed(2, b)]],
    [
      'a started effect was taken over',
      [claimed(1), started(1, { returnedAt: 90 }), claimed(2, { ...b, returnedAt: 95 })],
    ],
    ['an acknowledged end was lost', [claimed(1), completed(1, 'R'), claimed(2, b)]],
    ['an acknowledged end was lost', [claimed(1), completed(1, 'R'), refused('REQUEST_IN_PROGRESS', b)]],
    [
      'an acknowledged end was lost',
      [claimed(1), failed(1, 'FAILED_FINAL'), claimed(2, { ...b, disposition: 'RETRY_SAME_KEY' })],
    ],
    [
      'an acknowledged end was lost',
      [
        claimed(1),
        completed(1, 'R', { returnedAt: null, state: undefined }),
        replayed('R', b),
        refused('REQUEST_IN_PROGRESS', b),
      ],
    ],
    [
      'an acknowledged doubt was lost',
      [claimed(1), { call: 'unknown', token: 1, state: 'UNKNOWN' }, refused('REQUEST_IN_PROGRESS', b)],
    ],
    ['two results of one record', [claimed(1), completed(1, 'R'), completed(1, 'S')]],
    ['two results of one record', [claimed(1), completed(1, 'R'), { call: 'complete' }, replayed('S', b)]],
    [
      'two ends of one record',
      [claimed(1), completed(1, 'R'), refused('EXECUTION_FAILED_FINAL', { ...b, returnedAt: 99 })],
    ],
    ['a result that nobody had reported', [claimed(1), started(1), replayed('R', b)]],
    ['a result that nobody had reported', [claimed(1), replayed('R', b), completed(1, 'R')]],
    ['no order of the calls explains', [claimed(1), claimed(3, b)]],
    [
      'no order of the calls explains',
      [claimed(1), started(1), failed(1, 'FAILED_RETRYABLE'), refused('REQUEST_IN_PROGRESS', b)],
    ],
    [
      'no order of the calls explains',
      [claimed(1), started(1), failed(1, 'FAILED_RETRYABLE'), claimed(2, b)],
    ],
    ['no order of the calls explains', [refused('REQUEST_IN_PROGRESS', b), claimed(1)]],
    [
      'no order of the calls explains',
      [
        claimed(1),
        completed(1, 'R', { invokedAt: 20, returnedAt: 90 }),
        replayed('R', { ...b, invokedAt: 30, returnedAt: 40 }),
        started(1, { ...b, invokedAt: 50, returnedAt: 60 }),
      ],
    ],
  ])('%s', (what, events) => {
    expect(checkHistory(history(...events))).toContainEqual(expect.stringMatching(`^K: ${what}`));
  });
});
