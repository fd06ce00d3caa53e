import { describe, expect, it } from 'vitest';
import { auditMember, auditWord } from './audit-words';
import { REQUEST_KINDS, REQUEST_STATES } from './decisions';
import { EXCEPTION_KINDS } from './exception-kinds';
import { CATALOGUE } from './messages/catalogue';
import { LOCALES } from './messages/locales';
import { REFUSAL_MESSAGES } from './refusals';
import { EXECUTION_STATES } from './states';

/** Asks a catalogue as next-intl does: by names between dots. */
const read = (locale: (typeof LOCALES)[number], message: string): unknown =>
  message
    .split('.')
    .reduce<unknown>(
      (tree, name) =>
        typeof tree === 'object' && tree !== null ? (tree as Record<string, unknown>)[name] : undefined,
      CATALOGUE[locale],
    );
const has = (message: string) => LOCALES.every((locale) => typeof read(locale, message) === 'string');
const english = (member: string, value: string) => {
  const message = auditWord(member, value, has);
  return message === null ? null : read('en', message);
};

/** Refusals of sign-ins and of a new password; the desk's commands never answer them. */
const OF_ACCOUNTS = [
  'THROTTLED',
  'BAD_CREDENTIALS',
  'BAD_LINK',
  'WRONG_PASSWORD',
  'TOO_SHORT',
  'TOO_LONG',
  'COMMON',
  'CONTAINS_ACCOUNT',
  'PROVIDER_REFUSED',
  'EMAIL_UNVERIFIED',
  'NOT_INVITED',
  'OTHER_PERSON',
  'IDENTITY_TAKEN',
  'LINK_FIRST',
  'SHOW_AGAIN',
  'PROVIDER_SIGNS_IN',
];

describe('the words of the audit', () => {
  it.each([
    ['refusalCode', [...Object.keys(REFUSAL_MESSAGES), ...OF_ACCOUNTS]],
    ['state', [...EXECUTION_STATES, ...REQUEST_STATES]],
    ['kind', [...EXCEPTION_KINDS, ...REQUEST_KINDS]],
    [
      'outcome',
      ['FOUND', 'NOT_FOUND', 'MULTIPLE', 'MISMATCH', 'INACCESSIBLE', 'INCONCLUSIVE', 'APPLIED', 'NOT_OURS'],
    ],
    ['verdict', ['APPLIED', 'NOT_APPLIED', 'UNDER_WAY', 'UNCLEAR']],
    ['secrets', ['PASSWORD', 'TOKEN', 'PRIVATE_KEY', 'CARD_NUMBER']],
    ['method', ['password', 'link', 'provider']],
    ['relation', ['RETRY_AS_NEW', 'CORRECTION', 'NEW_WORK']],
    ['otherFate', ['KEPT', 'COMPENSATED', 'ATTRIBUTED', 'NONE']],
    ['externalStatus', ['done', 'pending', 'failed', 'reversed']],
    ['automatic', ['true', 'false']],
  ])(
    'R-097e every code that %s can hold has words in both languages, without a gap to fill',
    (member, codes) => {
      const words = codes.map((code) => [code, english(member, code)]);
      expect(words.filter(([, word]) => typeof word !== 'string' || word.includes('{'))).toEqual([]);
    },
  );

  it('R-088b says the most fitting word of a code that several things share', () => {
    expect(english('state', 'EXPIRED')).toBe('Record expired');
    expect(english('state', 'PENDING')).toBe('Waiting');
    expect(auditMember('UNKNOWN_RESULT', has)).toBe('glossary.kind.UNKNOWN_RESULT.label');
    expect(auditMember('verdict', has)).toBe('audit.member.verdict');
  });

  it('R-088b leaves as stored what has no word: a person’s text, an unknown code, a foreign member', () => {
    expect(auditWord('reason', 'because the bank is closed', () => true)).toBeNull();
    expect(english('state', 'HALF_DONE')).toBeNull();
    expect(english('resultId', 'PASSWORD')).toBeNull();
    expect(english('errorClass', 'other')).toBeNull();
    expect(english('constructor', 'name')).toBeNull();
    expect(auditMember('a.b', has)).toBeNull();
  });
});
