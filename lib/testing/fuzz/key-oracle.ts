// The grammar of keys once more, character by character: what the header's value names, or that it names nothing.
const visible = (character: string) => character >= '!' && character <= '~';

/** @param header the value without the blanks around it, which are not part of a header's value */
export function keyNamedBy(header: string): string | null {
  const key = header.startsWith('"') ? quoted(header) : bare(header);
  if (key === null || key.length < 1 || key.length > 255) return null;
  return [...key].every(visible) ? key : null;
}

function quoted(header: string): string | null {
  let key = '';
  for (let at = 1; at < header.length; at += 1) {
    const character = header[at]!;
    if (character === '"') return at === header.length - 1 ? key : null;
    if (character === '\\') {
      at += 1;
      if (header[at] !== '"' && header[at] !== '\\') return null;
    } else if (character < ' ' || character > '~') return null;
    key += header[at];
  }
  return null;
}

/** One line that a proxy made of two equal ones names nothing. */
function bare(header: string): string | null {
  const [first = '', ...others] = header.split(',').map((part) => part.trim());
  return first !== '' && others.length > 0 && others.every((part) => part === first) ? null : header;
}
