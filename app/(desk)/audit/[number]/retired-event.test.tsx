import { describe, expect, it } from 'vitest';
import { render } from '@/lib/testing/render';
import { RetiredEvent } from './retired-event';

const range = {
  first: 1n,
  last: 12n,
  hash: '',
  logId: '',
  archive: 'onceover-audit-1-12.jsonl',
  sha256: 'ab'.repeat(32),
  eventNumber: 14n,
  retiredAt: '2026-11-29T08:00:00.000000Z',
  retiredBy: 'system:audit-retire',
};

describe('the page of an event that has left', () => {
  it.each([
    ['en', 'This event was retired'],
    ['ko', '이 이벤트는 보관 파일로 옮겼습니다'],
  ] as const)('R-088e says in %s where it is since when, and leads on', (locale, title) => {
    const html = render(<RetiredEvent number="7" range={range} />, locale);
    expect(html).toContain(title);
    for (const part of [
      range.archive,
      range.sha256,
      'href="/audit/14"',
      'href="/audit"',
      '2026-11-29',
      'npm run audit:verify',
    ])
      expect(html).toContain(part);
  });
});
