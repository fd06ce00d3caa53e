import { demoEmail } from '@/lib/commands/demo-accounts';
import { expect, test } from './desk';
import { signInByHttp } from './http-person';
import { inLanes } from './in-lanes';
import { northernException } from './northern-exception';
import { rawRequest, routerRequest } from './raw-request';

/** Ways in which a header claims to be something other than a page's request. */
const DISGUISES: Record<string, string | string[]>[] = [
  {},
  { rsc: '1' },
  { rsc: '1', 'next-router-prefetch': '1' },
  { rsc: '1', 'next-router-segment-prefetch': '/_tree' },
  { purpose: 'prefetch' },
  { 'x-middleware-subrequest': Array(5).fill('proxy').join(':') },
  { 'x-middleware-subrequest': ['middleware', 'src/middleware', 'proxy', 'src/proxy'] },
  { 'next-resume': '1' },
  { 'x-nextjs-data': '1' },
  { 'x-middleware-rewrite': '/queue', 'x-original-url': '/queue' },
];

/** Spellings of an address that one reader may take for it and another may not. */
const spellings = (address: string): string[] => {
  const encoded = address.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return [
    ...[address, `${address}.rsc`, `${address}.segments/_tree.segment.rsc`, `${address}/`, `/${address}`],
    ...[encoded, address.toUpperCase(), `/login/..${address}`, `/login/%2e%2e${address}`, `${address}%00`],
    ...[
      `/_next/data/x${address}.json`,
      `${address}?nxtPid=x&nxtPnumber=1`,
      `${address}?_rsc=x`,
      `/docs;${address}`,
    ],
  ];
};

/** Every disguise of the address itself, and every spelling of it as a page and as the router's data. */
const attempts = (address: string) => [
  ...DISGUISES.map((headers) => ({ path: address, headers })),
  ...spellings(address).flatMap((path) => [
    { path, headers: {} },
    { path, headers: { rsc: '1' } },
  ]),
];

test('AZ-03 no header and no spelling gets a byte of a page without a session', async ({
  product,
  truth,
}) => {
  const one = await northernException(truth);
  const canaries = [one.key, 'North (demo)', 'Olivia Operator', demoEmail('admin2')];
  const closed = [`/exceptions/${one.id}`, `/executions/${one.executionId}`, '/queue', '/executions'];
  const addresses = [...closed, '/approvals', '/audit', '/audit/1', '/admin/people', '/account/sessions'];
  await inLanes(addresses.flatMap(attempts), async ({ path, headers }) => {
    for (const cookie of [{}, { cookie: '__Host-onceover-session=x' }]) {
      const answer = await routerRequest(product.address, { path, headers: { ...headers, ...cookie } });
      const leaked = canaries.filter((canary) => answer.body.includes(canary));
      expect(leaked, `${path} with ${JSON.stringify(headers)}: ${answer.status}`).toEqual([]);
    }
  });
});

test('AZ-03 nor a byte of an administrator’s page to an operator', async ({ product }) => {
  const { headers: signedIn } = await signInByHttp(product.address, demoEmail('operator'));
  const admin = await signInByHttp(product.address, demoEmail('admin'));
  const canary = demoEmail('approver2');
  const shown = await rawRequest(product.address, { path: '/admin/people', headers: admin.headers });
  expect(shown.body).toContain(canary);
  await inLanes(['/admin/people', '/admin/tokens'].flatMap(attempts), async ({ path, headers }) => {
    const answer = await routerRequest(product.address, { path, headers: { ...headers, ...signedIn } });
    expect(answer.body, `${path} with ${JSON.stringify(headers)}`).not.toContain(canary);
  });
});
