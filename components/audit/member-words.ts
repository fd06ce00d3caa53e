import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { auditMeaning, auditMember, auditTerm, auditWord } from '@/lib/domain/audit-words';
import { type Messages } from '@/lib/domain/messages/catalogue';
import { visibleText } from '@/lib/domain/visible-text';

/** A name that the catalogue is asked for and has: types cannot follow names that are read from stored text. */
type Known = keyof Messages['audit']['refusal'];

interface MemberWords {
  /** What a member of an event's stored text is called; one without a word of its own is shown as stored. */
  nameOf: (name: string) => string;
  /** What such a name means; null where it needs no explanation. */
  termOf: (name: string) => string | null;
  /** A code in words; null for what has none. */
  wordOf: (name: string, value: string) => string | null;
  /** What such a code means; null where nothing says so. */
  meaningOf: (name: string, value: string) => string | null;
  /** The word of a code where it names an instant. */
  wordsAt: (name: string, value: string, time: () => ReactNode) => ReactNode;
  /** Everything that a member holds, codes in words. */
  told: (name: string, values: readonly string[]) => string;
}

/** The one place where an event's stored text becomes words. */
export function useMemberWords(): MemberWords {
  const t = useTranslations();
  const has = (message: string) => t.has(message as `audit.refusal.${Known}`);
  const say = (message: string) => t(message as `audit.refusal.${Known}`);
  const orNull = (message: string | null) => (message === null ? null : say(message));
  const wordOf = (name: string, value: string) => {
    if (name === 'approvalPolicyVersion' && /^\d{1,9}$/.test(value))
      return t('common.policy.version', { version: Number(value) });
    return orNull(auditWord(name, value, has));
  };
  return {
    termOf: (name) => orNull(auditTerm(name)),
    meaningOf: (name, value) => orNull(auditMeaning(name, value, has)),
    nameOf: (name) => {
      const message = auditMember(name, has);
      return message === null ? visibleText(name) : say(message);
    },
    wordOf,
    wordsAt: (name, value, time) => {
      const message = auditWord(name, value, has);
      return message === null ? value : t.rich(message as `audit.refusal.${Known}`, { time });
    },
    told: (name, values) => values.map((value) => wordOf(name, value) ?? value).join(', '),
  };
}
