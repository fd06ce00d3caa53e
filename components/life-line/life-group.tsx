import { type LaneGroup } from '@/lib/domain/lane-rows';
import { type LifeItem } from '@/lib/domain/life-line';
import { visibleText } from '@/lib/domain/visible-text';
import { classNames } from '../ui/class-names';
import { TONE_TEXT } from '../ui/tone';
import { lifeLook, TONE_SHAPE } from './life-look';
import { MarkTitle } from './life-time';
import { useLifeWords } from './use-life-words';

/** Pixels: the radius of a mark, and half of a bar's height. */
const RADIUS = 9;
const HALF = 9;

export const percent = (x: number): string => `${(x * 100).toFixed(3)}%`;

interface LifeGroupProps {
  group: LaneGroup<LifeItem>;
  y: number;
  /** Pixels of the whole line, at least. */
  width: number;
}

/** One thing, or several alike that lie too close, at its height on the line. */
export function LifeGroup({ group, y, width }: LifeGroupProps) {
  const wordsOf = useLifeWords();
  const [first] = group.items;
  const last = group.items.reduce((latest, item) => (item.to >= latest.to ? item : latest), first);
  const { icon: Icon, tone, hatched = false } = lifeLook(first.lane, first.sort);
  const count = group.items.length;
  const lasts = first.at !== last.until;
  const beside = wordsBeside(group, wordsOf, width);
  const words = [count > 1 ? `${count} ×` : '', wordsOf(first.lane, first.sort), detailOf(first)];
  const isBar = group.to > group.from || (lasts && isSpan(first));
  return (
    <g data-life={group.items.map(({ id }) => id).join(' ')} className="group/life">
      <MarkTitle
        words={words.filter((each) => each !== '').join(' ')}
        at={first.at}
        until={last.until}
        open={last.open}
      />
      {isBar && isSpan(first) && (
        <rect
          x={percent(group.from)}
          y={y - HALF}
          width={percent(group.to - group.from)}
          height={2 * HALF}
          rx={4}
          className={classNames(TONE_SHAPE[tone], TONE_TEXT[tone])}
          {...(hatched && { style: { fill: 'url(#life-hatch)' } })}
          strokeDasharray={last.open ? '3 3' : undefined}
        />
      )}
      <svg x={percent(group.from)} y={y} className="overflow-visible">
        <circle r={RADIUS} strokeWidth={1} className={TONE_SHAPE[tone]} />
        <Icon x={-6} y={-6} width={12} height={12} strokeWidth={2.2} className={TONE_TEXT[tone]} />
        {beside !== '' && (
          <text
            x={RADIUS + 4}
            y={4}
            className="fill-ink stroke-surface text-2xs tabular"
            strokeWidth={3}
            paintOrder="stroke"
          >
            {beside}
          </text>
        )}
      </svg>
    </g>
  );
}

const isSpan = ({ lane, sort }: LifeItem): boolean =>
  lane === 'ATTEMPTS' ||
  lane === 'LEASE' ||
  lane === 'EXCEPTIONS' ||
  sort === 'MAY_EXIST' ||
  sort === 'MAY_HAVE_EXISTED';

/** Letters that fit beside a mark where words have room; and pixels of a letter, in what lasts longer than that. */
const LETTERS = 18;
const LETTER = 6.4;

function wordsBeside(
  { items, from, to }: LaneGroup<LifeItem>,
  wordsOf: ReturnType<typeof useLifeWords>,
  width: number,
): string {
  const [first] = items;
  if (items.length > 1) return `×${items.length}`;
  const inside = Math.floor(((to - from) * width - RADIUS - HALF) / LETTER);
  const letters = Math.max(LETTERS, inside);
  if (first.lane === 'ATTEMPTS') return cut(detailOf(first), letters);
  const words = wordsOf(first.lane, first.sort);
  if (first.lane === 'EXCEPTIONS') return cut(words, letters);
  return isSpan(first) && words.length <= inside ? words : '';
}

function detailOf({ lane, attempt }: LifeItem): string {
  if (attempt === null) return '';
  return lane === 'ATTEMPTS'
    ? `${attempt.attempt} · #${attempt.fencingToken} · ${visibleText(attempt.owner)}`
    : `(${attempt.attempt})`;
}

const cut = (words: string, letters: number) =>
  words.length > letters ? `${words.slice(0, letters - 1)}…` : words;
