import { describe, expect, it } from 'vitest';
import { readProviderClaims } from './provider-claims';

const token = { sub: 's-1', email: 'hana@demo.local', email_verified: true, auth_time: 1_796_000_000 };

describe('what a provider said about somebody', () => {
  it('is read from the token', () => {
    expect(readProviderClaims(token, {}, null)).toEqual({
      subject: 's-1',
      email: 'hana@demo.local',
      authTime: 1_796_000_000,
      roles: [],
    });
  });

  it.each([
    ['a list', ['s-1']],
    ['an object', { a: 1 }],
    ['a number', 42],
    ['nothing', null],
    ['an empty text', ''],
    ['a blank at its end', 's-1 '],
    ['NUL', 's\0'],
    ['half a character', '\ud800'],
    ['another alphabet', 'ｓ-1'],
    ['256 characters', 'x'.repeat(256)],
  ])('AN-19 R-078p names nobody by a subject that is or has %s', (_, sub) => {
    expect(readProviderClaims({ ...token, sub }, {}, null)).toBeNull();
  });

  it('R-078p takes subjects as long as OpenID lets them be', () => {
    const sub = 'x'.repeat(255);
    expect(readProviderClaims({ ...token, sub }, {}, null)?.subject).toBe(sub);
  });

  it('AN-19 joins no address of one source with a check of the other', () => {
    const bare = { sub: 's-1' };
    expect(readProviderClaims(bare, { email: 'a@b.c', email_verified: true }, null)?.email).toBe('a@b.c');
    expect(readProviderClaims({ ...bare, email: 'a@b.c' }, { email_verified: true }, null)?.email).toBeNull();
    expect(readProviderClaims({ ...bare, email_verified: true }, { email: 'a@b.c' }, null)?.email).toBeNull();
  });

  it.each([undefined, null, false, 'true', 1, {}])('AN-19 takes %j for no check', (verified) => {
    expect(readProviderClaims({ ...token, email_verified: verified }, {}, null)?.email).toBeNull();
  });

  it.each([undefined, null, '1796000000', Number.NaN, {}])('R-078d takes %j for no time', (time) => {
    expect(
      readProviderClaims({ ...token, auth_time: time }, { auth_time: 1_796_000_000 }, null)?.authTime,
    ).toBeNull();
  });

  it.each<[unknown, string[]]>([
    ['APPROVER', ['APPROVER']],
    [
      ['MANAGER', 'OPERATOR', 'users'],
      ['OPERATOR', 'MANAGER'],
    ],
    [['operator', ' OPERATOR', 'OPERATOR,ADMIN'], []],
    ['OPERATOR ADMIN', []],
    [{ OPERATOR: true }, []],
    [[['ADMIN']], []],
    [null, []],
  ])('R-078h reads the roles %j as %j', (given, roles) => {
    expect(
      readProviderClaims({ ...token, 'https://desk/roles': given }, {}, 'https://desk/roles')?.roles,
    ).toEqual(roles);
    const nested = { resource_access: { desk: { roles: given } } };
    expect(readProviderClaims(token, nested, '/resource_access/desk/roles')?.roles).toEqual(roles);
  });

  it('R-078h finds no roles by way of what every object has', () => {
    expect(readProviderClaims(token, {}, 'constructor')?.roles).toEqual([]);
    expect(readProviderClaims(token, {}, '/constructor/name')?.roles).toEqual([]);
  });
});
