import { z } from 'zod';
import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import type { NotificationWay } from '@/lib/domain/notifications';
import { messageWords } from './message-words';
import type { OutboundMessage, Sent } from './outbound-message';
import type { SendChat } from './send-chat';
import type { SendMail } from './send-mail';

export interface Ways {
  /** Null without a mail server. */
  mail: SendMail | null;
  chat: SendChat;
  /** Of the desk, without a slash at its end: links come from the settings and from no request. */
  origin: string;
}

export const waysOf = ({ mail }: Ways): NotificationWay[] => (mail === null ? ['CHAT'] : ['MAIL', 'CHAT']);

const payloadForm = z.object({ messageId: z.uuid() });

/**
 * One try at one message, at least once: it is counted first, sent outside of any transaction, then ended. A worker that dies
 * after the other side said yes sends it again under the same Message-ID. Answers the message's state, or null if it had ended.
 */
export async function deliverMessage(
  pool: Pool,
  context: TransactionContext,
  ways: Ways,
  payload: unknown,
): Promise<string | null> {
  const { messageId } = payloadForm.parse(payload);
  const begun = await transaction(pool, context, (tx) =>
    tx.query<{ message: OutboundMessage | null }>('select review.begin_message($1::uuid) as message', [
      messageId,
    ]),
  );
  const message = begun.rows[0]?.message ?? null;
  if (message === null) return null;
  const sent = await send(ways, message);
  const [failure, forGood] = sent.ok ? [null, false] : [sent.failure, sent.forGood];
  const ended = await transaction(pool, context, (tx) =>
    tx.query<{ state: string | null }>('select review.end_message($1::uuid, $2, $3) as state', [
      messageId,
      failure,
      forGood,
    ]),
  );
  return ended.rows[0]?.state ?? null;
}

async function send(ways: Ways, message: OutboundMessage): Promise<Sent> {
  const words = messageWords(message, ways.origin);
  if (message.way === 'CHAT') return ways.chat(message, words);
  // The mail server was taken away after it was planned: the message waits for it until its tries are spent.
  return ways.mail === null
    ? { ok: false, failure: 'UNREACHABLE', forGood: false }
    : ways.mail(message, words);
}
