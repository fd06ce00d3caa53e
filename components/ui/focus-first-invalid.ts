/** Moves the keyboard to the first field of a form that says it is wrong; of a group of choices, to its first choice. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  form
    ?.querySelector<HTMLElement>(
      '[aria-invalid="true"]:not([role="radiogroup"]), [role="radiogroup"][aria-invalid="true"] input',
    )
    ?.focus();
}
