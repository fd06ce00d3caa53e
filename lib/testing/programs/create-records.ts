// An automation's process: makes one record in an outside system by leased work, or the same record several times at once.
import { createLedgerClient, type ClaimRequest } from '@/lib/ledger/client';
import { createRecord, type Crm } from '../crm-effect';
import { input, say, sayAndWait } from './conversation';

export interface CreateRecords {
  ledgerUrl: string;
  token: string;
  crm: Crm;
  request: ClaimRequest;
  /** Equal calls at once. */
  calls: number;
  /** Stops between the outside system's answer and the report to the ledger. */
  stopAfterEffect?: boolean;
}

const { ledgerUrl, token, crm, request, calls, stopAfterEffect } = input<CreateRecords>();
const ledger = createLedgerClient({ baseUrl: ledgerUrl, token });

await sayAndWait('ready');
const outcomes = await Promise.all(
  Array.from({ length: calls }, () =>
    ledger.once(request, async ({ key }) => {
      const result = await createRecord(crm, key);
      if (stopAfterEffect === true) await sayAndWait('effect done');
      return result;
    }),
  ),
);
say('done', { kinds: outcomes.map(({ kind }) => kind) });
process.exit(0);
