import { readSandboxLog, type SandboxEvent } from '@/lib/sandbox/sandbox-log';
import { readSettings, systemUrl, type SystemName } from '@/lib/sandbox/settings';
import { readWorkBook, type WorkBook } from '@/lib/sandbox/automations/work-book';
import { poll } from './poll';
import { type Place } from './product';

/** An effect as its own system shows it. */
export interface Effect {
  id: string;
  status: string;
  account: string;
  amount?: number;
  enteredByHand: boolean;
}

/** The sandbox seen from outside the product: its systems' own answers, its log, and the automations' memory. */
export class ExternalSystems {
  constructor(private readonly place: Place) {}

  log(): SandboxEvent[] {
    return readSandboxLog(this.place.dataDir);
  }

  /** What the log says about one execution key, oldest first. */
  events(key: string): SandboxEvent[] {
    return this.log().filter(({ reference }) => reference === key);
  }

  work(): WorkBook {
    return readWorkBook(this.place.dataDir);
  }

  /**
   * Asks a system the way any of its customers can. One that has just been started again may not listen yet: the product is
   * ready without its demo, and the settings name the port once the system has it.
   */
  async ask(system: SystemName, question: string): Promise<{ status: number; items: Effect[] }> {
    const answer = await poll(`an answer of the ${system} system`, async () => {
      const settings = readSettings(this.place.dataDir);
      if (settings === null) return null;
      const headers = { authorization: `Bearer ${settings[system].secret}` };
      return fetch(systemUrl(settings, system) + question, { headers }).catch(() => null);
    });
    const body = (await answer.json()) as { items?: Effect[] };
    return { status: answer.status, items: body.items ?? [] };
  }

  async mails(key: string): Promise<Effect[]> {
    return (await this.ask('mail', `/messages?header=X-Reference&value=${encodeURIComponent(key)}`)).items;
  }

  async payments(key: string): Promise<Effect[]> {
    return (await this.ask('payment', `/payments?reference=${encodeURIComponent(key)}`)).items;
  }

  async records(key: string): Promise<Effect[]> {
    return (await this.ask('crm', `/records?external_reference=${encodeURIComponent(key)}`)).items;
  }

  async hasRecord(id: string): Promise<boolean> {
    return (await this.ask('crm', `/records/${encodeURIComponent(id)}`)).status === 200;
  }
}
