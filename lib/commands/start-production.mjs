import fs from 'node:fs';
import { builtActionKey, SERVER } from './build-app.mjs';
import { Children } from './children.mjs';
import { choosePort } from './choose-port.mjs';
import { productionEnv, programPlan, serverPlan } from './installation.mjs';

function refuse(complaints) {
  console.error(
    ['Onceover does not start:', ...complaints.map((complaint) => `  - ${complaint}`)].join('\n'),
  );
  process.exit(1);
}

/** Runs until it is told to stop, or until the server ends; ends the process itself. */
export async function startProduction() {
  if (!fs.existsSync(SERVER)) refuse(['There is no build: run `npm run build`.']);
  const { complainAboutActionKey, complainAboutEnvironment, inspectRole, noticeOfSigner } =
    await import('./production-checks.mjs');
  const built = complainAboutActionKey(builtActionKey(), 'The key of actions in the build');
  const complaints = [...complainAboutEnvironment(process.env), ...(built ? [built] : [])];
  if (complaints.length > 0) refuse(complaints);

  const workerUrl = process.env.DATABASE_WORKER_URL || process.env.DATABASE_URL;
  const app = await inspectRole('DATABASE_URL', process.env.DATABASE_URL);
  const worker = process.env.DATABASE_WORKER_URL ? await inspectRole('DATABASE_WORKER_URL', workerUrl) : app;
  const found = [...new Set([...app.complaints, ...worker.complaints])];
  if (found.length > 0) refuse(found);
  const notice = await noticeOfSigner(process.env.DATABASE_URL);
  if (notice) console.error(notice);
  if (process.env.DEMO === 'on') console.log('DEMO=on is not for production: no demo accounts, no sandbox.');

  const host = process.env.HOST || '127.0.0.1';
  const { port } = await choosePort({ given: process.env.PORT || '3000', host }).catch((error) =>
    refuse([error.message]),
  );
  const env = productionEnv({ host, port });
  let ending = false;
  const children = new Children({
    tell: (line) => console.error(line),
    onFatal: (reason) => void end(1, reason),
  });
  async function end(code, reason) {
    if (ending) return;
    ending = true;
    if (reason) console.error(reason);
    await children.stop();
    process.exit(code);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end(0));

  children.start(serverPlan({ ...env, DATABASE_URL: process.env.DATABASE_URL }));
  if (worker.runsJobs) {
    children.start(programPlan('worker', { ...env, DATABASE_URL: workerUrl }));
  } else {
    console.error(
      'The worker is not started: the role of DATABASE_URL may not run its jobs. Set DATABASE_WORKER_URL to the role onceover_worker; until then nothing is swept or looked up by itself.',
    );
  }
  console.log(`Onceover serves ${env.NEXTAUTH_URL} from http://${host}:${port}.`);
}
