/**
 * Moves the keyboard to the first field of a form that says it is wrong, once the fields have said so; of a group of
 * choices, to its first choice.
 */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() =>
    form
      ?.querySelector<HTMLElement>(
        '[aria-invalid="true"]:not([role="radiogroup"]), [role="radiogroup"][aria-invalid="true"] input',
      )
      ?.focus(),
  );
}
