type Upload =
  | { readonly kind: 'too-large' }
  /** A form that cannot be read is empty, which no schema takes. */
  | { readonly kind: 'read'; readonly form: object; readonly file: Uint8Array };

const NOTHING: Upload = { kind: 'read', form: {}, file: new Uint8Array() };

/** The parts `form` (JSON) and `file` of a multipart body; what is larger is not read to its end. */
export async function readUpload(request: Request, longest: number): Promise<Upload> {
  const bytes = await boundedBytes(request, longest);
  if (bytes === null) return { kind: 'too-large' };
  const parts = await partsOf(request.headers.get('content-type') ?? '', bytes);
  const file = parts?.get('file');
  const form = parts?.get('form');
  if (!(file instanceof Blob) || typeof form !== 'string') return NOTHING;
  return { kind: 'read', form: jsonOf(form), file: new Uint8Array(await file.arrayBuffer()) };
}

async function boundedBytes(request: Request, longest: number): Promise<Buffer<ArrayBuffer> | null> {
  if (Number(request.headers.get('content-length') ?? '0') > longest) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > longest) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, length);
}

async function partsOf(type: string, bytes: Buffer<ArrayBuffer>): Promise<FormData | null> {
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData();
  } catch {
    return null;
  }
}

function jsonOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
