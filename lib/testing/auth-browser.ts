// A browser as far as the login sees one: it keeps cookies and sends Origin.
import { NextRequest } from 'next/server';
import { handleAuth } from '@/lib/access/auth-handler';
import type { Pool } from '@/lib/db/pool';

/** What NEXTAUTH_URL is in tests of the login. */
export const ORIGIN = 'http://127.0.0.1:3999';

interface Sending {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

let count = 0;

/** Each has an address of its own, so that the throttle of one test is not another's. */
export class AuthBrowser {
  readonly jar = new Map<string, string>();
  /** Every Set-Cookie line received. */
  readonly setCookies: string[] = [];
  private readonly address = `198.51.100.${++count}`;

  constructor(
    private readonly pool: Pool,
    private readonly account: { email: string; password: string },
  ) {}

  async send(path: string, { method = 'GET', body, headers = {} }: Sending = {}): Promise<Response> {
    const url = new URL(path, ORIGIN);
    const request = new NextRequest(url, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: {
        cookie: [...this.jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-onceover-peer': this.address,
        ...(method === 'POST' ? FROM_OUR_PAGES : {}),
        ...headers,
      },
    });
    const segments = url.pathname.replace('/api/auth/', '').split('/');
    const response = await handleAuth(request, segments, this.pool);
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  async csrf(): Promise<string> {
    const answer = (await (await this.send('/api/auth/csrf')).json()) as { csrfToken: string };
    return answer.csrfToken;
  }

  async login(fields: Record<string, string> = {}): Promise<Response> {
    const csrfToken = await this.csrf();
    const form = new URLSearchParams({ csrfToken, ...this.account, json: 'true', ...fields });
    return this.send('/api/auth/callback/credentials', { method: 'POST', body: form.toString() });
  }

  private keep(line: string): void {
    this.setCookies.push(line);
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') this.jar.delete(name);
    else this.jar.set(name, decodeURIComponent(value));
  }
}

const FROM_OUR_PAGES = {
  origin: ORIGIN,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/x-www-form-urlencoded',
};
