import pino from 'pino';
import { producerApiUnderTest, type ProducerApiUnderTest } from '../producer-api';

export interface Asked {
  readonly status: number;
  readonly contentType: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const NO_LIMIT = { perSecond: 1_000_000, burst: 1_000_000 };

export interface FuzzedApi {
  readonly api: ProducerApiUnderTest;
  /** Posts text or a value as JSON; `key` is the header's value as it is sent. */
  post(path: string, body: unknown, key?: string): Promise<Asked>;
  claim(operation: string, key: string, payloadText: string): Promise<Asked>;
}

/** The API without rate limits and without a log, asked without sockets. */
export async function fuzzedApi(): Promise<FuzzedApi> {
  const api = await producerApiUnderTest({
    claimLimit: NO_LIMIT,
    otherLimit: NO_LIMIT,
    log: pino({ level: 'silent' }),
  });
  const post: FuzzedApi['post'] = async (path, body, key) => {
    const headers = { Authorization: `Bearer ${api.tokens.north}`, 'Content-Type': 'application/json' };
    const response = await api.handle(
      new Request(`http://ledger.test/api/v1${path}`, {
        method: 'POST',
        headers: key === undefined ? headers : { ...headers, 'Idempotency-Key': key },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );
    const text = await response.text();
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      body: (text === '' ? {} : JSON.parse(text)) as Asked['body'],
    };
  };
  return {
    api,
    post,
    claim: (operation, key, payloadText) =>
      post('/executions', `{"operation":"${operation}","requestId":"r","payload":${payloadText}}`, key),
  };
}

/** What an answer says, for counting. */
export const wordOf = ({ status, body }: Asked): string =>
  String(body['code'] ?? body['disposition'] ?? body['state'] ?? status);
