// By which ways this deployment tells people: its mail server, and chat webhooks under the guard of the connectors.
import { loopbackPortsOf } from '@/lib/lookup/ask-connector';
import type { Resolve } from '@/lib/lookup/checked-address';
import { guardedFetch } from '@/lib/lookup/guarded-fetch';
import type { SecretSource } from '@/lib/lookup/secrets';
import type { Ways } from '@/lib/outbox/deliver-message';
import { chatSender } from '@/lib/outbox/send-chat';
import { mailSender } from '@/lib/outbox/send-mail';

/** Milliseconds and bytes that a delivery may take. */
const DELIVERY = { timeoutMs: 10_000, maxBytes: 65_536 };

/** Throws for settings that cannot be used, by name and without their values. */
export function deliveryWays(env: SecretSource, resolve?: Resolve): Ways {
  const post = async (url: string, json: string): Promise<number | 'UNREACHABLE'> => {
    const allowLoopback = URL.canParse(url) && loopbackPortsOf(env).has(new URL(url).port);
    const sent = await guardedFetch({ url, headers: {}, json, allowLoopback, ...DELIVERY }, resolve);
    return sent.ok ? sent.answer.status : 'UNREACHABLE';
  };
  return {
    mail: mailSender(env),
    chat: chatSender((name) => env[`SECRET_${name}`], post),
    origin: new URL(env['NEXTAUTH_URL'] ?? 'http://localhost:3000').origin,
  };
}
