import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  said,
  ORDERS_RECIPE as recipe,
  ordersDatabase,
  orderSubject as subject,
  type OrdersDatabase,
} from '@/lib/testing/orders-database';

let orders: OrdersDatabase;
beforeAll(async () => {
  orders = await ordersDatabase();
});
afterAll(() => orders.drop());
beforeEach(() => void (orders.notes.length = 0));

const ask: OrdersDatabase['ask'] = (...about) => orders.ask(...about);

describe('a database out of reach', () => {
  it('R-058y no rights, a wrong password, no listener and no such database are out of reach, never "not found"', async () => {
    expect(said(await ask(subject('K-1', '120.5'), {}, orders.address('stranger')))).toEqual([
      'INACCESSIBLE',
      'NO_PERMISSION',
    ]);
    const wrong = orders.address('reader', (url) => (url.password = 'wrong'));
    expect(said(await ask(subject('K-1', '120.5'), {}, wrong))[0]).toBe('INACCESSIBLE');
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    listener.close();
    await once(listener, 'close');
    const closed = await ask(
      subject('K-1', '120.5'),
      {},
      orders.address('reader', (url) => (url.port = String(port))),
    );
    expect(said(closed)).toEqual(['INACCESSIBLE', 'UNREACHABLE']);
    expect(closed.durationMs).toBe(250);
    expect(
      (
        await ask(
          subject('K-1', '120.5'),
          {},
          orders.address('reader', (url) => (url.pathname = '/nowhere')),
        )
      ).verdict,
    ).toBe('UNCLEAR');
    expect(orders.notes.map(({ detail }) => detail)).toContain('ECONNREFUSED');
  });

  it('R-058y a query that takes too long is given up and leaves no session behind', async () => {
    const slow = recipe.sql.replace('FROM orders', 'FROM orders, pg_sleep(60)');
    const asked = await ask(subject('K-1', '120.5'), { sql: slow, timeoutMs: 400 });
    expect(said(asked)).toEqual(['INACCESSIBLE', 'UNREACHABLE']);
    const left = async () =>
      (
        await orders.client.query(`SELECT 1 FROM pg_stat_activity WHERE usename = $1`, [
          new URL(orders.address('reader')).username,
        ])
      ).rowCount;
    await expect.poll(left, { timeout: 5_000 }).toBe(0);
  });

  it('SS-07 R-058y what is no database, says nothing or sends without end is dropped', async () => {
    const sockets = new Set<Socket>();
    const flood = Buffer.concat([Buffer.from([0x4e, 0x3f, 0xff, 0xff, 0xff]), Buffer.alloc(65_536, 0x53)]);
    let speak = true;
    const server = createServer((socket) => {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => sockets.delete(socket))
        .resume();
      if (!speak) return;
      const pour = () => {
        while (!socket.destroyed && socket.write(flood));
      };
      socket.on('drain', pour);
      pour();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const there = orders.address(
      'reader',
      (url) => (url.port = String((server.address() as AddressInfo).port)),
    );
    expect(said(await ask(subject('K-1', '1'), {}, there))[0]).toBe('INACCESSIBLE');
    speak = false;
    expect(said(await ask(subject('K-1', '1'), { timeoutMs: 300 }, there))).toEqual([
      'INACCESSIBLE',
      'UNREACHABLE',
    ]);
    await expect.poll(() => sockets.size, { timeout: 5_000 }).toBe(0);
    server.close();
  });

  it('SS-01 SS-02 R-058y a private address, or a name that leads to one, is not connected to', async () => {
    const closed = (secret: string, more?: object) => ask(subject('K-1', '1'), {}, secret, more, false);
    expect(said(await closed(orders.address('reader')))).toEqual(['INACCESSIBLE', 'UNREACHABLE']);
    for (const host of ['10.0.0.5', '169.254.169.254', '[::ffff:127.0.0.1]', 'db.internal', 'localhost'])
      expect(said(await closed(`postgres://u:p@${host}/d`))[0], host).toBe('INACCESSIBLE');
    const rebound = await closed('postgres://u:p@db.example.com/d', {
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    });
    expect(said(rebound)).toEqual(['INACCESSIBLE', 'UNREACHABLE']);
    expect(new Set(orders.notes.map(({ detail }) => detail.split(':')[0]))).toEqual(
      new Set(['address refused', 'resolved address refused']),
    );
  });

  it('R-058y a secret that is no address, or one with settings in it, asks nothing', async () => {
    for (const secret of [
      '',
      'http://u:p@db.example.com/d',
      'postgres://db.example.com/d',
      `${orders.address('reader')}?sslmode=disable`,
    ])
      expect(said(await ask(subject('K-1', '1'), {}, secret)), secret).toEqual([
        'INACCESSIBLE',
        'SECRET_MISSING',
      ]);
  });
});
