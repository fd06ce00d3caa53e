import type { MessageWords } from './message-words';
import type { OutboundMessage, Sent } from './outbound-message';

/** Posts JSON to an address outside, under the guard of the connectors: a status, or that nobody answered. */
export type Post = (url: string, json: string) => Promise<number | 'UNREACHABLE'>;

export type SendChat = (message: OutboundMessage, words: MessageWords) => Promise<Sent>;

/** Chat webhooks in the form that Slack has made common. The address is a secret: it stands in no row and no log. */
export function chatSender(secretOf: (name: string) => string | undefined, post: Post): SendChat {
  return async ({ secret }, words) => {
    const url = secret === null ? undefined : secretOf(secret);
    if (!url) return { ok: false, failure: 'NO_SECRET', forGood: true };
    const status = await post(url, chatJson(words));
    if (status === 'UNREACHABLE') return { ok: false, failure: 'UNREACHABLE', forGood: false };
    if (status < 300) return { ok: true };
    const waits = status === 408 || status === 429 || status >= 500;
    return { ok: false, failure: 'REFUSED', forGood: !waits };
  };
}

export function chatJson({ lines }: MessageWords): string {
  const text = lines
    .map((line) => chatText(line.text) + (line.address === null ? '' : `\n${chatText(line.address)}`))
    .join('\n');
  return JSON.stringify({
    text,
    mrkdwn: false,
    link_names: false,
    parse: 'none',
    unfurl_links: false,
    unfurl_media: false,
  });
}

/** Text that calls nobody and links nothing but what it shows: `<!channel>`, `<@U1>` and `<https://…|bank>` are just text. */
function chatText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
