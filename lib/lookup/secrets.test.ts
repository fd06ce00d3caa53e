import { expect, it } from 'vitest';
import { fillSecrets } from './secrets';

const template = { authorization: 'Basic ${secret:USER}:${secret:PASS}', accept: 'application/json' };

it('R-063g fills each reference from its own variable', () => {
  expect(fillSecrets(template, { SECRET_USER: 'u', SECRET_PASS: 'p' })).toEqual({
    ok: true,
    headers: { authorization: 'Basic u:p', accept: 'application/json' },
  });
});

it('R-063g names a missing secret, and takes one that could break out of its header for missing', () => {
  expect(fillSecrets(template, { SECRET_USER: 'u', PASS: 'p' })).toEqual({ ok: false, missing: 'PASS' });
  for (const value of ['', 'a\r\nb: c', 'a b', 'é']) {
    expect(fillSecrets(template, { SECRET_USER: value, SECRET_PASS: 'p' })).toEqual({
      ok: false,
      missing: 'USER',
    });
  }
});

it('R-063g a value is never read as a template itself', () => {
  const filled = fillSecrets({ 'x-key': '${secret:A}' }, { SECRET_A: '${secret:B}$&', SECRET_B: 'leak' });
  expect(filled).toEqual({ ok: true, headers: { 'x-key': '${secret:B}$&' } });
});
