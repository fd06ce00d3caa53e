import { contentOf, told, toldMembers, type Door, type Reported, type Sent, type Told } from './door';

/** The HTTP API as any program may use it: a bare key, JSON by hand, nothing of our client. */
export function httpDoor(apiUrl: string, token: string): Door {
  const post = async (path: string, body: string, headers: Record<string, string>): Promise<Told> =>
    toldByResponse(
      await fetch(`${apiUrl}/api/v1${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
        body,
      }),
    );
  const arrive = (path: string, sent: Sent) => {
    const { key, content: _, requestId = 'request-1', ...members } = sent;
    const body = { requestId, payload: contentOf(sent), ...members };
    return post(path, JSON.stringify(body), { 'Idempotency-Key': key });
  };
  return {
    claim: (sent) => arrive('/executions', sent),
    register: (sent) => arrive('/executions/register', sent),
    report: (verb, id, reported) => post(`/executions/${id}/${verb}`, reportBody(reported), {}),
    close: async () => undefined,
  };
}

/** JSON text in which the body to be kept stands as it is. */
function reportBody({ response, ...members }: Reported): string {
  if (response === undefined) return JSON.stringify(members);
  const { body, ...rest } = response;
  const kept = body === undefined ? '' : `,"body":${body}`;
  return `${JSON.stringify(members).slice(0, -1)},"response":${JSON.stringify(rest).slice(0, -1)}${kept}}}`;
}

async function toldByResponse(response: Response): Promise<Told> {
  const text = await response.text();
  const isReplay = response.headers.get('idempotency-replayed') === 'true';
  const executionId = response.headers.get('onceover-execution') ?? undefined;
  if (isReplay && !response.headers.has('onceover-disposition')) {
    const replay = { status: response.status, location: response.headers.get('location'), body: text };
    return told({ word: 'REPLAYED', executionId, replay });
  }
  const body = JSON.parse(text) as Told & { code?: string; disposition?: string };
  const retryAfter = response.headers.get('retry-after');
  if (retryAfter !== null && Number(retryAfter) !== body.retryAfterSeconds)
    throw new Error(`Retry-After is ${retryAfter} and not ${body.retryAfterSeconds}`);
  const { code, disposition, ...members } = body;
  const isRegistration = response.status === 202;
  return toldMembers(code ?? disposition ?? (isRegistration ? 'REGISTERED' : 'OK'), {
    ...members,
    executionId: body.executionId ?? executionId,
  });
}
