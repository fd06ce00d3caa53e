import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { complainAboutActionKey, complainAboutEnvironment } from './production-checks.mjs';

const secret = () => randomBytes(32).toString('base64');
const good = () => ({
  DATABASE_URL: 'postgresql://onceover_app:x@db/onceover',
  NEXTAUTH_SECRET: secret(),
  NEXTAUTH_URL: 'https://desk.test',
  FIELD_HASH_KEY: secret(),
});

describe('a production start', () => {
  it('SC-06 takes what is complete and strong', () => {
    expect(complainAboutEnvironment(good())).toEqual([]);
  });

  it.each(['DATABASE_URL', 'NEXTAUTH_SECRET', 'NEXTAUTH_URL', 'FIELD_HASH_KEY'])('SC-06 needs %s', (name) => {
    for (const value of [undefined, '']) {
      expect(complainAboutEnvironment({ ...good(), [name]: value })).toEqual([
        expect.stringContaining(`${name} is not set`),
      ]);
    }
  });

  it('names everything that is wrong at once', () => {
    expect(complainAboutEnvironment({})).toHaveLength(4);
  });

  it.each(['short', 'a'.repeat(64), 'abababab'.repeat(8), 'changeme-changeme-changeme-changeme-1234'])(
    'SC-06 refuses the weak secret %s',
    (weak) => {
      expect(complainAboutEnvironment({ ...good(), NEXTAUTH_SECRET: weak })[0]).toContain('weak');
      expect(complainAboutEnvironment({ ...good(), FIELD_HASH_KEY: weak })[0]).toContain('weak');
    },
  );

  it('SC-06 takes no key of actions, or one of 32 random bytes', () => {
    for (const key of [undefined, '', secret()])
      expect(complainAboutEnvironment({ ...good(), NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: key })).toEqual([]);
  });

  it.each([
    ['of 16 bytes', randomBytes(16).toString('base64')],
    ['of 33 bytes', randomBytes(33).toString('base64')],
    ['of one byte', Buffer.alloc(32, 7).toString('base64')],
    ['of typed words', Buffer.from('correct horse battery staple 471').toString('base64')],
    ['that is no base64', 'canary canary canary canary canary canary can'],
    ['with a blank behind it', `${secret()} `],
  ])('SC-06 refuses a key of actions %s', (_, key) => {
    const said = complainAboutEnvironment({ ...good(), NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: key });
    expect(said).toEqual([expect.stringContaining('NEXT_SERVER_ACTIONS_ENCRYPTION_KEY is weak')]);
    expect(said.join('')).not.toContain(key.trim());
    expect(complainAboutActionKey(key, 'The key in the build')).toContain('The key in the build is weak');
  });

  it('SC-06 refuses one secret for two uses', () => {
    const one = secret();
    const env = { ...good(), NEXTAUTH_SECRET: one, FIELD_HASH_KEY: one };
    expect(complainAboutEnvironment(env)).toEqual([expect.stringContaining('two different secrets')]);
  });

  it.each(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000', 'https://desk.test'])(
    'serves %s',
    (origin) => {
      expect(complainAboutEnvironment({ ...good(), NEXTAUTH_URL: origin })).toEqual([]);
    },
  );

  it.each([
    'http://desk.test',
    'http://127.0.0.1.desk.test',
    'http://192.168.0.7:3000',
    'desk.test',
    'ftp://desk.test',
  ])('SC-06 refuses to serve %s', (origin) => {
    expect(complainAboutEnvironment({ ...good(), NEXTAUTH_URL: origin })).toHaveLength(1);
  });

  it.each([
    ['NODE_OPTIONS', '--inspect=0.0.0.0:9229'],
    ['NODE_DEBUG', 'http'],
    ['NODE_ENV', 'development'],
    ['NODE_TLS_REJECT_UNAUTHORIZED', '0'],
  ])('SC-06 refuses %s=%s', (name, value) => {
    expect(complainAboutEnvironment({ ...good(), [name]: value })).toEqual([
      `${name} is set for debugging: unset it.`,
    ]);
    expect(complainAboutEnvironment({ ...good(), NODE_ENV: 'production', NODE_OPTIONS: '' })).toEqual([]);
  });

  it('SC-06 says what is wrong without the values', () => {
    const values = ['short-secret-1', 'short-secret-2', 'pasted-secret-3', 'mysql://app:word@db/x'];
    const [NEXTAUTH_SECRET, FIELD_HASH_KEY, NEXTAUTH_URL, DATABASE_URL] = values;
    const said = complainAboutEnvironment({ NEXTAUTH_SECRET, FIELD_HASH_KEY, NEXTAUTH_URL, DATABASE_URL });
    expect(said).toHaveLength(4);
    for (const value of values) expect(said.join('\n')).not.toContain(value);
  });
});

describe('the settings of a sign-in provider', () => {
  const oidc = (more: Record<string, string | undefined> = {}) =>
    complainAboutEnvironment({
      ...good(),
      OIDC_ISSUER: 'https://login.example.test/realms/desk',
      OIDC_CLIENT_ID: 'onceover',
      OIDC_CLIENT_SECRET: secret(),
      ...more,
    });

  it('may be there as a whole, with or without roles', () => {
    expect(oidc()).toEqual([]);
    expect(oidc({ OIDC_ROLE_CLAIM: 'https://desk.test/roles' })).toEqual([]);
    expect(oidc({ OIDC_ROLE_CLAIM: '/realm_access/roles' })).toEqual([]);
    expect(oidc({ OIDC_ISSUER: 'http://127.0.0.1:8080' })).toEqual([]);
  });

  it.each(['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])('AN-13 are refused without %s', (name) => {
    for (const value of [undefined, ''])
      expect(oidc({ [name]: value })).toEqual([expect.stringContaining(`${name} is not set`)]);
  });

  it('AN-13 are refused where the roles alone are told', () => {
    expect(complainAboutEnvironment({ ...good(), OIDC_ROLE_CLAIM: 'roles' })).toHaveLength(3);
  });

  it.each([
    'http://login.example.test',
    'http://127.0.0.1.example.test',
    'https://user:password@login.example.test',
    'https://login.example.test?x=1',
    'login.example.test',
    'file:///etc',
  ])('AN-13 are refused with the issuer %s', (issuer) => {
    expect(oidc({ OIDC_ISSUER: issuer })).toEqual([expect.stringContaining('OIDC_ISSUER must be')]);
  });

  it.each(['a b', '/', '/a~2', 'r\u00f4les'])('are refused with the role claim %j', (claim) => {
    expect(oidc({ OIDC_ROLE_CLAIM: claim })).toEqual([expect.stringContaining('OIDC_ROLE_CLAIM must be')]);
  });
});
