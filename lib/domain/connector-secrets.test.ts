import { describe, expect, it } from 'vitest';
import { isStorable, maskedHeader, secretsInRecipe, writtenCredentials } from './connector-secrets';

describe('secrets in a recipe', () => {
  it('R-063s a header is shown with dots and the names of its secrets', () => {
    expect(maskedHeader('Bearer ${secret:A} ${secret:B_2}')).toEqual({
      text: 'Bearer •••• ••••',
      secrets: ['A', 'B_2'],
    });
    expect(maskedHeader('application/json')).toEqual({ text: 'application/json', secrets: [] });
  });

  it('R-063t a header of a credential names its secret', () => {
    const headers = {
      authorization: 'Bearer abc',
      'x-api-key': '${secret:KEY}',
      'private-token': 'x',
      accept: 'x',
    };
    expect(writtenCredentials(headers)).toEqual(['authorization', 'private-token']);
  });

  it('R-063t a secret is found by its form and by the name beside it, a reference is none', () => {
    expect(secretsInRecipe({ query: { token: 'abc12345' } })).toEqual(['TOKEN']);
    expect(secretsInRecipe({ place: 'sk_live_1234567890abc' })).toEqual(['TOKEN']);
    expect(secretsInRecipe({ headers: { 'x-api-key': '${secret:CRM_TOKEN_1}' }, path: 'a/{key}' })).toEqual(
      [],
    );
  });

  it('R-063r text that the database cannot hold is refused', () => {
    expect(isStorable({ place: 'a\0b' })).toBe(false);
    expect(isStorable({ content: [{ expected: '\ud800' }] })).toBe(false);
    expect(isStorable({ place: '가나다', n: null })).toBe(true);
  });
});
