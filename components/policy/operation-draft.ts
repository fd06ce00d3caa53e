import type { GuideField } from '@/lib/domain/operation-policy-difference';
import { linesOf } from '@/lib/domain/operation-policy-difference';
import type { OperationGuide } from '@/lib/domain/operation-guide';
import type { OperationPolicyContent } from '@/lib/domain/operation-policy';
import { MEMBER_KINDS, type ListedMember } from '@/lib/domain/operation-policy-sections';

/** A guide as a form holds it, per language and field; empty texts are not written yet. */
export type GuideDraft = Record<keyof OperationGuide, Record<GuideField, string>>;

/**
 * A policy as a form holds it: what is typed, as it is typed. Flags are booleans, lengths of time "15 m", lists and tables
 * one entry a line, days year-month-day.
 */
export interface OperationDraft {
  readonly members: Readonly<Record<ListedMember, string | boolean>>;
  /** Null: no guide. */
  readonly guide: GuideDraft | null;
}

export const GUIDE_FIELDS = [
  ...(['purpose', 'inputsAndResult', 'effectUnit', 'keyIssuer', 'completeWhen'] as const),
  ...(['prohibitions', 'whereToLook', 'restartPoint', 'whenToStop', 'whoDecides'] as const),
] as const satisfies readonly GuideField[];

export const GUIDE_LANGUAGES = ['en', 'ko'] as const;

/** Seconds in a unit, the longest first. */
export const UNITS = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;
export type Unit = keyof typeof UNITS;
const UNIT_NAMES = Object.keys(UNITS) as Unit[];

const LISTED = Object.keys(MEMBER_KINDS) as ListedMember[];

export function draftOf(content: OperationPolicyContent): OperationDraft {
  return {
    members: Object.fromEntries(
      LISTED.map((member) => [member, typed(member, content[member])]),
    ) as OperationDraft['members'],
    guide: content.guide,
  };
}

export const emptyGuide = (): GuideDraft => {
  const texts = () => Object.fromEntries(GUIDE_FIELDS.map((field) => [field, ''])) as GuideDraft['en'];
  return { en: texts(), ko: texts() };
};

function typed(member: ListedMember, value: OperationPolicyContent[ListedMember]): string | boolean {
  if (typeof value === 'boolean') return value;
  switch (MEMBER_KINDS[member]) {
    case 'span':
      return spanText(value as number | null);
    case 'instant':
      return value === null ? '' : String(value).slice(0, 10);
    case 'paths':
    case 'values':
    case 'types':
    case 'codes':
    case 'outcomes':
      return linesOf(member, value).join('\n');
    default:
      return value === null ? '' : String(value as string | number);
  }
}

/** A length with the largest unit that tells it without a rest. */
export function spanText(seconds: number | null): string {
  if (seconds === null) return ' m';
  const unit = UNIT_NAMES.find((name) => seconds % UNITS[name] === 0 && seconds >= UNITS[name]) ?? 's';
  return `${seconds / UNITS[unit]} ${unit}`;
}

export function spanParts(text: string): { amount: string; unit: Unit } {
  const at = text.lastIndexOf(' ');
  const unit = UNIT_NAMES.find((name) => name === text.slice(at + 1)) ?? 's';
  return { amount: text.slice(0, Math.max(0, at)), unit };
}

/** A length in whole units, the longest first, without those that are zero. */
export function lengthParts(seconds: number): { count: number; unit: Unit }[] {
  let left = seconds;
  return UNIT_NAMES.map((unit) => {
    const count = Math.floor(left / UNITS[unit]);
    left -= count * UNITS[unit];
    return { count, unit };
  }).filter(({ count }) => count > 0);
}
