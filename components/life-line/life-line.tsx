import { useTranslations } from 'next-intl';
import { lifeLine, type LifeFacts, type LifeLane, type LifeLine as Line } from '@/lib/domain/life-line';
import { useSpan } from '../time/span-words';
import { Panel } from '../ui/panel';
import { LifeGroup, percent } from './life-group';
import { LifeLegend } from './life-legend';
import { Tick } from './life-time';

/** Pixels: the axis above the lanes, one row of a lane, what separates two lanes, and the words under the line. */
const AXIS = 34;
const ROW = 24;
const GAP = 10;
const FOOT = 20;

interface PlacedLane {
  readonly lane: LifeLane;
  readonly groups: Line['lanes'][number]['groups'];
  readonly top: number;
  readonly height: number;
}

function stacked(lanes: Line['lanes']): readonly PlacedLane[] {
  let top = AXIS;
  return lanes.map(({ lane, groups }) => {
    const rows = Math.max(1, ...groups.map(({ row }) => row + 1));
    const placed = { lane, groups, top, height: rows * ROW + GAP };
    top += placed.height;
    return placed;
  });
}

interface LifeLineProps {
  facts: LifeFacts;
  /** The id of the list on the page that tells the same in words. */
  listId: string;
  /** Lanes on which nothing is are left out, and the words of the shapes folded. */
  compact?: boolean;
}

/**
 * Everything that happened to an execution as one picture: what came, who tried, how long they were believed, since when an
 * effect may exist, what was seen and decided. One image to a screen reader; the list that `listId` names has every mark in words.
 */
export function LifeLine({ facts, listId, compact = false }: LifeLineProps) {
  const t = useTranslations('life');
  const summary = useSummary(facts);
  const line = lifeLine(facts);
  const lanes = stacked(line.lanes.filter(({ groups }) => !compact || groups.length > 0));
  const bottom = lanes.at(-1);
  if (bottom === undefined) return null;
  const height = bottom.top + bottom.height + FOOT;
  return (
    <Panel
      title={t('title')}
      aside={
        <a href={`#${listId}`} className="text-accent underline underline-offset-3">
          {t('asList')}
        </a>
      }
    >
      <div className="flex">
        <div aria-hidden className="w-22 shrink-0 pr-2 text-right sm:w-28" style={{ paddingTop: AXIS }}>
          {lanes.map(({ lane, height: tall }) => (
            <div
              key={lane}
              className="flex items-center justify-end text-xs leading-tight text-ink-muted"
              style={{ height: tall }}
            >
              {t(`lane.${lane}`)}
            </div>
          ))}
        </div>
        <div
          role="group"
          aria-label={t('frame')}
          tabIndex={0}
          className="relative min-w-0 flex-1 overflow-x-auto border-l border-line"
        >
          <div style={{ '--least': `${line.width}px` } as object} className="min-w-(--least) print:min-w-0">
            <div className="mr-14 ml-4">
              <svg
                role="img"
                aria-label={summary}
                width="100%"
                height={height}
                className="block overflow-visible"
              >
                <Hatch />
                <Ground line={line} lanes={lanes} height={height} />
                {lanes.map(({ groups, top }) =>
                  groups.map((group) => (
                    <LifeGroup
                      key={group.items[0].id}
                      group={group}
                      width={line.width}
                      y={top + GAP / 2 + (group.row + 0.5) * ROW}
                    />
                  )),
                )}
              </svg>
            </div>
          </div>
        </div>
      </div>
      {compact ? (
        <details className="mt-2 text-xs">
          <summary className="w-fit text-ink-muted">{t('legend')}</summary>
          <LifeLegend line={line} />
        </details>
      ) : (
        <LifeLegend line={line} />
      )}
    </Panel>
  );
}

function useSummary({ arrivals, attempts, evidence, decisions }: LifeFacts): string {
  const t = useTranslations('life');
  return t('summary', {
    arrivals: arrivals.total,
    attempts: attempts.length,
    effects: attempts.filter((attempt) => attempt.effectStartedAt !== null).length,
    looks: evidence.length,
    decisions: decisions.length,
  });
}

/** Diagonal strokes in the colour of whatever is filled with them. */
function Hatch() {
  return (
    <defs>
      <pattern
        id="life-hatch"
        width={7}
        height={7}
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width={7} height={7} className="fill-caution-soft" />
        <line y2={7} strokeWidth={3} className="stroke-caution-line" />
      </pattern>
    </defs>
  );
}

/** What everything stands on: lanes, times, pauses drawn broken, and the present. */
function Ground({ line, lanes, height }: { line: Line; lanes: readonly PlacedLane[]; height: number }) {
  const t = useTranslations('life');
  const span = useSpan();
  const end = height - FOOT;
  return (
    <>
      {lanes.map(({ lane, groups, top, height: tall }, index) => (
        <g key={lane}>
          {index % 2 === 0 && <rect x={-16} y={top} width="110%" height={tall} className="fill-sunken" />}
          {groups.length === 0 && (
            <text x={0} y={top + tall / 2 + 4} className="fill-ink-faint text-2xs">
              {t('nothing')}
            </text>
          )}
        </g>
      ))}
      {line.silences.map(({ from, to, milliseconds }) => (
        <svg key={from} x={percent((from + to) / 2)} className="overflow-visible">
          <path
            d={`M-3 ${AXIS}V${end}M3 ${AXIS}V${end}`}
            strokeDasharray="2 4"
            className="stroke-line-control"
          />
          <path d={`M-7 ${end + 3}l4 -6M-1 ${end + 3}l4 -6`} className="stroke-ink-faint" />
          <text y={end + 15} textAnchor="middle" className="fill-ink-muted text-2xs tabular">
            {span(milliseconds)}
          </text>
        </svg>
      ))}
      {line.ticks.map(({ x, instant }, index) => (
        <svg key={x} x={percent(x)} className="overflow-visible">
          <Tick at={iso(instant)} before={index === 0 ? null : iso(line.ticks[index - 1]!.instant)} />
          <line y1={AXIS - 7} y2={AXIS} className="stroke-line-control" />
        </svg>
      ))}
      <svg x={percent(line.now)} className="overflow-visible">
        <line y1={AXIS - 8} y2={end + 14} strokeWidth={1.5} className="stroke-accent" />
        <text x={5} y={end + 13} className="fill-accent text-2xs font-semibold">
          {t('now')}
        </text>
      </svg>
    </>
  );
}

const iso = (instant: number) => new Date(instant).toISOString();
