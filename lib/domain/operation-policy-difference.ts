import { canonicalJson } from './canonical';
import type { JsonValue } from './json-value';
import type { OperationPolicyContent } from './operation-policy';
import type { OperationGuide } from './operation-guide';
import { MEMBER_KINDS, POLICY_SECTIONS, type ListedMember } from './operation-policy-sections';

type Single = string | number | boolean | null;
export type GuideField = keyof OperationGuide['en'];

/** One difference between two versions: a value, lines of a list, or a text of the guide in one language. */
export type OperationPolicyDifference =
  | { readonly what: 'value'; readonly member: ListedMember; readonly from: Single; readonly to: Single }
  | {
      readonly what: 'lines';
      readonly member: ListedMember;
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  | {
      readonly what: 'guide';
      readonly locale: keyof OperationGuide;
      readonly field: GuideField;
      readonly from: string | null;
      readonly to: string | null;
    };

const MEMBERS: readonly ListedMember[] = Object.values(POLICY_SECTIONS).flat();
const LOCALES = ['en', 'ko'] as const;

/** What changes when the second takes the place of the first, in the order of the form. */
export function operationPolicyDifference(
  before: OperationPolicyContent,
  after: OperationPolicyContent,
): OperationPolicyDifference[] {
  return [
    ...MEMBERS.flatMap((member) => memberDifference(member, before[member], after[member])),
    ...guideDifference(before.guide, after.guide),
  ];
}

function memberDifference(
  member: ListedMember,
  before: OperationPolicyContent[ListedMember],
  after: OperationPolicyContent[ListedMember],
): OperationPolicyDifference[] {
  if (isSingle(before) && isSingle(after))
    return sameSingle(before, after) ? [] : [{ what: 'value', member, from: before, to: after }];
  const [old, now] = [linesOf(member, before), linesOf(member, after)];
  const added = now.filter((line) => !old.includes(line));
  const removed = old.filter((line) => !now.includes(line));
  if (added.length + removed.length > 0) return [{ what: 'lines', member, added, removed }];
  // A table without lines is not the same as none: every code is unknown to it.
  return (before === null) === (after === null)
    ? []
    : [{ what: 'value', member, from: before && '{}', to: after && '{}' } as OperationPolicyDifference];
}

const isSingle = (value: unknown): value is Single => typeof value !== 'object' || value === null;

/** Instants of one moment are the same, however many digits they are written with. */
const sameSingle = (one: Single, other: Single): boolean =>
  one === other ||
  (typeof one === 'string' &&
    typeof other === 'string' &&
    /^\d{4}-\d{2}-\d{2}T/.test(one) &&
    Date.parse(one) === Date.parse(other));

/** A list's or a table's lines as people write them: `path`, `path = value`, `CODE = CLASS: condition`. */
export function linesOf(member: ListedMember, value: OperationPolicyContent[ListedMember]): string[] {
  if (isSingle(value)) return [];
  if (Array.isArray(value)) return [...(value as string[])];
  return Object.entries(value as Record<string, JsonValue>)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([name, entry]) => `${name} = ${MEMBER_KINDS[member] === 'types' ? String(entry) : lineValue(entry)}`,
    );
}

function lineValue(value: JsonValue): string {
  if (typeof value === 'object' && value !== null && 'class' in value) {
    const { class: outcome, condition } = value as { class: string; condition?: string };
    return condition === undefined ? outcome : `${outcome}: ${condition}`;
  }
  return canonicalJson(value);
}

function guideDifference(
  before: OperationGuide | null,
  after: OperationGuide | null,
): OperationPolicyDifference[] {
  const fields = Object.keys((after ?? before)?.en ?? {}) as GuideField[];
  return LOCALES.flatMap((locale) =>
    fields.flatMap((field): OperationPolicyDifference[] => {
      const [from, to] = [before?.[locale][field] ?? null, after?.[locale][field] ?? null];
      return from === to ? [] : [{ what: 'guide', locale, field, from, to }];
    }),
  );
}
