import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Intent } from '@/lib/sandbox/automations/intent';
import { type Execution } from '@/lib/ledger/client';
import { type Place } from './product';

interface Tokens {
  'north-automation': string;
  'south-automation': string;
}

export function demoTokens({ dataDir }: Place): Tokens {
  return JSON.parse(fs.readFileSync(path.join(dataDir, 'demo-tokens.json'), 'utf8')) as Tokens;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** The producer API in plain HTTP, as a caller without our client uses it. */
export class Producer {
  private readonly token: string;

  constructor(
    private readonly place: Place,
    principal: keyof Tokens = 'north-automation',
  ) {
    this.token = demoTokens(place)[principal];
  }

  /** Sends a request again: same key and content, another request id and trace, as a proxy or an impatient caller does. */
  retransmit(intent: Intent): Promise<ApiAnswer> {
    const { operation, key, payload, contentVersion, target, workflowId, step, businessRef } = intent;
    return this.call('POST', '/executions', key, {
      ...{ operation, payload, contentVersion, target, workflowId, step, businessRef },
      requestId: `REQ-${randomUUID().slice(0, 8).toUpperCase()}`,
      externalRequestKey: key,
      attemptId: randomUUID(),
      traceId: randomUUID(),
    });
  }

  /** The execution of a key; null when the ledger knows none. */
  async find(operation: string, key: string): Promise<Execution | null> {
    const query = new URLSearchParams({ operation, key });
    const { body } = await this.call('GET', `/executions?${query.toString()}`);
    return (body['items'] as Execution[])[0] ?? null;
  }

  async get(executionId: string): Promise<Execution> {
    return (await this.call('GET', `/executions/${executionId}`)).body as unknown as Execution;
  }

  private async call(method: string, address: string, key?: string, body?: object): Promise<ApiAnswer> {
    const answer = await fetch(`${this.place.address}/api/v1${address}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as ApiAnswer['body'],
    };
  }
}
