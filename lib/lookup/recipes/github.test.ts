import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sample } from '@/lib/testing/described-places';
import { lookupSubject } from '@/lib/testing/lookup-subject-of';
import { recipeTrial, REFUSALS, type RecipeTrial } from '@/lib/testing/shipped-recipe-trial';
import { GITHUB_ISSUE_BY_KEY, GITHUB_ISSUE_DELETED, GITHUB_ISSUE_STATE } from './github';

const repository = 'acme/orders';
const ISSUE = '/repos/{owner}/{repo}/issues/{issue_number}';
const execution = {
  system: 'github',
  account: repository,
  key: 'K-1',
  display: { '/title': 'Refund order 7', '/issueNumber': 7, '/state': 'closed', '/stateBefore': 'open' },
};
const about = lookupSubject(execution);

let search: RecipeTrial;
let state: RecipeTrial;
let deleted: RecipeTrial;
// The lookups have their own limit of time; the tests of them need none.
vi.setConfig({ testTimeout: 30_000 });
beforeAll(async () => {
  search = await recipeTrial(GITHUB_ISSUE_BY_KEY, { repository }, 'github', '/search/issues');
  state = await recipeTrial(GITHUB_ISSUE_STATE, { repository }, 'github', ISSUE);
  deleted = await recipeTrial(GITHUB_ISSUE_DELETED, { repository }, 'github', ISSUE);
}, 60_000);
afterAll(() => Promise.all([search, state, deleted].map((each) => each.close())));

const issue = (schema: string, change: object): object => ({
  ...(sample(search.description, { $ref: `#/components/schemas/${schema}` }) as object),
  number: 7,
  title: 'Refund order 7',
  body: 'Opened for K-1 by the robot.',
  html_url: 'https://github.com/acme/orders/issues/7',
  state: 'open',
  ...change,
});
const listed = (items: object[], total = items.length, link?: string, incomplete = false) => ({
  body: { total_count: total, incomplete_results: incomplete, search_type: 'lexical', items },
  ...(link === undefined ? {} : { headers: { link } }),
});
const item = (change: object = {}) => issue('issue-search-result-item', change);
const message = { message: 'no', documentation_url: 'https://docs.github.com/', status: '400' };

describe('github-issue-by-key', () => {
  it('R-058z searches for the key as a text of its own in one repository', async () => {
    search.system.answer(() => listed([item()]));
    expect(await search.ask(about)).toMatchObject({
      verdict: 'APPLIED',
      finding: { outcome: 'FOUND', resultId: '7', resultUrl: 'https://github.com/acme/orders/issues/7' },
    });
    expect([...(search.system.asked.at(-1)?.searchParams ?? [])]).toEqual([
      ['q', 'repo:acme/orders is:issue in:body "K-1"'],
      ['per_page', '100'],
    ]);
  });

  it('R-058z follows the Link header until as many were read as it counts', async () => {
    search.system.asked.length = 0;
    search.system.answer((url) => {
      const page = url.searchParams.get('page');
      const next = `${url.pathname}${url.search}&page=2`;
      return page === null
        ? listed(
            [item({ number: 6, body: 'about K-12' })],
            2,
            `<http://127.0.0.1:${search.system.port}${next}>; rel="next", <${next}>; rel="last"`,
          )
        : listed([item()], 2);
    });
    expect(await search.said(about)).toEqual(['FOUND', 'done', 'APPLIED']);
    expect(search.system.asked).toHaveLength(2);
    search.system.answer(() => listed([item()], 2));
    expect(await search.said(about)).toEqual(['INCONCLUSIVE', 'MORE_PAGES', 'UNCLEAR']);
    search.system.answer(() =>
      listed([item()], 2, '<https://api.github.com/search/issues?page=2>; rel="next"'),
    );
    expect(await search.said(about)).toEqual(['INCONCLUSIVE', 'MORE_PAGES', 'UNCLEAR']);
  });

  it('R-058z an empty, incomplete or loosely matching answer proves nothing', async () => {
    search.system.answer(() => listed([]));
    expect(await search.said(about)).toEqual(['INCONCLUSIVE', 'NOTHING_SHOWN', 'UNCLEAR']);
    search.system.answer(() => listed([item()], 1, undefined, true));
    expect(await search.said(about)).toEqual(['INCONCLUSIVE', 'ERROR_IN_ANSWER', 'UNCLEAR']);
    search.system.answer(() => listed([item({ body: 'K-12' })]));
    expect(await search.said(about)).toEqual(['INCONCLUSIVE', 'NOTHING_SHOWN', 'UNCLEAR']);
    search.system.answer(() => listed([item({ body: undefined })]));
    expect(await search.said(about)).toEqual(['INCONCLUSIVE', 'NOT_COMPARABLE', 'UNCLEAR']);
    search.system.answer(() => listed([item({ title: 'Refund order 8' })]));
    expect((await search.said(about))[0]).toBe('MISMATCH');
    search.system.answer(() => listed([item(), item({ number: 8 })]));
    expect((await search.said(about))[0]).toBe('MULTIPLE');
  });

  it.each([
    [401, ['INACCESSIBLE', 'NO_PERMISSION', 'UNCLEAR']],
    [403, ['INACCESSIBLE', 'NO_PERMISSION', 'UNCLEAR']],
    [422, ['INCONCLUSIVE', 'UNEXPECTED_STATUS', 'UNCLEAR']],
    [503, ['INACCESSIBLE', 'SERVER_ERROR', 'UNCLEAR']],
  ])('R-058z its %i is no answer about the issue', async (status, said) => {
    search.system.answer(() => ({ status, body: message }));
    expect(await search.said(about)).toEqual(said);
  });

  it('R-058z a used-up count of questions (403) is waited for', async () => {
    const headers = {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 60),
    };
    search.system.answer(() => ({ status: 403, body: message, headers }));
    const asked = await search.ask(about);
    expect(asked.finding.errorClass).toBe('RATE_LIMITED');
    expect(asked.retryAfterSeconds).toBeGreaterThan(30);
  });
});

describe('github-issue-state', () => {
  const byValue = lookupSubject(execution, 'VALUE');
  it('R-058z the wanted state, the one from before, and another issue', async () => {
    state.system.answer(() => ({ body: issue('issue', { state: 'closed' }) }));
    expect(await state.said(byValue)).toEqual(['FOUND', 'done', 'APPLIED']);
    expect(state.system.asked.at(-1)?.pathname).toBe('/repos/acme/orders/issues/7');
    state.system.answer(() => ({ body: issue('issue', { state: 'open' }) }));
    expect(await state.said(byValue)).toEqual(['FOUND', 'done', 'NOT_APPLIED']);
    state.system.answer(() => ({ body: issue('issue', { state: 'closed', number: 9 }) }));
    expect((await state.said(byValue))[2]).toBe('UNCLEAR');
  });

  it.each([301, 404, 410])('R-058z its %i is no answer about the state', async (status) => {
    state.system.answer(() => ({
      status,
      body: message,
      ...(status === 301 ? { headers: { location: '/elsewhere' } } : {}),
    }));
    expect(await state.said(byValue)).toEqual([
      'INCONCLUSIVE',
      { 301: 'REDIRECT', 404: 'NOTHING_SHOWN', 410: 'GONE' }[status],
      'UNCLEAR',
    ]);
  });
});

describe('github-issue-deleted', () => {
  const byAbsence = lookupSubject(execution, 'ABSENCE');
  it('R-058z gone (410) is what was wanted; not to be seen (404) is not', async () => {
    const said = deleted.description.paths[ISSUE]?.get['x-says'].replaceAll(/\s+/g, ' ');
    expect(said).toMatch(/where the authenticated user lacks read access, the API returns a `404 Not Found`/);
    expect(said).toMatch(
      /deleted from a repository where the authenticated user has read access, the API returns a `410 Gone`/,
    );
    deleted.system.answer(() => ({ status: 410, body: message }));
    expect(await deleted.ask(byAbsence)).toMatchObject({
      verdict: 'APPLIED',
      finding: { outcome: 'NOT_FOUND', resultId: '7' },
    });
    deleted.system.answer(() => ({ status: 404, body: message }));
    expect(await deleted.said(byAbsence)).toEqual(['INCONCLUSIVE', 'NOTHING_SHOWN', 'UNCLEAR']);
    deleted.system.answer(() => ({ body: issue('issue', {}) }));
    expect(await deleted.said(byAbsence)).toEqual(['FOUND', 'done', 'NOT_APPLIED']);
  });

  it.each(REFUSALS.filter(([status]) => status === 429 || status >= 500))(
    'R-058z its %i is out of reach',
    async (status, said) => {
      deleted.system.answer(() => ({ status }));
      expect(await deleted.said(byAbsence)).toEqual(said);
    },
  );
});
