import { describe, expect, it } from 'vitest';
import { refusePassword } from '@/lib/domain/password-rules';
import { commonPasswords } from './common-passwords';

describe('the passwords that are guessed first', () => {
  it('AN-14 may not be chosen: none of the 3000 commonest, however it is spelled', async () => {
    const common = await commonPasswords();
    const first = [...common].slice(0, 3_000);
    expect(first).toHaveLength(3_000);
    for (const spell of [(text: string) => text, (text: string) => text.toUpperCase()]) {
      const chosen = first.filter((each) => refusePassword(spell(each), 'hana@demo.local', common) === null);
      expect(chosen).toEqual([]);
    }
    expect(first.filter((each) => each.length >= 8).length).toBeGreaterThan(300);
  });
});
