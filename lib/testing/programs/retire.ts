// One run of retiring old audit events, to be killed wherever it is.
import pg from 'pg';
import { retireAudit } from '@/lib/audit/retire/retire-audit';
import { testContext } from '../people';

const { url, checkpoints, folder } = JSON.parse(process.env.PROGRAM_INPUT ?? '{}') as {
  url: string;
  checkpoints: string;
  folder: string;
};
const owner = new pg.Pool({ connectionString: url, max: 2 });
const { outcome } = await retireAudit({
  owner,
  context: testContext,
  checkpoints,
  keys: null,
  folder,
  upTo: null,
});
console.log(JSON.stringify({ at: outcome }));
await owner.end();
