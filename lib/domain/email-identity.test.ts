import { describe, expect, it } from 'vitest';
import { canonicalEmail, vouchedEmail } from './email-identity';

describe('the one identity behind an address', () => {
  it.each([
    ['admin@demo.local', 'admin@demo.local'],
    ['Admin@Demo.LOCAL', 'admin@demo.local'],
    ['  admin@demo.local ', 'admin@demo.local'],
    ['ａdmin@demo.local', 'admin@demo.local'],
    ['admin＠demo．local', 'admin@demo.local'],
    ['admin@demo.local.', 'admin@demo.local'],
    ["o'neil+desk@xn--9t4b11yi5a.example", "o'neil+desk@xn--9t4b11yi5a.example"],
  ])('AN-19 %s is %s', (typed, canonical) => {
    expect(canonicalEmail(typed)).toBe(canonical);
  });

  it.each([
    'аdmin@demo.local', // Cyrillic а
    'admіn@demo.local', // Ukrainian і
    'admin@dеmo.local', // Cyrillic е
    'ad\u200bmin@demo.local',
    'admin\u00ad@demo.local',
    '\u202eadmin@demo.local',
    'admİn@demo.local',
    'admin@@demo.local',
    'admin@demo..local',
    'admin',
    '@demo.local',
    'admin@',
    'admin @demo.local',
    'admin@demo.local\n.evil',
    '',
    `${'a'.repeat(65)}@demo.local`,
    `a@${'b'.repeat(300)}`,
  ])('AN-19 %j is nobody', (typed) => {
    expect(canonicalEmail(typed)).toBeNull();
  });
});

describe('an address that a provider vouches for', () => {
  it.each([
    ['hana@demo.local', 'hana@demo.local'],
    ['Hana.Kim+desk@Demo.LOCAL', 'hana.kim+desk@demo.local'],
  ])('AN-19 %s is %s', (given, canonical) => {
    expect(vouchedEmail(given)).toBe(canonical);
  });

  it.each([
    'ｈana@demo.local', // full width: another mailbox at the provider
    'hana＠demo.local',
    'han\u212a@demo.local', // Kelvin sign, lower-cased to k
    'hana@demo.local.',
    ' hana@demo.local',
    'hana@demo.local\u200b',
    'hаna@demo.local', // Cyrillic а
    ['hana@demo.local'],
    { email: 'hana@demo.local' },
    undefined,
    null,
  ])('AN-19 %j is nobody', (given) => {
    expect(vouchedEmail(given)).toBeNull();
  });
});
