import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, retirementFixture, type RetirementFixture } from '@/lib/testing/retirement-fixture';

const run = promisify(execFile);
let world: RetirementFixture;
beforeAll(async () => {
  world = await retirementFixture();
  await world.append(12, { body: { text: 'long ago' } });
  await world.cut();
  await world.db.setClock(NOW);
});
afterAll(() => world.close());

async function command(
  name: 'audit-retire' | 'audit-verify',
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const { db, signer } = world;
  const env = {
    ...process.env,
    DATABASE_URL: db.signerUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    DATA_DIR: signer.folder,
  };
  const program = ['--import', 'tsx', '--conditions=react-server', `lib/commands/${name}.ts`, ...args];
  return run(process.execPath, program, { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );
}

describe('npm run audit:retire', () => {
  it('R-089e refuses by name, and takes only what it knows', async () => {
    expect(await command('audit-retire', '--up-to', '7')).toEqual({
      code: 1,
      output: 'Nothing was retired: no partition ends there, or it has left already\n',
    });
    expect((await command('audit-retire', '--up-to', 'x')).code).toBeGreaterThan(0);
    expect((await command('audit-retire', '--keep-days', '29')).output).toContain(
      'audit_retention_days_known',
    );
    expect((await command('audit-retire', '--keep-days', '390')).output).toContain('at least 390 days');
  }, 60_000);

  it('R-089d R-087s moves what is due beside the signer’s files; audit:verify takes up the log there, or begins with the archive', async () => {
    await world.signUp();
    const done = await world.answerWhile(command('audit-retire'));
    expect(done).toMatchObject({
      code: 0,
      output: expect.stringContaining('Retired events 1 to 12') as unknown,
    });
    const folder = path.join(world.signer.folder, 'audit-archives');
    const file = path.join(folder, 'onceover-audit-1-12.jsonl');
    expect(await command('audit-retire')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing is due') as unknown,
    });
    const published = ['--checkpoints', world.signer.signer.files.checkpoints];
    const live = await command('audit-verify', ...published);
    expect(live).toMatchObject({
      code: 0,
      output: expect.stringMatching(/events 13 to \d+ verified[^]*up to 12 were retired/) as unknown,
    });
    expect((await command('audit-verify', ...published, '--archive', folder)).output).toContain(
      'events 1 to ',
    );
    expect(await command('audit-verify', ...published, '--export', file)).toMatchObject({
      code: 0,
      output: expect.stringContaining('the last of them at number 12') as unknown,
    });
    writeFileSync(file, readFileSync(file, 'utf8').replace('have left', 'have  left'));
    expect(await command('audit-verify', ...published, '--archive', file)).toMatchObject({
      code: 1,
      output: expect.stringContaining('not the file that was made when its events were retired') as unknown,
    });
  }, 60_000);
});
