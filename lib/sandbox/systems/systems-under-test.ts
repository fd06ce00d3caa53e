import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openSandboxLog, readSandboxLog, type SandboxEvent } from '../sandbox-log';
import { ensureSettings, systemUrl, type SandboxSettings, type SystemName } from '../settings';
import { startSystems, type RunningSystems, type SystemsOptions } from './start-systems';

/** The three systems on real ports with a clock that the test moves. For tests only. */
export class SystemsUnderTest {
  now = new Date('2026-03-02T09:00:00Z');
  private running: RunningSystems | undefined;
  readonly dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-'));
  settings!: SandboxSettings;

  async start(faults?: SystemsOptions['faults']): Promise<void> {
    this.settings = await ensureSettings(this.dataDir, {});
    const clock = () => this.now;
    const log = openSandboxLog(this.dataDir, clock);
    this.running = await startSystems({
      dataDir: this.dataDir,
      settings: this.settings,
      log,
      clock,
      random: () => 0,
      faults,
    });
    this.settings = this.running.settings;
  }

  async stop(): Promise<void> {
    await this.running?.close();
    this.running = undefined;
  }

  advance(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1000);
  }

  log(): SandboxEvent[] {
    return readSandboxLog(this.dataDir);
  }

  async call(
    system: SystemName,
    method: string,
    address: string,
    options: CallOptions = {},
  ): Promise<Answered> {
    const response = await fetch(systemUrl(this.settings, system) + address, {
      method,
      headers: {
        authorization: `Bearer ${options.secret ?? this.settings[system].secret}`,
        'content-type': 'application/json',
        ...options.headers,
      },
      signal: options.signal,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Answered['body'],
    };
  }
}

interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
  secret?: string;
  signal?: AbortSignal;
}

interface Answered {
  status: number;
  headers: Headers;
  body: {
    id?: string;
    status?: string;
    error?: string;
    items?: { id: string; status: string; enteredByHand?: boolean }[];
  };
}
