// The address outside that each checkpoint goes to: under the guard of the connectors, signed by Standard Webhooks.
import { Webhook } from 'standardwebhooks';
import { checkpointDigest, parseCheckpoint } from '@/lib/audit/verifier/checkpoint.mjs';
import { outsideUrlFault } from '@/lib/domain/outside-address';
import { webhookSecretFault, type WebhookSecretFault } from '@/lib/domain/webhook-secret';
import { loopbackPortsOf } from '@/lib/lookup/ask-connector';
import type { Resolve } from '@/lib/lookup/checked-address';
import { guardedFetch } from '@/lib/lookup/guarded-fetch';
import type { SecretSource } from '@/lib/lookup/secrets';

const ADDRESS = 'AUDIT_CHECKPOINT_WEBHOOK';
const SECRET = 'SECRET_AUDIT_CHECKPOINT_WEBHOOK';
/** The secret that follows: while both are set, each delivery carries both signatures. */
const NEXT_SECRET = 'SECRET_AUDIT_CHECKPOINT_WEBHOOK_NEXT';
/** Milliseconds and bytes that a delivery may take. */
const DELIVERY = { timeoutMs: 3_000, maxBytes: 65_536 };

const HOW_TO = 'Use `whsec_` followed by the output of `openssl rand -base64 32`.';
const FAULTS: Record<WebhookSecretFault, string> = {
  FORM: 'is not written as Standard Webhooks asks for',
  LENGTH: 'must hold 24 to 64 bytes',
  WEAK: 'is weak',
};

/** Delivers one line of the checkpoint file; throws what may be told of a failure. */
export type SendCheckpoint = (line: string) => Promise<void>;

/** Null without an address. Throws for settings that cannot be used, by name and without their values. */
export function checkpointWebhook(env: SecretSource, resolve?: Resolve): SendCheckpoint | null {
  const url = env[ADDRESS];
  if (!url) return null;
  const allowLoopback = URL.canParse(url) && loopbackPortsOf(env).has(new URL(url).port);
  const complaints = [complainAboutAddress(url, allowLoopback), ...complainAboutSecrets(env)].filter(
    (complaint) => complaint !== null,
  );
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  const signatures = [env[SECRET], env[NEXT_SECRET]]
    .filter((secret): secret is string => Boolean(secret))
    .map((secret) => new Webhook(secret));
  return async (line) => {
    const headers = signedHeaders(line, signatures, new Date());
    const sent = await guardedFetch({ url, headers, json: line, allowLoopback, ...DELIVERY }, resolve);
    if (!sent.ok) throw new Error(sent.failure);
    if (sent.answer.status >= 300) throw new Error(`status ${sent.answer.status}`);
  };
}

/** The id is the record's own digest: the same however often and by whichever process it is sent. */
function signedHeaders(line: string, signatures: readonly Webhook[], at: Date): Record<string, string> {
  const record = parseCheckpoint(line.trimEnd());
  if (record === null) throw new Error('bug: what is to be delivered is no record');
  const id = `checkpoint_${checkpointDigest(record)}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.map((webhook) => webhook.sign(id, at, line)).join(' '),
  };
}

function complainAboutAddress(url: string, allowLoopback: boolean): string | null {
  const fault = outsideUrlFault(url, { allowLoopback });
  return fault === null
    ? null
    : `${ADDRESS} is refused (${fault}): it must be an https address outside of this network.`;
}

function complainAboutSecrets(env: SecretSource): (string | null)[] {
  const complain = (name: string): string | null => {
    const fault = env[name] ? webhookSecretFault(env[name]) : null;
    return fault === null ? null : `${name} ${FAULTS[fault]}. ${HOW_TO}`;
  };
  return [
    env[SECRET] ? complain(SECRET) : `${ADDRESS} needs ${SECRET}, which signs what is sent there. ${HOW_TO}`,
    complain(NEXT_SECRET),
    env[SECRET] && env[SECRET] === env[NEXT_SECRET]
      ? `${SECRET} and ${NEXT_SECRET} must be two secrets.`
      : null,
  ];
}
