/** Characters of a value put into a question; longer ones are no reference of a real system (SS-05). */
const LONGEST_VALUE = 500;

/** True for a value that can be asked for at all: short enough, without control characters and halves of characters. */
export function isPlain(value: string): boolean {
  return value.length <= LONGEST_VALUE && !/[\p{Cc}\p{Cs}]/u.test(value);
}

/** False for what some server on the way could take for a step up or down, also when it decodes twice. */
export function isOneSegment(value: string): boolean {
  const readings = [value, decodedOnce(value)].map((text) => text.normalize('NFKC'));
  return !readings.some((text) =>
    text.split(/[/\\]/).some((piece) => /^\.{1,2}(?:;.*)?$/.test(piece.trim())),
  );
}

function decodedOnce(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A value as one segment of a path or one value of a query. */
export function encode(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
