// `npm run token -- create --tenant T --principal P [--create-tenant]`: makes a producer token and prints it once.
import { parseArgs } from 'node:util';
import { transaction } from '@/lib/db/transaction';
import { readCommandLine } from './command-line.mjs';
import { makeToken, type TokenAsked } from './make-token';
import { installerContext, tellFailure, withOwnerPool } from './owner-pool';

const USAGE = `usage: npm run token -- create --tenant TENANT --principal PRINCIPAL [--create-tenant]
  Prints a new bearer token of the producer API, this once. A principal that the tenant does not have is made.
  --create-tenant  makes the tenant too, when it does not exist; the first one of an installation needs no such word`;

function readAsked(): TokenAsked {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      tenant: { type: 'string' },
      principal: { type: 'string' },
      'create-tenant': { type: 'boolean', default: false },
    },
  });
  const { tenant, principal, 'create-tenant': createTenant } = values;
  if (positionals.join(' ') !== 'create' || !tenant || !principal)
    throw new Error('A token needs the word create, a tenant and a principal.');
  return { tenantId: tenant, principalId: principal, createTenant };
}

const asked = readCommandLine(USAGE, readAsked);
try {
  const answer = await withOwnerPool((pool) =>
    transaction(pool, installerContext('token'), (tx) => makeToken(tx, asked)),
  );
  if (answer.kind === 'refused') throw new Error(answer.detail);
  for (const note of answer.notes) console.error(note);
  console.log(answer.token);
  console.error('It is shown this once: only its digest is stored.');
} catch (error) {
  tellFailure(error);
}
