import 'server-only';
import iconv from 'iconv-lite';
import { isUtf8 } from 'node:buffer';
import type { SheetEncoding } from '@/lib/domain/sheet-faults';
import type { SheetSource } from './sheet-source';

/** What iconv-lite puts for bytes that are none of the encoding; CP949 itself has no such character. */
const UNDECODABLE = '\ufffd';

/** `ascii` is the same in both; null is neither. */
export type RecognisedEncoding = SheetEncoding | 'ascii' | null;

/** By all of the bytes, not by the first few: nothing is read before it is known what it would be read as. */
export async function recogniseEncoding(source: SheetSource): Promise<RecognisedEncoding> {
  const utf8 = await utf8Or(source);
  return utf8 ?? ((await isCp949(source)) ? 'cp949' : null);
}

async function utf8Or(source: SheetSource): Promise<'utf-8' | 'ascii' | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let ascii = true;
  try {
    for await (const chunk of source()) {
      decoder.decode(chunk, { stream: true });
      ascii &&= chunk.every((byte) => byte < 0x80);
    }
    decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
  return ascii ? 'ascii' : 'utf-8';
}

async function isCp949(source: SheetSource): Promise<boolean> {
  const decoder = iconv.getDecoder('cp949');
  for await (const chunk of source())
    if (decoder.write(Buffer.from(chunk)).includes(UNDECODABLE)) return false;
  return !(decoder.end() ?? '').includes(UNDECODABLE);
}

/**
 * One cell, of which csv-parse kept the bytes as characters (latin1); null when they are none of the encoding. In both
 * encodings no byte of a longer character is a comma, a quote or a line end, so cells are cut before they are decoded.
 */
export function decodeCell(bytes: string, encoding: SheetEncoding): string | null {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  const cell = Buffer.from(bytes, 'latin1');
  if (encoding === 'utf-8') return isUtf8(cell) ? cell.toString('utf8') : null;
  const text = iconv.decode(cell, 'cp949', { stripBOM: false });
  return text.includes(UNDECODABLE) ? null : text;
}
