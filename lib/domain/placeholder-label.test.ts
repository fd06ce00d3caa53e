import { describe, expect, it } from 'vitest';
import { placeholderLabel } from './placeholder-label';

describe('the name of a compared field', () => {
  it.each([
    ['{display:/amount}', 'amount'],
    ['{display:/customer/id}', 'customer/id'],
    ['{businessRef}', 'businessRef'],
    ['account', 'account'],
  ])('R-061f %s is compared as %s', (placeholder, label) => {
    expect(placeholderLabel(placeholder)).toBe(label);
  });
});
