// Outside systems that answer wrongly, each over real HTTP, and what a look at them must come to.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LookupErrorClass } from '@/lib/domain/lookup-finding';
import type { LookupOutcome } from '@/lib/domain/lookup-verdict';

export interface Lie {
  readonly outcome: LookupOutcome;
  readonly errorClass: LookupErrorClass | null;
  answer(response: ServerResponse, asked: Asked): unknown;
}

interface Asked {
  readonly request: IncomingMessage;
  /** What would be the truth. */
  readonly payment: object;
  /** Where nobody may be sent. */
  readonly canary: string;
}

const FIVE_GIGABYTES = 5 * 1024 ** 3;
const MEGABYTE = Buffer.alloc(1024 ** 2, ' ');

const json = (response: ServerResponse, body: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

export const LIES: Readonly<Record<string, Lie>> = {
  'other-account': {
    ...{ outcome: 'MISMATCH', errorClass: null },
    answer: (response, { payment }) => json(response, { items: [{ ...payment, account: 'other' }] }),
  },
  'other-amount': {
    ...{ outcome: 'MISMATCH', errorClass: null },
    answer: (response, { payment }) => json(response, { items: [{ ...payment, amount: 12.05 }] }),
  },
  'two-results': {
    ...{ outcome: 'MULTIPLE', errorClass: null },
    answer: (response, { payment }) => json(response, { items: [payment, { ...payment, id: 'PAY-2' }] }),
  },
  'error-body': {
    ...{ outcome: 'INCONCLUSIVE', errorClass: 'UNEXPECTED_SHAPE' },
    answer: (response) => json(response, { error: { code: 'E_INTERNAL', message: 'try later' } }),
  },
  html: {
    ...{ outcome: 'INCONCLUSIVE', errorClass: 'UNREADABLE' },
    answer: (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Sign in</body></html>'),
  },
  'five-gigabytes': {
    ...{ outcome: 'INCONCLUSIVE', errorClass: 'TOO_LARGE' },
    answer: (response) => pour(response),
  },
  'one-byte-a-second': {
    ...{ outcome: 'INACCESSIBLE', errorClass: 'UNREACHABLE' },
    answer: (response, { payment }) => drip(response, JSON.stringify({ items: [payment] })),
  },
  'redirect-inside': {
    ...{ outcome: 'INCONCLUSIVE', errorClass: 'REDIRECT' },
    answer: (response, { canary }) => response.writeHead(302, { location: canary }).end(),
  },
};

async function pour(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': FIVE_GIGABYTES });
  for (let sent = 0; sent < FIVE_GIGABYTES && !response.destroyed; sent += MEGABYTE.length) {
    if (!response.write(MEGABYTE))
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  }
}

async function drip(response: ServerResponse, text: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  for (const byte of text) {
    if (response.destroyed) return;
    response.write(byte);
    await sleep(1_000, undefined, { ref: false });
  }
  response.end();
}
