import { rawRequest, type RawAnswer, type RawRequest } from './raw-request';
import { DEMO_PASSWORD } from './product';

/** A form as it is sent: the arguments, or parts where the framework sends a form of the page. */
export type ActionForm = { args: unknown[] } | { parts: FormData };

/** Somebody who talks to the desk in plain HTTP: with a session's cookies, a producer's token, or nothing. */
export interface HttpCaller {
  name: string;
  headers: Record<string, string>;
}

/** Signs in by the login's own addresses, as the page's form does. */
export async function signInByHttp(origin: string, email: string): Promise<HttpCaller> {
  const jar = new Map<string, string>();
  const send = async (request: RawRequest) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await rawRequest(origin, { ...request, headers: { ...request.headers, cookie } });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return answer;
  };
  const { csrfToken } = JSON.parse((await send({ path: '/api/auth/csrf' })).body) as { csrfToken: string };
  const form = new URLSearchParams({ csrfToken, email, password: DEMO_PASSWORD, json: 'true' });
  await send({
    method: 'POST',
    path: '/api/auth/callback/credentials',
    headers: { ...fromOurPages(origin), 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  const session = jar.get('__Host-onceover-session');
  if (!session) throw new Error(`${email} could not sign in`);
  return { name: email, headers: { cookie: `__Host-onceover-session=${session}` } };
}

export const fromOurPages = (origin: string) => ({ origin, 'sec-fetch-site': 'same-origin' });

/** What an action answered: its own value, or how it was turned away. */
export type ActionAnswer = { status: number; value: Record<string, unknown> | null };

/** Calls a server action as the browser does: the form in the framework's own encoding, to a page's address. */
export async function callAction(
  origin: string,
  caller: HttpCaller,
  call: { id: string; path: string; form: ActionForm; headers?: Record<string, string | undefined> },
): Promise<ActionAnswer> {
  const { type, body } = await encoded(call.form);
  const answer = await rawRequest(origin, {
    method: 'POST',
    path: call.path,
    headers: withoutAbsent({
      ...caller.headers,
      ...fromOurPages(origin),
      accept: 'text/x-component',
      'next-action': call.id,
      'content-type': type,
      ...call.headers,
    }),
    body,
  });
  return { status: answer.status, value: valueOf(answer) };
}

async function encoded(form: ActionForm): Promise<{ type: string; body: string }> {
  if ('args' in form) return { type: 'text/plain;charset=UTF-8', body: JSON.stringify(form.args) };
  const response = new Response(form.parts);
  return { type: response.headers.get('content-type') ?? '', body: await response.text() };
}

const withoutAbsent = (headers: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));

/** The row that the first row of the answer names as the action's value. */
function valueOf({ body }: RawAnswer): ActionAnswer['value'] {
  const named = /^0:.*"a":"\$@(\w+)"/m.exec(body)?.[1];
  if (named === undefined) return null;
  const row = new RegExp(`^${named}:(\\{.*\\})$`, 'm').exec(body)?.[1];
  return row === undefined ? null : (JSON.parse(row) as Record<string, unknown>);
}
