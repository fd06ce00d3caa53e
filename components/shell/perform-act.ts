/** What a letter opens on this page, where it is shown. */
export function actOfLetter(letter: string): HTMLElement | null {
  const found = [...document.querySelectorAll<HTMLElement>(`[data-act="${letter}"]`)];
  return found.find((element) => element.checkVisibility()) ?? null;
}

/**
 * Opens what a letter stands for: a form is unfolded and gets the focus in its first text, a dialog is opened. What cannot be
 * done now gets the focus as well, and says why. Nothing is decided by a letter alone.
 */
export function performAct(letter: string): boolean {
  const act = actOfLetter(letter);
  if (act === null) return false;
  if (act.dataset['actPress'] !== undefined && act.ariaDisabled !== 'true') act.click();
  else if (act.ariaExpanded === 'false') act.click();
  const field = act.closest('form')?.querySelector<HTMLElement>('textarea:not([hidden]):enabled');
  // Where a reason is needed, writing it comes first.
  (field?.checkVisibility() === true ? field : act).focus();
  return true;
}
