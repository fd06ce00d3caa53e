import 'server-only';

/** A sheet's bytes, from their beginning each time: it is read more than once and never held whole. */
export type SheetSource = () => AsyncIterable<Uint8Array>;

const BOM = [0xef, 0xbb, 0xbf];

/** The bytes without a BOM of UTF-8; csv-parse’s own way would choose the encoding as well. */
export async function* withoutBom(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array();
  for await (const chunk of chunks) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < BOM.length) continue;
    yield unmarked(head);
    head = null;
  }
  if (head !== null && head.length > 0) yield unmarked(head);
}

const unmarked = (head: Uint8Array) => (BOM.every((byte, at) => head[at] === byte) ? head.subarray(3) : head);
