import { readStrictJson } from '@/lib/domain/json-strict';
import { isJsonObject, type JsonObject } from '@/lib/domain/json-value';
import { ProblemError } from './problem';

/** Bytes: 1 MiB, the contract's limit. */
const MAX_BODY_BYTES = 1_048_576;

export interface RequestBody {
  readonly value: JsonObject;
  /** Exact source text of the members asked for, by JSON pointer. */
  readonly slices: ReadonlyMap<string, string>;
}

/** The request's body as a strict JSON object; what is larger is refused before it is read to its end. */
export async function readBody(request: Request, slices: readonly string[] = []): Promise<RequestBody> {
  const reading = readStrictJson(await readBytes(request), { slices });
  if (!reading.ok) {
    throw new ProblemError('INVALID_REQUEST', reading.detail, {
      errors: [{ pointer: reading.path, detail: reading.detail }],
    });
  }
  if (!isJsonObject(reading.value))
    throw new ProblemError('INVALID_REQUEST', 'the body must be a JSON object');
  return { value: reading.value, slices: reading.slices };
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length') ?? '0');
  if (announced > MAX_BODY_BYTES) throw tooLarge();
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > MAX_BODY_BYTES) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, length);
}

// Closing the connection is what stops a sender that has not finished.
function tooLarge(): ProblemError {
  return new ProblemError(
    'PAYLOAD_TOO_LARGE',
    `the body may have ${MAX_BODY_BYTES} bytes at most`,
    {},
    { Connection: 'close' },
  );
}
