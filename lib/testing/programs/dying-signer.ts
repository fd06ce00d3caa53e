// A signer that kills itself (SIGKILL) at one step of keeping a checkpoint.
import fs from 'node:fs';
import pg from 'pg';
import { signHead } from '@/lib/audit/signer/sign-head';
import { SignerFiles } from '@/lib/audit/signer/signer-files';
import { signingKeyOf } from '@/lib/audit/signer/signing-key';

export type SignerStep = 'announced' | 'half written' | 'written' | 'settled';

const { url, folder, pem, dieAt } = JSON.parse(process.env.PROGRAM_INPUT ?? '{}') as {
  url: string;
  folder: string;
  pem: string;
  dieAt: SignerStep;
};
const reached: Record<SignerStep, number> = { announced: 0, 'half written': 0, written: 0, settled: 0 };
function at(step: SignerStep): void {
  reached[step] += 1;
  if (step === dieAt) process.kill(process.pid, 'SIGKILL');
}

const files = new SignerFiles(folder);
const { openSync, writeSync, fsyncSync, renameSync } = fs;
let published = -1;
fs.openSync = (file, flags, mode) => {
  const handle = openSync(file, flags, mode);
  if (file === files.checkpoints && flags === 'a') published = handle;
  return handle;
};
fs.writeSync = ((handle: number, text: string) => {
  if (handle !== published) return writeSync(handle, text);
  const half = Math.floor(text.length / 2);
  const written = writeSync(handle, text.slice(0, half));
  fsyncSync(handle);
  at('half written');
  return written + writeSync(handle, text.slice(half));
}) as typeof fs.writeSync;
fs.fsyncSync = (handle) => {
  fsyncSync(handle);
  if (handle === published) at('written');
};
fs.renameSync = (from, to) => {
  renameSync(from, to);
  at(reached.announced === 0 ? 'announced' : 'settled');
};

await signHead({ db: new pg.Pool({ connectionString: url, max: 1 }), files, key: signingKeyOf(pem) });
