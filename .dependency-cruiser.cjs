// Module boundaries: domain <- db <- {ledger, audit, access, lookup, outbox} <- review <- app, and
// domain <- components <- app. Tests may reach for lib/testing; commands and testing may import everything.
const TEST = '\\.test\\.tsx?$';

/** Code under `from` may import, of our own code, only what `allowed` matches. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: TEST },
  to: { path: '^(app|components|lib|e2e)/', pathNot: allowed },
});

const sibling = (name) =>
  only(
    `${name}-stays-apart`,
    `^lib/${name}/`,
    `^lib/(${name}|db|domain)/`,
    'The siblings above lib/db do not know each other; lib/review joins them.',
  );

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only('domain-is-pure', '^lib/domain/', '^lib/domain/', 'Rules know nobody.'),
    {
      name: 'domain-does-no-io',
      severity: 'error',
      from: { path: '^lib/domain/', pathNot: TEST },
      to: {
        path: '^(node:)?(fs|net|http|https|child_process|dns|os|worker_threads|tls)(/|$)|node_modules/(pg|next|react|@prisma|graphile-worker)/',
      },
    },
    only('db-knows-domain', '^lib/db/', '^lib/(db|domain)/'),
    sibling('ledger'),
    sibling('audit'),
    sibling('access'),
    sibling('lookup'),
    sibling('outbox'),
    {
      name: 'verifier-stands-alone',
      comment: 'Whoever doubts the product runs it with Node alone: nothing of ours, nothing installed.',
      severity: 'error',
      from: { path: '^lib/audit/verifier/', pathNot: TEST },
      to: { pathNot: '^lib/audit/verifier/', dependencyTypesNot: ['core'] },
    },
    only('review-joins', '^lib/review/', '^lib/(review|ledger|audit|access|lookup|outbox|db|domain)/'),
    only(
      'client-runs-anywhere',
      '^lib/ledger/client(/|\\.)',
      '^lib/(ledger/client(/|\\.)|domain/)',
      'Automations use the client: it must not bring the database along.',
    ),
    only('sandbox-is-an-outsider', '^lib/sandbox/', '^lib/(sandbox/|domain/|ledger/client(/|\\.))'),
    only('components-look-only', '^components/', '^(components/|lib/domain/)'),
    only('ui-has-no-domain', '^components/ui/', '^components/ui/'),
    only(
      'app-uses-the-data-access-layer',
      '^(app/|proxy\\.ts|instrumentation-client\\.ts)',
      '^(app/|components/|lib/(review|ledger|audit|access|lookup|outbox|db|domain)/)',
    ),
    {
      name: 'pages-do-not-query',
      severity: 'error',
      from: { path: '^(components/|app/.*(\\.tsx|/actions\\.ts)$)', pathNot: TEST },
      to: { path: '^lib/db/' },
    },
    {
      name: 'table-library-has-one-home',
      severity: 'error',
      from: { pathNot: '^components/data-table/' },
      to: { path: 'node_modules/@tanstack/' },
    },
    {
      name: 'prisma-client-has-one-home',
      severity: 'error',
      from: { pathNot: '^lib/(db|commands|testing)/' },
      to: { path: '^lib/db/generated/|node_modules/@prisma/(client|adapter-pg)/' },
    },
    {
      name: 'test-support-stays-in-tests',
      severity: 'error',
      from: { pathNot: `${TEST}|^lib/(testing|commands)/|^e2e/|^[^/]+\\.config\\.` },
      to: { path: '^lib/testing/' },
    },
    {
      name: 'no-barrels',
      severity: 'error',
      from: {},
      to: { path: '^(app|components|lib)/.*index\\.tsx?$', pathNot: '^lib/ledger/index\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(lib/db/generated/|\\.next/)' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
