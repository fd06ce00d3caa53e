import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { render } from '@/lib/testing/render';
import { PageHeader } from '../ui/page-header';
import { LiveRefresh } from './live-refresh';
import { ScrollPage } from './scroll-page';

const PRINT = readFileSync(path.join(import.meta.dirname, '../../app/print.css'), 'utf8');

describe('a page on paper', () => {
  // What a browser makes of it: e2e/print.spec.ts.
  it('R-088n what frames a page, what serves a screen alone and what only paper needs are marked for it', () => {
    const html = render(
      <ScrollPage>
        <PageHeader title="Title" lead="Audit event 7" />
        <LiveRefresh renderedAt="2026-11-30T00:00:00Z" />
      </ScrollPage>,
    );
    expect(html).toMatch(/^<div[^>]*data-frame[^>]*overflow-y-auto/);
    expect(html).toMatch(/<p data-print="show"[^>]*>Audit event 7/);
    expect(html).toMatch(/<div data-screen-only[^>]*role="group"/);
    for (const mark of [
      '[data-frame]',
      "[data-print='show']",
      '[data-screen-only]',
      'details::details-content',
    ])
      expect(PRINT).toContain(mark);
  });
});
