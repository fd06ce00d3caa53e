import { classNames } from '../ui/class-names';

const LOOKS = [
  'bg-accent-soft text-accent',
  'bg-progress-soft text-progress',
  'bg-confirmed-soft text-confirmed',
  'bg-caution-soft text-caution',
  'bg-novel-soft text-novel',
] as const;

/** A person's initial on a colour of their own, so that a column of them can be told apart. Decoration beside a name. */
export function Avatar({
  personId,
  name,
  className,
}: {
  personId: string;
  name: string;
  className?: string;
}) {
  const sum = [...personId].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return (
    <span
      aria-hidden
      className={classNames(
        'inline-flex weak:size-6 shrink-0 items-center justify-center overflow-hidden rounded-full text-2xs font-semibold whitespace-nowrap uppercase',
        LOOKS[sum % LOOKS.length],
        className,
      )}
    >
      {initials(name)}
    </span>
  );
}

/** The first two letters of a given name, or the last two syllables of a Korean one: alike initials would tell nobody apart. */
function initials(name: string): string {
  const [first = '·'] = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...first].slice(...(/^\p{Script=Hangul}/u.test(first) ? [-2] : [0, 2])).join('');
}
