// A browser that goes to a provider and back, one redirect at a time.
import { AuthBrowser, ORIGIN } from './auth-browser';

export class ProviderBrowser extends AuthBrowser {
  /** The provider's cookies; a new browser knows nothing. */
  private readonly atProvider = new Map<string, string>();
  /** Names typed into the provider's form, one for each time that it asked. */
  asked = 0;

  /** Presses the button; where the product sends the browser. */
  async leave({ again = false, returnTo = '/queue' } = {}): Promise<string> {
    const csrfToken = await this.csrf();
    const body = new URLSearchParams({ csrfToken, callbackUrl: returnTo, json: 'true' }).toString();
    const answer = await this.send(`/api/auth/signin/oidc${again ? '?again=1' : ''}`, {
      method: 'POST',
      body,
    });
    return ((await answer.json()) as { url: string }).url;
  }

  /** Walks the provider's pages as this account; where it sends the browser back to, on the product. */
  async walk(address: string, account: string): Promise<string> {
    let next = { address, form: null as string | null };
    for (let steps = 0; steps < 12; steps += 1) {
      if (next.address.startsWith(`${ORIGIN}/`)) return next.address.slice(ORIGIN.length);
      const response = await this.fetchThere(next.address, next.form);
      const location = response.headers.get('location');
      const here = next.address;
      if (location !== null) {
        next = { address: new URL(location, here).href, form: null };
        await response.body?.cancel();
        continue;
      }
      const page = await response.text();
      if (response.status !== 200) throw new Error(`the provider answers ${response.status}: ${page}`);
      next = filledIn(page, here, account);
      if (next.form?.startsWith('login=') === true) this.asked += 1;
    }
    throw new Error('the provider leads in a circle');
  }

  /** The whole way; where the browser ends. */
  async signInAt(account: string, options: { again?: boolean; returnTo?: string } = {}): Promise<string> {
    const back = await this.walk(await this.leave(options), account);
    const answer = await this.send(back);
    return String(answer.headers.get('location'));
  }

  private async fetchThere(address: string, form: string | null): Promise<Response> {
    const cookie = [...this.atProvider].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, {
      redirect: 'manual',
      method: form === null ? 'GET' : 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      ...(form === null ? {} : { body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.atProvider.delete(name);
      else this.atProvider.set(name, value);
    }
    return response;
  }
}

/** Sends the page's form: the account's name into the login, a yes to signing out. */
function filledIn(page: string, here: string, account: string): { address: string; form: string } {
  const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1] ?? here;
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1];
  const fields: Record<string, string> = xsrf === undefined ? { login: account } : { xsrf, logout: 'yes' };
  return { address: new URL(action, here).href, form: new URLSearchParams(fields).toString() };
}
