// A worker at one bulk job, over and over, to be killed wherever it is.
import pg from 'pg';
import { asking } from '@/lib/lookup/ask-connector';
import { runBulkJob } from '@/lib/review/bulk/run-bulk-job';

const { url, jobId, secret } = JSON.parse(process.env.PROGRAM_INPUT ?? '{}') as {
  url: string;
  jobId: string;
  secret: string;
};
const worker = new pg.Pool({ connectionString: url, max: 8 });
const how = asking({ SECRET_STUB: secret }, () => undefined);
console.log(JSON.stringify({ at: 'begun' }));
for (;;) {
  const { done, rows } = await runBulkJob(worker, how, { jobId }, 'killed', 1_000);
  if (done === 'STOPPED') {
    console.log(JSON.stringify({ at: 'stopped', rows }));
    break;
  }
}
await worker.end();
