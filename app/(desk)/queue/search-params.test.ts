import { describe, expect, it } from 'vitest';
import { readQueueAddress, writeQueueAddress, type QueueAddress } from './search-params';

const nothing: QueueAddress = {
  kind: null,
  state: null,
  severity: null,
  operation: null,
  system: null,
  cause: null,
  tenant: null,
  authority: null,
  assignee: null,
  age: null,
  due: null,
  hold: null,
  incident: null,
  q: null,
  sort: null,
  cursor: null,
  open: null,
  group: null,
  columns: null,
  density: null,
};

/** The address as the framework hands it to a page. */
const given = (query: string) => Object.fromEntries(new URLSearchParams(query));

describe('the address of the queue', () => {
  it.each<[string, Partial<QueueAddress>]>([
    ['nothing', {}],
    [
      'every filter',
      {
        kind: ['UNKNOWN_RESULT', 'EXPIRED_KEY'],
        state: 'any',
        severity: ['1', '4'],
        operation: ['create-order.v2', 'send,receipt', 'a&b=c#d?e'],
        tenant: ['tenant-north'],
        assignee: '0195f2a0-0000-7000-8000-0000000000ab',
        age: '<90m',
        system: ['crm', 'mail'],
        cause: ['TIMEOUT @ crm', 'lease-over'],
        authority: ['money'],
        due: 'today',
        hold: 'no',
        incident: '0195f2a0-0000-7000-8000-0000000000cd',
        q: 'order/2026%20"é" +한글',
        sort: '-opened',
        cursor: 'AbC-_019',
        open: '0195f2a0-0000-7000-8000-0000000000ef',
        group: 'cause',
        columns: ['work', 'due', 'kind'],
        density: 'compact',
      },
    ],
    ['my own, settled', { state: 'closed', assignee: 'me' }],
  ])('shows the same again: %s', (_name, state) => {
    const read = readQueueAddress(given(writeQueueAddress({ ...nothing, ...state })));
    expect(read).toMatchObject({ kind: 'read', address: { ...nothing, ...state } });
  });

  it('BI-06 names what it does not understand instead of widening the filter', () => {
    const wrong: [string, string[]][] = [
      ['kind=UNKNOWN_RESULT,BOGUS', ['kind']],
      ['kind=', ['kind']],
      ['kind=unknown_result', ['kind']],
      ['state=open;drop', ['state']],
      ['severity=0', ['severity']],
      ['severity=1.0', ['severity']],
      ['assignee=all', ['assignee']],
      ['assignee=00000000-0000-0000-0000-00000000000', ['assignee']],
      ['age=5', ['age']],
      ['age=%3E5m', ['age']],
      ['age=0h&due=soon&hold=maybe', ['age', 'due', 'hold']],
      ['incident=me&open=1&group=tenant', ['incident', 'open', 'group']],
      ['q=', ['q']],
      [`q=${'x'.repeat(301)}`, ['q']],
      ['q=a%00b', ['q']],
      ['sort=amount', ['sort']],
      ['sort=severity%20desc&tenant=', ['tenant', 'sort']],
      ['density=huge', ['density']],
    ];
    for (const [query, names] of wrong)
      expect(readQueueAddress(given(query)), query).toEqual({ kind: 'misread', names });
    expect(readQueueAddress({ kind: ['UNKNOWN_RESULT', 'EXPIRED_KEY'] })).toEqual({
      kind: 'misread',
      names: ['kind'],
    });
  });

  it('shows what is open unless told otherwise, and leaves parameters of others alone', () => {
    expect(readQueueAddress(given('utm_source=mail'))).toMatchObject({
      kind: 'read',
      filter: { states: ['OPEN'], kinds: [] },
    });
    expect(readQueueAddress(given('state=any'))).toMatchObject({ filter: { states: ['OPEN', 'CLOSED'] } });
  });

  it('takes the clipboard’s blanks off a search, and nothing else', () => {
    expect(readQueueAddress(given('q=%20%20order-1%0A'))).toMatchObject({ filter: { text: 'order-1' } });
  });
});
