import { createTranslator } from 'use-intl/core';
import { CATALOGUE } from '@/lib/domain/messages/catalogue';
import { isLocale } from '@/lib/domain/messages/locales';
import { placeOf } from '@/lib/domain/notifications';
import { visibleText } from '@/lib/domain/visible-text';
import type { OutboundMessage } from './outbound-message';

/** Lines of one message; the inbox has the rest. */
const MOST_LINES = 20;

export interface MessageWords {
  /** Made of our own words and a number: nothing of it comes from people. */
  subject: string;
  lines: { text: string; address: string | null }[];
}

/**
 * A message in its reader's language. It says what kind of thing waits, in which tenant, and where; no key, no amount, no
 * name and nothing that anybody wrote: mail and chat lie where we have no say.
 */
export function messageWords(message: OutboundMessage, origin: string): MessageWords {
  const locale = isLocale(message.locale) ? message.locale : 'en';
  const t = createTranslator({ locale, messages: CATALOGUE[locale], namespace: 'notifications.message' });
  const kinds = createTranslator({ locale, messages: CATALOGUE[locale], namespace: 'glossary.kind' });
  const shown = message.items.slice(0, MOST_LINES);
  const rest = message.items.length - shown.length;
  return {
    subject: t('subject', { count: message.items.length }),
    lines: [
      { text: t('greeting'), address: null },
      ...shown.map((item) => ({
        text: t('line', {
          what: [
            item.jobRows === null ? t(`what.${item.reason}`) : t('givenTogether', { count: item.jobRows }),
            item.kind === null ? null : kinds(`${item.kind}.label`),
            item.proposal === null ? null : t(`proposal.${item.proposal.of}`),
          ]
            .filter((part) => part !== null)
            .join(': '),
          tenant: visibleText(item.tenant),
        }),
        address: origin + placeOf(item),
      })),
      ...(rest > 0 ? [{ text: t('more', { count: rest }), address: null }] : []),
      { text: t('inbox', { address: `${origin}/account/inbox` }), address: null },
      { text: t('why', { address: `${origin}/account/notifications` }), address: null },
    ],
  };
}
