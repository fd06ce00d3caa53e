import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { choosePort } from './choose-port.mjs';

const HOST = '127.0.0.1';
const servers: net.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const listenOn = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    servers.push(server);
    server.listen(port, HOST, () => resolve((server.address() as net.AddressInfo).port));
  });

describe('the port to serve on', () => {
  it('is the one asked for, when it is free', async () => {
    const port = await listenOn(0);
    servers.pop()?.close();
    expect(await choosePort({ given: String(port), host: HOST })).toEqual({ port, note: null });
  });

  it('is never another one than asked for: a taken port is an error that names it', async () => {
    const port = await listenOn(0);
    await expect(choosePort({ given: String(port), host: HOST })).rejects.toThrow(`Port ${port} is taken`);
  });

  it('is the next free one when none was asked for, and that is said', async () => {
    const first = await listenOn(0);
    const chosen = await choosePort({ host: HOST, first });
    expect(chosen.port).toBeGreaterThan(first);
    expect(chosen.note).toContain(`Port ${first} is taken`);
  });

  it('passes over a port that another start is about to use', async () => {
    const first = await listenOn(0);
    servers.pop()?.close();
    const chosen = await choosePort({ host: HOST, first, reserve: async (port: number) => port !== first });
    expect(chosen.port).toBeGreaterThan(first);
  });

  it.each(['0', '65536', '3000x', '-1', '1e3'])('refuses %s', async (given) => {
    await expect(choosePort({ given, host: HOST })).rejects.toThrow('PORT must be a number');
  });
});
