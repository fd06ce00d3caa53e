import 'server-only';

export type AuthBody = Record<string, unknown>;

/** Bytes; a sign-in is an address, a password of at most 1 KiB and a token. */
const MAX_BYTES = 16_384;

/**
 * The fields of a sign-in or sign-out request, or the HTTP status that refuses it. A field given twice counts as not given,
 * so that it fails like any wrong password.
 */
export async function readAuthBody(request: Request): Promise<AuthBody | 413 | 415> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const text = await boundedText(request);
  if (text === null) return 413;
  switch (type) {
    case 'application/x-www-form-urlencoded':
      return ofForm(new URLSearchParams(text));
    case 'application/json':
      return ofJson(text);
    default:
      return 415;
  }
}

async function boundedText(request: Request): Promise<string | null> {
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString('utf8');
    size += value.byteLength;
    if (size > MAX_BYTES) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
}

function ofForm(form: URLSearchParams): AuthBody {
  const body: AuthBody = {};
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name);
    if (values.length === 1) body[name] = values[0];
  }
  return body;
}

function ofJson(text: string): AuthBody {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
