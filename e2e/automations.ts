import { openWorkBook } from '@/lib/sandbox/automations/work-book';
import { scenarioNamed } from '@/lib/sandbox/automations/scenarios';
import { Supervisor } from '@/lib/sandbox/automations/supervisor';
import { type Intent } from '@/lib/sandbox/automations/intent';
import { openSandboxLog } from '@/lib/sandbox/sandbox-log';
import { readSettings, systemUrl, type SystemName } from '@/lib/sandbox/settings';
import { demoTokens } from './producer';
import { type Place } from './product';

/** As short as the demo's own. */
const LEASE_SECONDS = 10;

/** A real automation at work on a running product, as one process of its own. */
export class Automations {
  private readonly supervisor: Supervisor;
  private readonly book;

  constructor(place: Place) {
    const settings = readSettings(place.dataDir);
    if (settings === null) throw new Error('the sandbox has not started');
    const access = (name: SystemName) => ({ url: systemUrl(settings, name), secret: settings[name].secret });
    const tokens = demoTokens(place);
    const { book, journal } = openWorkBook(place.dataDir);
    this.book = book;
    this.supervisor = new Supervisor({
      base: {
        ledgerUrl: place.address,
        dataDir: place.dataDir,
        systems: { crm: access('crm'), mail: access('mail'), payment: access('payment') },
        leaseSeconds: LEASE_SECONDS,
        northSqlUrl: null,
      },
      producers: {
        'north-automation': { tenant: 'tenant-north', token: tokens['north-automation'] },
        'south-automation': { tenant: 'tenant-south', token: tokens['south-automation'] },
      },
      book,
      journal,
      log: openSandboxLog(place.dataDir),
    });
  }

  /** Runs one scenario to its end, killed or not, and answers what it was asked to do, step by step. */
  async run(scenario: string): Promise<Intent[]> {
    const { workflowId } = await this.supervisor.start(scenarioNamed(scenario));
    return this.book.intentsOf(workflowId).map(({ intent }) => intent);
  }

  /** Runs one scenario; answers the step that went wrong, which is the last one. */
  async cause(scenario: string): Promise<Intent> {
    const intent = (await this.run(scenario)).at(-1);
    if (intent === undefined) throw new Error(`${scenario} did nothing`);
    return intent;
  }

  /** Starts the automation that finishes what people allow; it runs until `stop`. */
  startExecutor(): void {
    void this.supervisor.startExecutor();
  }

  stop(): Promise<void> {
    return this.supervisor.stop();
  }
}
