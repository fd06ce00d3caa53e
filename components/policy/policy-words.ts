'use client';

import { useTranslations } from 'next-intl';
import { type OperationPolicyContent } from '@/lib/domain/operation-policy';
import { MEMBER_KINDS, type ListedMember } from '@/lib/domain/operation-policy-sections';
import { visibleText } from '@/lib/domain/visible-text';
import { useAuthorityName } from '../decision/authority-name';
import { lengthParts } from './operation-draft';

type Single = string | number | boolean | null;

/** A name of the catalogue that is put together from a member and a code; the catalogue's test knows that each is there. */
type Known = 'choice.proof.PRESENCE.label';

/** What a choice is called, and what it means. */
export function useChoiceWords(): {
  nameOf: (member: ListedMember, value: string) => string;
  meansOf: (member: ListedMember, value: string) => string | undefined;
} {
  const t = useTranslations('policies');
  const glossary = useTranslations('glossary');
  return {
    nameOf: (member, value) => {
      if (member === 'effectClass') return glossary(`effectClass.${value as 'NONE'}`);
      if (member === 'protectionClass') return glossary(`protection.${value as 'NONE'}`);
      return t(`choice.${member}.${value}.label` as Known);
    },
    meansOf: (member, value) => {
      const name = `choice.${member}.${value}.means` as Known;
      return t.has(name) ? t(name) : undefined;
    },
  };
}

/** A length of time in words, to the second: a rounded one would hide what changes. */
export function useLengthWords(): (seconds: number) => string {
  const t = useTranslations('policies.length');
  return (seconds) => {
    const parts = lengthParts(seconds).map(({ count, unit }) => t(unit, { count }));
    return parts.length === 0 ? t('nothing') : parts.join(' ');
  };
}

/** A member's value in words, where it is a single one. */
export function useValueWords(): (member: ListedMember, value: Single) => string {
  const t = useTranslations('policies.page');
  const { nameOf } = useChoiceWords();
  const authorityName = useAuthorityName();
  const length = useLengthWords();
  return (member, value) => {
    if (value === null) return t('noValue');
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    switch (MEMBER_KINDS[member]) {
      case 'choice':
        return nameOf(member, String(value));
      case 'span':
        return length(Number(value));
      case 'instant':
        return String(value).slice(0, 10);
      case 'authority':
        return authorityName(String(value));
      default:
        return visibleText(String(value));
    }
  };
}

export const isSingle = (value: OperationPolicyContent[ListedMember]): value is Single =>
  typeof value !== 'object' || value === null;
