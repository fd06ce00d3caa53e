/** What people read where a placeholder's value is compared: `{display:/amount}` is `amount`, `{businessRef}` is `businessRef`. */
export function placeholderLabel(placeholder: string): string {
  return placeholder.replace(/^\{(?:display:\/)?(.*)\}$/, '$1');
}
