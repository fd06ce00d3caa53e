import { letterOf } from '@/lib/domain/letter-of';
import { KEYS_COOKIE, rememberedPreference } from './preferences';

const TYPED_INTO =
  'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=menu], [role=listbox], [role=combobox]';

/** Whether a key pressed here is text, or belongs to a menu. */
export const isTypedInto = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TYPED_INTO) !== null;

/** WCAG 2.1.4: shortcuts of one letter can be switched off; they are remembered by the browser. */
export const areSingleKeysOn = (): boolean => rememberedPreference(KEYS_COOKIE) !== 'off';

/** The letter of a press that may act now: switched on, not typed anywhere, and no dialog is open above the page. */
export function actingLetter(event: KeyboardEvent): string | null {
  const letter = letterOf(event);
  if (letter === null || !areSingleKeysOn() || isTypedInto(event.target)) return null;
  return document.querySelector('[role=dialog], [role=alertdialog]') === null ? letter : null;
}
