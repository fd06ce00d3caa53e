// A provider whose token endpoint says whatever a test wants, signed or not.
import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

type Claims = Record<string, unknown>;

export interface Lie {
  claims?: Claims;
  alg?: 'RS256' | 'none' | 'HS256';
  /** Signed with a key that the provider does not publish. */
  foreignKey?: boolean;
  /** What the user-info address says; absent: it answers 500. */
  userinfo?: Claims;
}

export interface LyingProvider {
  issuer: string;
  /** Of the next token. */
  lie: Lie;
  /** Of the description; merged over the right one. */
  description: Claims;
  /** Requests for the description so far. */
  described: number;
  /** Paths asked for, in order. */
  asked: string[];
  /** How an address answers instead, by its path. */
  sick: Record<string, (response: http.ServerResponse) => void>;
  environment: Record<string, string>;
  stop: () => Promise<void>;
}

const SECRET = 'the secret of a client that has a long one';

const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });

export async function startLyingProvider(): Promise<LyingProvider> {
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: LyingProvider = {
    issuer,
    lie: {},
    description: {},
    described: 0,
    asked: [],
    sick: {},
    environment: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'onceover', OIDC_CLIENT_SECRET: SECRET },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const answers: Record<string, () => Claims | null> = {
    '/.well-known/openid-configuration': () => {
      state.described += 1;
      return { ...descriptionOf(issuer), ...state.description };
    },
    '/jwks': () => ({
      keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }],
    }),
    '/token': () => ({
      access_token: 'an-access-token',
      token_type: 'Bearer',
      id_token: tokenOf(state.lie, (state.lie.foreignKey === true ? foreign : own).privateKey),
    }),
    '/userinfo': () => state.lie.userinfo ?? null,
  };
  server.on('request', (request, response) => {
    const path = String(request.url);
    state.asked.push(path);
    const sick = state.sick[path];
    if (sick !== undefined) return sick(response);
    const answer = answers[path]?.() ?? null;
    response.statusCode = answer === null ? 500 : 200;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  return state;
}

const descriptionOf = (issuer: string): Claims => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  id_token_signing_alg_values_supported: ['RS256'],
});

function tokenOf({ claims = {}, alg = 'RS256' }: Lie, key: KeyObject): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg, kid: 'own' })}.${part(claims)}`;
  if (alg === 'none') return `${content}.`;
  const signature =
    alg === 'HS256'
      ? createHmac('sha256', SECRET).update(content).digest()
      : sign('RSA-SHA256', Buffer.from(content), key);
  return `${content}.${signature.toString('base64url')}`;
}
