/** What of a key press is looked at; a DOM event has all of it. */
interface Press {
  key: string;
  code: string;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  isComposing: boolean;
  defaultPrevented: boolean;
}

/**
 * The shortcut letter of a press; null where it is none. With the Korean layout on, the keys send jamo: then the key's place
 * counts, so that the same fingers do the same. A press that an input method composes with is never a shortcut.
 */
export function letterOf(press: Press): string | null {
  const { key, code } = press;
  if (press.defaultPrevented || press.altKey || press.ctrlKey || press.metaKey || press.isComposing)
    return null;
  if (/^[!-~]$/.test(key)) return key.toLowerCase();
  return /^Key[A-Z]$/.test(code) && !/^[\p{ASCII}]*$/u.test(key) ? code.slice(3).toLowerCase() : null;
}
