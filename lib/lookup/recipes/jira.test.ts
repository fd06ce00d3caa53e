import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { lookupSubject } from '@/lib/testing/lookup-subject-of';
import { recipeTrial, REFUSALS, type RecipeTrial } from '@/lib/testing/shipped-recipe-trial';
import { JIRA_ISSUE_STATUS } from './jira';

const site = 'acme.atlassian.net';
const about = lookupSubject(
  {
    system: 'jira',
    account: site,
    key: 'K-1',
    display: { '/issueKey': 'OPS-7', '/status': 'Done', '/statusBefore': 'To Do' },
  },
  'VALUE',
);
let trial: RecipeTrial;
// The lookups have their own limit of time; the tests of them need none.
vi.setConfig({ testTimeout: 30_000 });
beforeAll(async () => {
  trial = await recipeTrial(JIRA_ISSUE_STATUS, { site }, 'jira', '/rest/api/3/issue/{issueIdOrKey}');
}, 60_000);
afterAll(() => trial.close());

const answer = (status: string, key = 'OPS-7') =>
  trial.system.answer(() => ({
    body: {
      id: '10002',
      key,
      self: `https://${site}/rest/api/3/issue/10002`,
      fields: { status: { name: status } },
    },
  }));

describe('jira-issue-status', () => {
  it('R-058z the wanted status, the one from before, and one that somebody else set', async () => {
    answer('Done');
    expect(await trial.ask(about)).toMatchObject({
      verdict: 'APPLIED',
      finding: { resultId: 'OPS-7', targetAccount: site },
    });
    expect(trial.system.asked.at(-1)?.href).toBe('http://system/rest/api/3/issue/OPS-7?fields=status');
    answer('To Do');
    expect(await trial.said(about)).toEqual(['FOUND', 'done', 'NOT_APPLIED']);
    answer('In Review');
    expect(await trial.said(about)).toEqual(['FOUND', 'done', 'UNCLEAR']);
  });

  it('R-058z a moved issue, found under another key, is not taken for the one that was asked for', async () => {
    answer('Done', 'NEW-1');
    expect((await trial.said(about))[2]).toBe('UNCLEAR');
  });

  it.each(REFUSALS)('R-058z its %i is no answer about the issue', async (status, said) => {
    trial.system.answer(() => ({ status }));
    expect(await trial.said(about)).toEqual(said);
  });
});
