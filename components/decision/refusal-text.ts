'use client';

import { useLocale, useTranslations } from 'next-intl';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { REFUSAL_MESSAGES, type RefusalCode } from '@/lib/domain/refusals';
import { useAuthorityName } from './authority-name';
import { voidReasonText } from './void-reason';

/** What a refusal's words may name. */
export interface RefusalAbout {
  /** The operation's authority. */
  authority?: string;
  /** Roles that would be enough. */
  roles?: readonly string[];
}

const KNOWN_ROLES = ['OPERATOR', 'APPROVER', 'MANAGER', 'ADMIN'] as const;

/** Why something is refused, in words that say what to do. */
export function useRefusalText(about: RefusalAbout = {}) {
  const t = useTranslations('decisions');
  const tRoles = useTranslations('common.roles');
  const tLookup = useTranslations('lookup');
  const tVoid = useTranslations('approvals.voidReason');
  const authorityName = useAuthorityName();
  const list = new Intl.ListFormat(useLocale(), { type: 'disjunction' });
  const shownNow = (shows: Extract<CommandAnswer, { outcome: 'refused' }>['shows']) =>
    shows === undefined
      ? 'none'
      : shows.externalStatus === null
        ? tLookup(`outcome.${shows.outcome}`)
        : tLookup(`status.${shows.externalStatus}`);
  return (code: RefusalCode, answer?: Extract<CommandAnswer, { outcome: 'refused' }>): string => {
    const roles = (about.roles ?? []).flatMap((role) => KNOWN_ROLES.filter((each) => each === role));
    return t(`refusal.${REFUSAL_MESSAGES[code]}`, {
      authority: authorityName(about.authority ?? 'general'),
      roles: list.format(roles.map((role) => tRoles(role))),
      secrets: list.format((answer?.secrets ?? []).map((kind) => t(`secret.${kind}`))),
      shows: shownNow(answer?.shows),
      decidedBy: answer?.decidedBy ?? 'none',
      voidReason: voidReasonText(tVoid, answer?.voidReason ?? null),
    });
  };
}
