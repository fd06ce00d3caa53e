import { createTransport } from 'nodemailer';
import type { MessageWords } from './message-words';
import type { OutboundMessage, Sent } from './outbound-message';

/** Milliseconds; together below the time after which a job counts as a dead worker's. */
const LIMITS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 15_000,
  dnsTimeout: 5_000,
};

export type SendMail = (message: OutboundMessage, words: MessageWords) => Promise<Sent>;

/** The part of the settings that mail needs. */
export interface MailSettings {
  readonly SMTP_URL?: string | undefined;
  readonly SMTP_FROM?: string | undefined;
  readonly NEXTAUTH_URL?: string | undefined;
}

const ADDRESS = /^[^\s<>",;:@]{1,64}@[a-z0-9.-]{1,190}$/i;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Why mail cannot be sent with these settings, by name and without their values; null when it can, or is switched off. */
export function mailFault({ SMTP_URL, SMTP_FROM }: MailSettings): string | null {
  if (!SMTP_URL) return null;
  if (!URL.canParse(SMTP_URL) || !/^smtps?:$/.test(new URL(SMTP_URL).protocol) || !new URL(SMTP_URL).hostname)
    return 'SMTP_URL must be smtp:// or smtps://, with user and password in it where the server asks for them.';
  if (SMTP_FROM && !ADDRESS.test(SMTP_FROM)) return 'SMTP_FROM must be one bare e-mail address.';
  return null;
}

/**
 * Mail through the deployment's own server; null without one. A password never goes over the network in clear: off this
 * machine `smtp://` has to turn to TLS before anything is said. The Message-ID is the message's own, however often it is sent.
 */
export function mailSender(settings: MailSettings): SendMail | null {
  const fault = mailFault(settings);
  if (fault !== null) throw new Error(fault);
  if (!settings.SMTP_URL) return null;
  const url = new URL(settings.SMTP_URL);
  const host = new URL(settings.NEXTAUTH_URL ?? 'http://localhost').hostname.replace(/^\[|\]$/g, '');
  const domain = /^[\d.:]+$/.test(host) ? 'localhost' : host;
  const secure = url.protocol === 'smtps:';
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (secure ? 465 : 587)),
    secure,
    requireTLS: !secure && !LOOPBACK.test(url.hostname),
    ...(LOOPBACK.test(url.hostname) ? { ignoreTLS: !secure } : {}),
    ...(url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    ...LIMITS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const from = settings.SMTP_FROM || `onceover@${domain}`;
  return async (message, words) => {
    try {
      await transport.sendMail({
        from: { name: 'Onceover', address: from },
        to: { name: message.name.replace(/\p{C}/gu, ' '), address: message.email },
        subject: words.subject,
        text: `${words.lines.map(({ text, address }) => (address === null ? text : `${text}\n${address}`)).join('\n\n')}\n`,
        messageId: `<${message.messageId}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      });
      return { ok: true };
    } catch (error) {
      return failed(error);
    }
  };
}

/** The server's own words stay unread: they repeat addresses. 5xx is an answer for good, but for sign-in, which is ours to mend. */
function failed(error: unknown): Sent {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (typeof responseCode !== 'number') return { ok: false, failure: 'UNREACHABLE', forGood: false };
  return { ok: false, failure: 'REFUSED', forGood: responseCode >= 500 && code !== 'EAUTH' };
}
