import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { z } from 'zod';

export const SYSTEM_NAMES = ['crm', 'mail', 'payment'] as const;
export type SystemName = (typeof SYSTEM_NAMES)[number];

/** The environment variable that holds the API key of a system; connectors name the part after `SECRET_`. */
const SECRET_VARIABLES: Record<SystemName, string> = {
  crm: 'SECRET_SANDBOX_CRM',
  mail: 'SECRET_SANDBOX_MAIL',
  payment: 'SECRET_SANDBOX_PAYMENT',
};

const PORT_VARIABLES: Record<SystemName, string> = {
  crm: 'SANDBOX_CRM_PORT',
  mail: 'SANDBOX_MAIL_PORT',
  payment: 'SANDBOX_PAYMENT_PORT',
};

const systemSchema = z.strictObject({
  port: z.number().int().min(1).max(65_535),
  secret: z.string().min(20),
});
const settingsSchema = z.strictObject({ crm: systemSchema, mail: systemSchema, payment: systemSchema });
/** Where the three systems listen on loopback and with which API keys; kept in `DATA_DIR/sandbox.json`. */
export type SandboxSettings = z.infer<typeof settingsSchema>;

function settingsFile(dataDir: string): string {
  return path.join(dataDir, 'sandbox.json');
}

/** The kept settings, or null before the first start. */
export function readSettings(dataDir: string): SandboxSettings | null {
  const file = settingsFile(dataDir);
  return fs.existsSync(file) ? settingsSchema.parse(JSON.parse(fs.readFileSync(file, 'utf8'))) : null;
}

/**
 * The settings of this data directory, made at the first call and the same ever after, so that connectors in the
 * database keep pointing at the right ports. A variable of the environment wins over what is kept.
 */
export async function ensureSettings(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SandboxSettings> {
  const kept = readSettings(dataDir);
  const taken = new Set(kept === null ? [] : SYSTEM_NAMES.map((name) => kept[name].port));
  const make = async (name: SystemName) => {
    const port = env[PORT_VARIABLES[name]] ?? kept?.[name].port ?? (await choosePort(dataDir, taken));
    taken.add(Number(port));
    const secret =
      env[SECRET_VARIABLES[name]] ?? kept?.[name].secret ?? randomBytes(24).toString('base64url');
    return { port: Number(port), secret };
  };
  const settings = settingsSchema.parse({
    crm: await make('crm'),
    mail: await make('mail'),
    payment: await make('payment'),
  });
  if (JSON.stringify(settings) !== JSON.stringify(kept)) writeSettings(dataDir, settings);
  return settings;
}

export function writeSettings(dataDir: string, settings: SandboxSettings): void {
  fs.mkdirSync(dataDir, { recursive: true });
  const temporary = `${settingsFile(dataDir)}.${process.pid}`;
  fs.writeFileSync(temporary, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(temporary, settingsFile(dataDir));
}

export function systemUrl(settings: SandboxSettings, name: SystemName): string {
  return `http://127.0.0.1:${settings[name].port}`;
}

/** The variables that a process with connectors needs to reach the systems: `SECRET_<NAME>` by reference. */
export function secretVariables(settings: SandboxSettings): Record<string, string> {
  return Object.fromEntries(SYSTEM_NAMES.map((name) => [SECRET_VARIABLES[name], settings[name].secret]));
}

/**
 * A free port in 20000–29999, below the range that the kernel lends to outgoing connections (those could take a port
 * while we are down). Starts at a place of its own for each data directory.
 */
export async function choosePort(dataDir: string, taken: ReadonlySet<number>): Promise<number> {
  const start = createHash('sha256').update(path.resolve(dataDir)).digest().readUInt16BE(0);
  for (let step = 0; step < 1000; step += 1) {
    const port = 20_000 + ((start + step) % 10_000);
    if (!taken.has(port) && (await isFree(port))) return port;
  }
  throw new Error('no free port for the sandbox between 20000 and 29999');
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
