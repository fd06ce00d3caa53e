import { describe, expect, it } from 'vitest';
import { loginNotice } from './login-error';

describe('what the login page says', () => {
  it.each([
    [null, null],
    ['', null],
    ['CredentialsSignin', 'CredentialsSignin'],
    ['Throttled_45', 'Throttled'],
    ['SignedOut', 'SignedOut'],
    ['<script>', 'Default'],
    ['toString', 'Default'],
  ])('%s is told as %s', (code, notice) => {
    expect(loginNotice(code)).toBe(notice);
  });
});
