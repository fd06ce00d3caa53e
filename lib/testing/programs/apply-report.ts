// One run of carrying a provider's report out, to be killed wherever it is.
import pg from 'pg';
import { applyReport } from '@/lib/review/incidents/apply-report';

const { url, reportId } = JSON.parse(process.env.PROGRAM_INPUT ?? '{}') as { url: string; reportId: string };
const worker = new pg.Pool({ connectionString: url, max: 2 });
const { done } = await applyReport(worker, { reportId }, 'killed');
console.log(JSON.stringify({ at: done }));
await worker.end();
