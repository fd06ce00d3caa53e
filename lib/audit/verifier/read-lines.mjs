// @ts-check
import { createReadStream, statSync } from 'node:fs';

/** Bytes; an event's texts are bounded far below. A file without line ends must not fill the memory. */
const LONGEST_LINE = 8 * 1024 * 1024;

/**
 * The whole lines of a UTF-8 file as it is now; what is added meanwhile, and an unfinished last line, are left out.
 * Throws for bytes that are not UTF-8.
 * @param {string} file
 * @returns {AsyncGenerator<string, void, undefined>}
 */
export async function* readLines(file) {
  const { size } = statSync(file);
  if (size === 0) return;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { end: size - 1 })) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = rest.indexOf(10, start); end >= 0; end = rest.indexOf(10, start)) {
      yield decoder.decode(rest.subarray(start, end));
      start = end + 1;
    }
    rest = rest.subarray(start);
    if (rest.length > LONGEST_LINE) throw new Error(`${file} holds a line that is too long`);
  }
}
