// A real OpenID provider on loopback, with a login form and nothing else.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

/** What the provider says about somebody; `sub` is the name typed into its form. */
export type ProviderAccount = Record<string, unknown>;

export const CLIENT_ID = 'onceover';
export const CLIENT_SECRET = randomBytes(24).toString('base64url');

interface ProviderOptions {
  /** Where the product answers. */
  product: string;
  /** Claims stand in the token itself, as many providers do it, and not only behind the user-info address. */
  inToken?: boolean;
}

export interface RunningProvider {
  issuer: string;
  /** By subject; tests change it between sign-ins. */
  accounts: Map<string, ProviderAccount>;
  /** Seconds since 1970 of the next log-in there, as if it had been earlier; null: now. */
  pretend: { loggedInAt: number | null };
  /** What the product is told. */
  environment: Record<string, string>;
  stop: () => Promise<void>;
}

export async function startIdentityProvider(options: ProviderOptions): Promise<RunningProvider> {
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, ProviderAccount>();
  const pretend: RunningProvider['pretend'] = { loggedInAt: null };
  const provider = new Provider(issuer, configuration(accounts, options));
  const serve = provider.callback();
  server.on('request', (request, response) => {
    if (request.url === '/favicon.ico') return response.writeHead(204).end();
    if (request.url?.startsWith('/interaction/') !== true) return void serve(request, response);
    if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end(FORM);
    return void fieldOf(request, 'login').then(async (accountId) => {
      const login = { accountId, ...(pretend.loggedInAt === null ? {} : { ts: pretend.loggedInAt }) };
      const result = accountId === '' ? { error: 'access_denied' } : { login };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    });
  });
  return {
    issuer,
    accounts,
    pretend,
    environment: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function configuration(
  accounts: Map<string, ProviderAccount>,
  { product, inToken = false }: ProviderOptions,
): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${product}/api/auth/callback/oidc`],
        post_logout_redirect_uris: [`${product}/login`],
      },
    ],
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...accounts.get(sub), sub }) }),
    claims: { email: ['email', 'email_verified'], profile: ['name', 'roles', 'realm_access'] },
    conformIdTokenClaims: !inToken,
    pkce: { required: () => true },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' }] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = `<!doctype html><title>Provider</title>${form}
            <button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`;
        },
      },
    },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    // Nobody is asked whether the desk may know them.
    loadExistingGrant: async (ctx) => {
      const { Grant } = ctx.oidc.provider;
      const grant = new Grant({
        clientId: String(ctx.oidc.client?.clientId),
        accountId: String(ctx.oidc.session?.accountId),
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 600, Grant: 3_600, IdToken: 600, Interaction: 600, Session: 86_400 },
  };
}

const FORM = `<!doctype html><title>Provider</title><form method="post">
  <label>Name at the provider <input name="login"></label><button>Continue</button></form>`;

async function fieldOf(request: http.IncomingMessage, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString()).get(name) ?? '';
}
