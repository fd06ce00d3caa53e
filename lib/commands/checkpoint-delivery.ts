// Delivers the signed checkpoints: beside the signing, which never waits for the other side.
import type { Logger } from 'pino';
import { CheckpointOutbox } from '@/lib/audit/signer/checkpoint-outbox';
import { SignerFiles } from '@/lib/audit/signer/signer-files';
import type { SendCheckpoint } from './checkpoint-webhook';
import { inTurn } from './exclusive.mjs';

export interface Delivery {
  folder: string;
  send: SendCheckpoint;
  log: Logger;
}

/**
 * One round: what waits is sent, oldest first, until all has arrived, one fails, or it is time to stop. What failed waits
 * for the next round. Never throws, and no two processes deliver from one folder at a time.
 */
export async function deliverWaiting({ folder, send, log }: Delivery, stop: AbortSignal): Promise<void> {
  try {
    await inTurn(`checkpoint webhook ${folder}`, async () => {
      const outbox = new CheckpointOutbox(new SignerFiles(folder));
      for (let lines = outbox.waiting(); lines.length > 0; lines = outbox.waiting()) {
        for (const line of lines) {
          await send(line);
          outbox.arrived(line);
          if (stop.aborted) return;
        }
      }
    });
  } catch (error) {
    log.warn({ event: 'checkpoint_not_delivered', error: error instanceof Error ? error.message : 'error' });
  }
}
