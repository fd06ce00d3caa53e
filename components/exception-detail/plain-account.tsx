import { CircleCheck, CircleHelp, Footprints, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Fragment, type ReactNode } from 'react';
import { attemptOutcome } from '@/lib/domain/exception-attempts';
import { type AttemptView, type ExceptionView } from '@/lib/domain/exception-view';
import {
  accountOf,
  type Known,
  type PlainAccount as Account,
  type Unknown,
} from '@/lib/domain/plain-account';
import { visibleText } from '@/lib/domain/visible-text';
import { AsReported } from '../text/as-reported';
import { Instant } from '../time/instant';
import { classNames } from '../ui/class-names';
import { TONE_TEXT, type Tone } from '../ui/tone';

/** What happened, what we know, what is not known, and what one can do, in words that need no engineer. */
export function PlainAccount({ view }: { view: ExceptionView }) {
  const t = useTranslations('exception.account');
  const account = accountOf(view);
  const known = useKnownWords();
  const unknown = useUnknownWords();
  const { step, barred } = account.canDo;
  return (
    <section aria-labelledby="happened" className="flex flex-col gap-3">
      <Happened view={view} happened={account.happened} />
      <div className="grid gap-x-6 gap-y-3 border-t border-line pt-3 @min-[40rem]:grid-cols-3">
        <Part icon={CircleCheck} tone="confirmed" title={t('knownTitle')}>
          {account.known.map(known)}
        </Part>
        <Part icon={CircleHelp} tone="caution" title={t('unknownTitle')}>
          {account.unknown.map(unknown)}
        </Part>
        <Part icon={Footprints} tone="accent" title={t('canDoTitle')}>
          {[t(`canDo.${step}`), ...(barred ? [t('barred')] : [])]}
        </Part>
      </div>
    </section>
  );
}

interface PartProps {
  icon: LucideIcon;
  tone: Tone;
  title: string;
  children: readonly ReactNode[];
}

function Part({ icon: Icon, tone, title, children }: PartProps) {
  return (
    <div className="min-w-0">
      <h3 className="flex items-center gap-1.5 text-sm font-semibold">
        <Icon aria-hidden className={classNames('size-4 shrink-0', TONE_TEXT[tone])} />
        {title}
      </h3>
      <ul className="mt-1 flex flex-col gap-1 pl-5.5">
        {children.map((line, index) => (
          <li key={index} className="text-sm text-pretty [overflow-wrap:anywhere]">
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}

function useKnownWords(): (known: Known) => ReactNode {
  const t = useTranslations('exception.account.known');
  const tLookup = useTranslations('lookup.standing');
  return (known) => {
    switch (known.key) {
      case 'EVIDENCE': {
        const { standing, values } = known;
        const none = standing === 'SEEN_BY_ONE' ? 'none' : '';
        return tLookup(standing, {
          result: visibleText(values.result ?? none),
          who: visibleText(values.who ?? ''),
          count: values.count,
        });
      }
      case 'RESULT_ON_RECORD':
      case 'RESULT_NOT_BELIEVED':
        return t(known.key, { result: visibleText(known.result) });
      case 'ANNOUNCED':
      case 'LATE_REPORTS':
      case 'OTHER_CONTENT':
      case 'WITHOUT_KEY':
        return t(known.key, { count: known.count });
      case 'LEASE_RUNS':
      case 'LEASE_OVER':
      case 'OPENED':
      case 'SETTLED':
        return t.rich(known.key, { time: () => <Instant at={known.at} look="full" /> });
      default:
        return t(known.key);
    }
  };
}

function useUnknownWords(): (unknown: Unknown) => ReactNode {
  const t = useTranslations('exception.account.unknown');
  const tLookup = useTranslations('lookup.notKnownText');
  return (unknown) => (unknown.key === 'EVIDENCE' ? tLookup(unknown.standing) : t(unknown.key));
}

/** Reasons that a failure's own text explains further. */
const FAILED: readonly string[] = [
  'REPORTED',
  'NO_PROOF',
  'FIX_FIRST',
  'NOBODY_CAME_BACK',
  'ATTEMPTS_EXHAUSTED',
];

/** The story in a sentence or two, of the attempt that the exception is about. */
function Happened({ view, happened }: { view: ExceptionView; happened: Account['happened'] }) {
  const t = useTranslations('exception');
  const { exception, execution, attempts, arrivals, pause } = view;
  const { reason, about, owner, result, spent, later } = happened;
  const effects = attempts.filter((attempt) => attempt.effectStartedAt !== null).length;
  return (
    <div className="flex flex-col gap-1">
      <h2 id="happened" className="text-base font-semibold">
        {t('happenedTitle')}
      </h2>
      <p className="text-base text-pretty [overflow-wrap:anywhere]">
        {t(`happened.${reason}`, {
          owner: visibleText(owner),
          result: visibleText(result ?? t('noResult')),
          count: spent,
          code: exception.reasonCode,
        })}
        <Later attempts={later} />
      </p>
      {about !== null && FAILED.includes(reason) && (
        <AsReported code={about.failureCode} message={about.failureMessage} />
      )}
      {pause !== null && pause.tolerated !== null && (
        <p className="tabular text-sm">
          {t('pauseCounted', {
            count: pause.counted,
            tolerated: pause.tolerated,
            minutes: Math.round(pause.windowSeconds / 60),
          })}
        </p>
      )}
      {execution !== null && (
        <p className="tabular text-xs text-ink-muted">
          {t('happenedNumbers', { arrivals: arrivals.total, attempts: attempts.length, effects })}
        </p>
      )}
    </div>
  );
}

/** What began after the exception had opened, told as that. */
function Later({ attempts }: { attempts: readonly AttemptView[] }) {
  const t = useTranslations('exception');
  const glossary = useTranslations('glossary.attemptOutcome');
  return attempts.map(({ attempt, owner, outcome }) => (
    <Fragment key={attempt}>
      {' '}
      {t('happenedLater', {
        owner: visibleText(owner),
        number: attempt,
        outcome: glossary(attemptOutcome(outcome)),
      })}
    </Fragment>
  ));
}
