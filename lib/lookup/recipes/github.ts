import {
  fieldSetting,
  secretSetting,
  systemSetting,
  type RecipeSetting,
  type RecipeSettings,
  type ShippedRecipe,
} from './shipped-recipe';

const SOURCE = '@octokit/openapi@23.0.2, generated/api.github.com.json';

/** `owner/name`; the claims call it the account. */
const repository: RecipeSetting = {
  name: 'repository',
  example: 'acme/orders',
  default: null,
  pattern: /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})\/[A-Za-z0-9_.-]{1,100}$/,
};
const SETTINGS = [systemSetting('github'), repository, secretSetting('GITHUB')];

const common = ({ system, secret, repository: account }: RecipeSettings) => ({
  kind: 'http',
  system,
  baseUrl: 'https://api.github.com',
  headers: {
    authorization: `Bearer \${secret:${secret}}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  },
  fields: { id: '/number', url: '/html_url' },
  fixedAccount: account,
  place: `GitHub, issues of ${account}`,
  visibilityDelaySeconds: 60,
  queryableSeconds: null,
});

/** An issue whose text holds the execution key as a word, with its title compared. */
export const GITHUB_ISSUE_BY_KEY: ShippedRecipe = {
  name: 'github-issue-by-key',
  source: SOURCE,
  settings: [...SETTINGS, fieldSetting('titleField', '/title')],
  recipe: (settings) => ({
    ...common(settings),
    path: 'search/issues',
    query: {
      q: { phrase: `repo:${settings['repository']} is:issue in:body {key}`, quoting: 'double' },
      per_page: '100',
    },
    items: '/items',
    errorAt: '/incomplete_results',
    paging: { by: 'link', pages: 5 },
    totalAt: '/total_count',
    content: [
      { expected: '{key}', pointer: '/body', match: 'contains', role: 'identifies' },
      { expected: `{display:${settings['titleField']}}`, pointer: '/title' },
    ],
    // How soon a new issue is found is nowhere promised, so that an empty answer is none.
    notFound: { status404: false, emptyList: false },
    // 30 searches a minute.
    ratePerSecond: 0.5,
  }),
};

const byNumber = (settings: RecipeSettings) => ({
  ...common(settings),
  path: `repos/${settings['repository']}/issues/{display:${settings['numberField']}}`,
});
const numbered = fieldSetting('numberField', '/issueNumber');

/** The state of an issue that is known by its number: the wanted one, or the one from before. */
export const GITHUB_ISSUE_STATE: ShippedRecipe = {
  name: 'github-issue-state',
  source: SOURCE,
  settings: [
    ...SETTINGS,
    numbered,
    fieldSetting('stateField', '/state'),
    fieldSetting('stateBeforeField', '/stateBefore'),
  ],
  recipe: (settings) => ({
    ...byNumber(settings),
    content: [
      { expected: `{display:${settings['numberField']}}`, pointer: '/number', role: 'identifies' },
      {
        expected: `{display:${settings['stateField']}}`,
        before: `{display:${settings['stateBeforeField']}}`,
        pointer: '/state',
        role: 'proves',
      },
    ],
    notFound: { status404: false, emptyList: false },
  }),
};

/** That an issue is gone: 410 for whoever may read the repository. A 404 is also what a stranger gets, and proves nothing. */
export const GITHUB_ISSUE_DELETED: ShippedRecipe = {
  name: 'github-issue-deleted',
  source: SOURCE,
  settings: [...SETTINGS, numbered],
  recipe: (settings) => ({
    ...byNumber(settings),
    content: [{ expected: `{display:${settings['numberField']}}`, pointer: '/number', role: 'identifies' }],
    absentId: `{display:${settings['numberField']}}`,
    notFound: { status404: false, emptyList: false, status410: true },
  }),
};
