// A program whose own tables lie beside the ledger's: a shop that takes orders, through pg or through Prisma.
import pg from 'pg';
import type { Queryable } from '@/lib/db/pool';
import { prismaOver } from '@/lib/db/prisma';
import {
  pgDatabase,
  prismaDatabase,
  runOnce,
  type RunOnceContext,
  type RunOnceOptions,
  type RunOnceOutcome,
  type RunOnceRequest,
} from '@/lib/ledger/run-once';
import type { EffectResult } from '@/lib/ledger/client';

export const DRIVERS = ['pg', 'prisma'] as const;
export type Driver = (typeof DRIVERS)[number];

/** COMMIT as each driver puts it on the wire; with its end, since an isolation level holds the word as well. */
export const COMMIT: Record<Driver, string> = { pg: 'commit\0', prisma: 'COMMIT\0' };

/** What a shop may do inside its transaction, whatever the driver. */
export interface ShopTransaction {
  takeOrder(key: string, amount: number): Promise<void>;
  /** One value of one row, or null. */
  value(text: string): Promise<unknown>;
}

export type ShopWork<R extends EffectResult> = (tx: ShopTransaction, context: RunOnceContext) => Promise<R>;

export interface Shop {
  readonly pool: pg.Pool;
  once<R extends EffectResult>(
    request: RunOnceRequest,
    work: ShopWork<R>,
    options?: RunOnceOptions,
  ): Promise<RunOnceOutcome<R>>;
  close(): Promise<void>;
}

/** Takes one order for a key. */
export const takeOrder = (shop: Shop, request: RunOnceRequest, amount = 100, options?: RunOnceOptions) =>
  shop.once(
    request,
    async (tx) => {
      await tx.takeOrder(request.key, amount);
      return { resultId: `R-${request.key}`, response: { status: 201, body: { amount } } };
    },
    options,
  );

export function openShop(driver: Driver, connectionString: string, max = 4): Shop {
  const pool = new pg.Pool({ connectionString, max, application_name: `shop ${driver}` });
  pool.on('error', () => undefined);
  const once: Shop['once'] =
    driver === 'pg'
      ? (request, work, options) =>
          runOnce(pgDatabase(pool), request, (tx, context) => work(overPg(tx), context), options)
      : (request, work, options) =>
          runOnce(
            prismaDatabase(prismaOver(pool)),
            request,
            (tx, context) => work(overPrisma(tx), context),
            options,
          );
  return { pool, once, close: () => pool.end() };
}

const TAKE = 'insert into shop.orders (key, amount) values ($1, $2)';

function overPg(tx: Queryable): ShopTransaction {
  return {
    takeOrder: async (key, amount) => void (await tx.query(TAKE, [key, amount])),
    value: async (text) => only((await tx.query(text)).rows[0]),
  };
}

type PrismaTransaction = Parameters<Parameters<ReturnType<typeof prismaOver>['$transaction']>[0]>[0];

function overPrisma(tx: PrismaTransaction): ShopTransaction {
  return {
    takeOrder: async (key, amount) =>
      void (await tx.$executeRaw`insert into shop.orders (key, amount) values (${key}, ${amount})`),
    value: async (text) => only((await tx.$queryRaw<object[]>(template(text)))[0]),
  };
}

const only = (row: object | undefined): unknown => Object.values(row ?? {})[0] ?? null;

/** A text that tests make is one part of a template without values. */
const template = (text: string) => Object.assign([text], { raw: [text] }) as TemplateStringsArray;
