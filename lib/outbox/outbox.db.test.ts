import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deliveryWays } from '@/lib/commands/delivery-ways';
import { DEFAULT_SETTINGS } from '@/lib/domain/notification-settings';
import { assignException } from '@/lib/review/assign-exception';
import type { LookingContext } from '@/lib/review/desk-context';
import { chooseNotifications } from '@/lib/review/notifications/choose-notifications';
import { getNotificationSettings } from '@/lib/review/notifications/get-settings';
import { markRead } from '@/lib/review/notifications/mark-read';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { mailServer, type MailServer } from '@/lib/testing/mail-server';
import { testContext } from '@/lib/testing/people';
import { webhookReceiver, type WebhookReceiver } from '@/lib/testing/webhook-receiver';
import { deliverMessage, waysOf, type Ways } from './deliver-message';
import { planDeliveries } from './plan-deliveries';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let mails: MailServer;
let chat: WebhookReceiver;
let ways: Ways;
beforeAll(async () => {
  [db, mails, chat] = await Promise.all([testDatabase(), mailServer(), webhookReceiver()]);
  desk = await deskFixture(db);
  operator = await desk.desk();
  ways = deliveryWays({
    ...{ SMTP_URL: mails.url, NEXTAUTH_URL: 'https://desk.example.com' },
    ...{
      SECRET_CHAT_KIM: chat.url,
      ALLOWED_LOOPBACK_PORTS: chat.port,
      SECRET_CHAT_INSIDE: 'http://169.254.169.254/x',
    },
  });
});
afterAll(async () => {
  await Promise.all([desk.close(), mails.close(), chat.close()]);
  await db.drop();
});
beforeEach(() => {
  mails.arrived.length = 0;
  chat.arrived.length = 0;
  mails.answer('accept');
  chat.answer(200);
});

const worker = () => db.pool('worker');
const plan = (by = ways) => planDeliveries(worker(), testContext, waysOf(by));
const deliver = (messageId: string, by = ways) => deliverMessage(worker(), testContext, by, { messageId });

interface Message extends Record<string, unknown> {
  message_id: string;
  way: string;
  state: string;
  attempts: number;
  failure: string | null;
  send_at: Date;
}
async function messagesTo({ actor }: LookingContext): Promise<Message[]> {
  const { rows } = await db
    .pool('owner')
    .query<Message>('select * from review.outbox_messages where person_id = $1 order by send_at, way', [
      actor.personId,
    ]);
  return rows;
}
/** Gives that person an exception, which they are told of. */
async function give(to: LookingContext): Promise<string> {
  const { exceptionId } = await desk.unknownPayment();
  const { form } = await desk.seen(operator, exceptionId);
  const { exceptionVersion } = form;
  await assignException(operator, {
    exceptionId,
    exceptionVersion,
    operationId: randomUUID(),
    assigneeId: to.actor.personId,
  });
  return exceptionId;
}
const chosen = async (to: LookingContext, change: object) =>
  expect(await chooseNotifications(to, { ...DEFAULT_SETTINGS, ...change })).toMatchObject({
    outcome: 'done',
  });
const jobsOf = async (messageId: string) => {
  const { rows } = await db
    .pool('superuser')
    .query<{ run_at: Date }>(`select run_at from graphile_worker.jobs where key = $1`, [
      `send-message:${messageId}`,
    ]);
  return rows;
};

describe('the outbox', () => {
  it('R-049i what several workers plan at once goes out once', async () => {
    const reader = await desk.desk();
    await give(reader);
    await give(reader);
    await Promise.all(Array.from({ length: 6 }, () => plan()));
    await plan();
    const [message, ...more] = await messagesTo(reader);
    expect(more).toEqual([]);
    expect(await jobsOf(message!.message_id)).toHaveLength(1);
    expect(await deliver(message!.message_id)).toBe('SENT');
    expect(await deliver(message!.message_id)).toBeNull();
    expect(mails.arrived).toHaveLength(1);
    expect(mails.arrived[0]!.text).toContain('Subject: 2 things wait for you in Onceover');
  });

  it('R-049i a worker that died after sending sends it again under the same Message-ID, and no third time', async () => {
    const reader = await desk.desk();
    await give(reader);
    await plan();
    const [{ message_id: id } = { message_id: '' }] = await messagesTo(reader);
    const dies: Ways = {
      ...ways,
      mail: async (message, words) => {
        await ways.mail!(message, words);
        throw new Error('killed');
      },
    };
    await expect(deliver(id, dies)).rejects.toThrow('killed');
    expect(await messagesTo(reader)).toMatchObject([{ state: 'WAITING', attempts: 1 }]);
    expect(await deliver(id)).toBe('SENT');
    expect(await deliver(id)).toBeNull();
    const ids = mails.arrived.map(({ text }) => /^Message-ID: .*$/m.exec(text)?.[0]);
    expect(ids).toEqual([0, 1].map(() => `Message-ID: <${id}@desk.example.com>`));
  });

  it('R-049i what fails for now is tried eight times, ever later, and then given up where its reader sees it', async () => {
    const reader = await desk.desk();
    await give(reader);
    await plan();
    const [{ message_id: id } = { message_id: '' }] = await messagesTo(reader);
    mails.answer(450);
    const states: (string | null)[] = [];
    const waits: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      states.push(await deliver(id));
      const [job] = await jobsOf(id);
      if (states.at(-1) === 'WAITING') waits.push(Math.round((job!.run_at.getTime() - Date.now()) / 60_000));
    }
    expect(states).toEqual([...Array.from({ length: 7 }, () => 'WAITING'), 'DEAD']);
    expect(waits).toEqual([1, 4, 9, 16, 25, 36, 49]);
    const { givenUp } = await getNotificationSettings({ actor: reader.actor, db: db.pool('app') });
    expect(givenUp).toMatchObject([{ messageId: id, way: 'MAIL', failure: 'REFUSED' }]);
    mails.answer('accept');
    expect(await deliver(id)).toBeNull();
  });

  it('R-049i what is refused for good is not tried again', async () => {
    const reader = await desk.desk();
    await give(reader);
    await plan();
    const [{ message_id: id } = { message_id: '' }] = await messagesTo(reader);
    mails.answer(550);
    expect(await deliver(id)).toBe('DEAD');
    expect(await messagesTo(reader)).toMatchObject([{ attempts: 1, failure: 'REFUSED' }]);
  });

  it('R-049i nothing goes out to somebody who lost the tenant or the account, or who has read it', async () => {
    const [moved, disabled, reading] = await Promise.all([desk.desk(), desk.desk(), desk.desk()]);
    for (const each of [moved, disabled, reading]) await give(each);
    await plan();
    await changePerson(db, moved.actor.personId, `tenant_ids = '{tenant-south}'`);
    await changePerson(db, disabled.actor.personId, 'disabled_at = ledger.clock()');
    await markRead(reading, { upTo: new Date(Date.now() + 60_000).toISOString() });
    for (const each of [moved, disabled, reading]) {
      const [message] = await messagesTo(each);
      await deliver(message!.message_id);
      expect(await messagesTo(each)).toMatchObject([{ state: 'DROPPED' }]);
    }
    expect(mails.arrived).toEqual([]);
  });

  it('R-049i a chat webhook is a secret by name, under the guard of the connectors', async () => {
    const [kim, inside, missing] = await Promise.all([desk.desk(), desk.desk(), desk.desk()]);
    await chosen(kim, { mail: [], chat: ['ASSIGNED'], chat_secret: 'CHAT_KIM' });
    await chosen(inside, { mail: [], chat: ['ASSIGNED'], chat_secret: 'CHAT_INSIDE' });
    await chosen(missing, { mail: [], chat: ['ASSIGNED'], chat_secret: 'CHAT_NOBODY' });
    for (const each of [kim, inside, missing]) await give(each);
    await plan();
    const tried = async (to: LookingContext) => deliver((await messagesTo(to))[0]!.message_id);
    chat.answer(500);
    expect(await tried(kim)).toBe('WAITING');
    chat.answer(`http://169.254.169.254/`);
    expect(await tried(kim)).toBe('WAITING');
    chat.answer(200);
    expect(await tried(kim)).toBe('SENT');
    expect(JSON.parse(chat.arrived.at(-1)!.body)).toMatchObject({ mrkdwn: false });
    expect(await tried(inside)).toBe('WAITING');
    expect(await messagesTo(inside)).toMatchObject([{ failure: 'UNREACHABLE' }]);
    expect(await tried(missing)).toBe('DEAD');
    const { rows } = await db.pool('owner').query('select * from review.outbox_messages');
    expect(JSON.stringify(rows)).not.toContain('127.0.0.1');
  });
});

describe('what each person chose', () => {
  it('R-049j decides which reasons go out, when, and together with what', async () => {
    const [none, daily, quiet] = await Promise.all([desk.desk(), desk.desk(), desk.desk()]);
    await chosen(none, { mail: ['MENTIONED'] });
    await chosen(daily, { digest: 'DAILY', daily_from: 480, time_zone: 'Asia/Seoul' });
    await db.setClock('2026-11-30T12:00:00Z'); // 21:00 in Seoul
    await chosen(quiet, { quiet_from: 1_200, quiet_to: 420, time_zone: 'Asia/Seoul' });
    for (const each of [none, daily, daily, quiet]) await give(each);
    await plan();
    await give(daily);
    await plan();
    expect(await messagesTo(none)).toEqual([]);
    expect((await messagesTo(daily)).map(({ send_at }) => send_at.toISOString())).toEqual([
      '2026-11-30T23:00:00.000Z',
    ]);
    expect((await messagesTo(quiet)).map(({ send_at }) => send_at.toISOString())).toEqual([
      '2026-11-30T22:00:00.000Z',
    ]);
    const [digest] = await messagesTo(daily);
    await deliver(digest!.message_id);
    expect(mails.arrived[0]!.text).toContain('Subject: 3 things wait for you in Onceover');
    await db.setClock(null);
  });

  it('R-049j without a mail server nothing is planned for it', async () => {
    const reader = await desk.desk();
    await give(reader);
    await plan({ ...ways, mail: null });
    expect(await messagesTo(reader)).toEqual([]);
  });

  it.each([
    { chat: ['ASSIGNED'] },
    { chat_secret: 'STRIPE_KEY' },
    { time_zone: 'Mars/Olympus' },
    { quiet_from: 60 },
    { quiet_from: 60, quiet_to: 60 },
    { mail: ['EVERYTHING'] },
    { daily_from: 1_440 },
    { person_id: randomUUID() },
  ])('R-049j refuses %j', async (change) => {
    expect(await chooseNotifications(operator, { ...DEFAULT_SETTINGS, ...change })).toEqual({
      outcome: 'refused',
      code: 'INVALID_INPUT',
    });
  });
});
