import { describe, expect, it } from 'vitest';
import type { ActivityView } from './exception-view';
import { cameBack, handedOver, isTicketAddress } from './working-together';

const HANA = { kind: 'person', id: 'hana', name: 'Hana' } as const;
const SWEEP = { kind: 'system', id: 'system:sweep', name: null } as const;
let count = 0;
const act = (event: string, detail = {}, actor: ActivityView['actor'] = HANA): ActivityView => ({
  ...{
    eventId: String((count += 1)),
    at: `2026-11-30T12:00:${String(count).padStart(2, '0')}Z`,
    event,
    detail,
    actor,
  },
});
const note = act('commented', { text: 'Call them.', handedTo: 'kim' });

describe('working together', () => {
  it('R-049k the receiver sees the note of who handed it over, until somebody else has it', () => {
    const given = [act('opened', {}, SWEEP), note, act('assigned', { from: 'hana', to: 'kim' })];
    expect(handedOver(given, 'kim')).toBe(note);
    expect(handedOver(given, 'hana')).toBeNull();
    expect(handedOver([...given, act('commented', { text: 'Called.' })], 'kim')).toBe(note);
    expect(handedOver([...given, act('assigned', { from: 'kim', to: 'lee' })], 'kim')).toBeNull();
    const again = [...given, act('assigned', { to: null }), act('assigned', { to: 'kim' })];
    expect(handedOver(again, 'kim')).toBeNull();
  });

  it('R-049k an exception came back until a person has done something about it', () => {
    const over = act('resumed', {}, SWEEP);
    const deferred = [act('deferred'), over, act('evidence', {}, SWEEP)];
    expect(cameBack(deferred)).toBe(over.at);
    expect(cameBack([...deferred, act('commented')])).toBeNull();
    expect(cameBack([act('deferred')])).toBeNull();
  });

  it('R-049k a ticket’s address is https, and holds no password', () => {
    expect(isTicketAddress('https://tickets.example.com/T-1?x=1#c2')).toBe(true);
    for (const text of [
      'http://a.example',
      'javascript:alert(1)',
      'https://u:p@a.example/',
      'https://a.example/ x',
      'https://',
      'T-1',
    ])
      expect(isTicketAddress(text), text).toBe(false);
  });
});
