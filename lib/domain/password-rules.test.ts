import { describe, expect, it } from 'vitest';
import { PASSWORD_MAX_BYTES, refusePassword } from './password-rules';

const common = new Set(['password', 'password1', 'iloveyou', 'qwertyuiop']);
const refuse = (password: string) => refusePassword(password, 'operator@demo.local', common);

describe('choosing a password', () => {
  it.each([
    'x7-Kq!mz',
    ' leading and trailing ',
    '열쇠는하나의의도',
    '🗝️🗝️🦊🦊🐢🐢🌲🌲',
    'ok'.padEnd(100, 'wXyZ-19'),
    `${'q7'.repeat(30)}Kxw`,
  ])('AN-14 %j may be chosen', (password) => {
    expect(refuse(password)).toBeNull();
  });

  it.each([
    ['seven77', 'TOO_SHORT'],
    ['🗝🗝🗝🗝🗝🗝🗝', 'TOO_SHORT'],
    ['a'.repeat(PASSWORD_MAX_BYTES + 1), 'TOO_LONG'],
    ['한'.repeat(PASSWORD_MAX_BYTES / 3 + 1), 'TOO_LONG'],
    ['Password', 'COMMON'],
    ['password2024!', 'COMMON'],
    ['ｐａｓｓｗｏｒｄ', 'COMMON'],
    ['aaaaaaaaaaaa', 'COMMON'],
    ['abcabcabcabc', 'COMMON'],
    ['Operator-7k!', 'CONTAINS_ACCOUNT'],
  ])('AN-14 %j is refused as %s', (password, code) => {
    expect(refuse(password)).toBe(code);
  });
});
