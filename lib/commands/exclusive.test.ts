import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { connectTo, holdAlone, inTurn, readMessage } from './exclusive.mjs';

const MODULE = new URL('./exclusive.mjs', import.meta.url).href;

/** Another process that holds the name until it is killed. */
async function heldElsewhere(name: string): Promise<() => Promise<void>> {
  const program = `import { holdAlone } from '${MODULE}'; await holdAlone('${name}', (s) => s.end('{"pid":1}\\n')); console.log('held');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return () =>
    new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
}

describe('a name that one process holds', () => {
  it('is refused to others, who can ask its holder', async () => {
    const name = randomUUID();
    const kill = await heldElsewhere(name);
    expect(await holdAlone(name, () => undefined)).toBeNull();
    const socket = await connectTo(name);
    expect(socket && (await readMessage(socket))).toEqual({ pid: 1 });
    socket?.destroy();
    await kill();
  });

  it('is free again the moment its holder is killed', async () => {
    const name = randomUUID();
    await (
      await heldElsewhere(name)
    )();
    const mine = await holdAlone(name, () => undefined);
    expect(mine).not.toBeNull();
    mine?.close();
    expect(await connectTo(name)).toBeNull();
  });

  it('goes to exactly one of many that ask at once', async () => {
    const name = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => holdAlone(name, () => undefined)));
    const held = answers.filter((server) => server !== null);
    expect(held).toHaveLength(1);
    held[0]?.close();
  });

  it('makes work of the same name wait for its turn', async () => {
    const name = randomUUID();
    let busy = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, (busy += 1));
      await new Promise((resolve) => setImmediate(resolve));
      busy -= 1;
      return most;
    };
    await Promise.all(Array.from({ length: 8 }, () => inTurn(name, work)));
    expect(most).toBe(1);
  });

  it('is handed on when the work fails', async () => {
    const name = randomUUID();
    const failing = inTurn(name, async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await inTurn(name, async () => 'next')).toBe('next');
  });
});
