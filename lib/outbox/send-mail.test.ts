import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailServer, type MailServer } from '@/lib/testing/mail-server';
import { messageWords } from './message-words';
import type { OutboundMessage } from './outbound-message';
import { chatJson } from './send-chat';
import { mailFault, mailSender } from './send-mail';

let server: MailServer;
beforeAll(async () => {
  server = await mailServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.arrived.length = 0;
  server.answer('accept');
});

const EXCEPTION = '0199a000-0000-7000-8000-000000000001';
const message = (change: Partial<OutboundMessage> = {}): OutboundMessage => ({
  messageId: '0199a000-0000-7000-8000-00000000000a',
  way: 'MAIL',
  email: 'hana@demo.local',
  name: 'Hana',
  locale: 'en',
  secret: null,
  items: [
    {
      ...{ reason: 'OVERDUE', tenantId: 'tenant-north', tenant: 'North', kind: 'UNKNOWN_RESULT' },
      ...{ exceptionId: EXCEPTION, requestId: null, jobId: null, jobRows: null, proposal: null },
    },
  ],
  ...change,
});
const settings = () => ({ SMTP_URL: server.url, NEXTAUTH_URL: 'https://desk.example.com' });
const words = (given: OutboundMessage) => messageWords(given, 'https://desk.example.com');
const send = (given: OutboundMessage) => mailSender(settings())!(given, words(given));
const headOf = (text: string) => text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n');

describe('mail', () => {
  it('R-049i arrives with a Message-ID of its own and links of the configured origin', async () => {
    expect(await send(message())).toEqual({ ok: true });
    expect(await send(message())).toEqual({ ok: true });
    const [first, again] = server.arrived;
    expect(first).toMatchObject({ to: ['hana@demo.local'], from: 'onceover@desk.example.com' });
    const id = 'Message-ID: <0199a000-0000-7000-8000-00000000000a@desk.example.com>';
    expect(headOf(first!.text)).toContain(id);
    expect(headOf(again!.text)).toContain(id);
    expect(headOf(first!.text)).toContain('Auto-Submitted: auto-generated');
    const body = first!.text.replaceAll('=\r\n', '');
    expect(body).toContain(`https://desk.example.com/exceptions/${EXCEPTION}`);
  });

  it('R-049i is written in its reader’s language, and counts what it does not list', async () => {
    const items = Array.from({ length: 25 }, () => message().items[0]!);
    expect(words(message({ items })).lines.at(-3)!.text).toBe('… and 5 more in your inbox.');
    expect(words(message({ items, locale: 'ko' })).subject).toBe('Onceover 알림 25건');
    expect(words(message({ locale: 'tlh' })).subject).toBe('One thing waits for you in Onceover');
  });

  it.each([
    'Hana\r\nBcc: thief@example.com',
    'Hana\nBcc: thief@example.com',
    '"Hana" <thief@example.com>',
    'Hana\r\n\r\nBody',
  ])('R-049i no name becomes a header, a recipient or a body: %j', async (name) => {
    const items = [{ ...message().items[0]!, tenant: `North\r\nBcc: thief@example.com` }];
    expect(await send(message({ name, items }))).toEqual({ ok: true });
    const [mail] = server.arrived;
    expect(mail!.to).toEqual(['hana@demo.local']);
    const head = headOf(mail!.text);
    expect(head.filter((line) => /^(?:bcc|cc|body)/i.test(line))).toEqual([]);
    expect(head.filter((line) => /^to:/i.test(line))).toHaveLength(1);
    expect(head.filter((line) => /^subject:/i.test(line))).toEqual([
      'Subject: One thing waits for you in Onceover',
    ]);
  });

  it.each([
    [450, { ok: false, failure: 'REFUSED', forGood: false }],
    [550, { ok: false, failure: 'REFUSED', forGood: true }],
  ])('R-049i %s of the server is told by its class, without the server’s words', async (status, told) => {
    server.answer(status);
    expect(await send(message())).toEqual(told);
    expect(server.arrived).toEqual([]);
  });

  it(
    'R-049i a server that hangs or is not there is not waited for without end',
    { timeout: 40_000 },
    async () => {
      server.answer('hang');
      expect(await send(message())).toEqual({ ok: false, failure: 'UNREACHABLE', forGood: false });
      const nobody = { ...settings(), SMTP_URL: 'smtp://127.0.0.1:9' };
      expect(await mailSender(nobody)!(message(), words(message()))).toEqual({
        ...{ ok: false, failure: 'UNREACHABLE', forGood: false },
      });
    },
  );

  it('R-049i settings that cannot be used stop the start, and are told by name alone', () => {
    expect(mailFault({})).toBeNull();
    expect(mailSender({})).toBeNull();
    expect(
      mailFault({ SMTP_URL: 'smtps://user:secret@mail.example.com', SMTP_FROM: 'desk@example.com' }),
    ).toBeNull();
    for (const broken of ['http://mail.example.com', 'mail.example.com:25', 'smtp://'])
      expect(mailFault({ SMTP_URL: broken })).toMatch(/^SMTP_URL must be /);
    expect(mailFault({ SMTP_URL: 'smtp://a', SMTP_FROM: 'a@b.c\r\nBcc: d@e.f' })).toMatch(
      /^SMTP_FROM must be /,
    );
    expect(() => mailSender({ SMTP_URL: 'http://secret@x' })).toThrow(/^(?!.*secret)/);
  });
});

describe('chat', () => {
  it('R-049i calls nobody and hides no link, whatever a tenant is named', () => {
    const items = [{ ...message().items[0]!, tenant: '<!channel> <@U1> <https://evil.example|bank> &lt;' }];
    const sent = JSON.parse(chatJson(words(message({ items })))) as { text: string; mrkdwn: boolean };
    expect(sent.text).not.toMatch(/[<>]/);
    expect(sent.text).toContain('&lt;!channel&gt; &lt;@U1&gt; &lt;https://evil.example|bank&gt; &amp;lt;');
    expect(sent).toMatchObject({ mrkdwn: false, link_names: false, unfurl_links: false });
  });
});
