import { useTranslations } from 'next-intl';
import { type NextStep } from '@/lib/domain/next-step';
import { classNames } from '../ui/class-names';

const READY: ReadonlySet<NextStep> = new Set([
  'LINK_RESULT',
  'CONFIRM_NOT_APPLIED',
  'CONFIRM_KNOWN_RESULT',
  'REQUEST_REISSUE',
  'SETTLE_UNDONE',
]);
const WAITING: ReadonlySet<NextStep> = new Set(['WAIT_FOR_HORIZON', 'WAIT_FOR_SECOND', 'WAIT_UNTIL', 'NONE']);

/** The step that leads on; the ones that can be taken at once stand out, the ones that only wait stand back. */
export function NextStepText({ step }: { step: NextStep }) {
  const t = useTranslations('glossary.nextStep');
  return (
    <span
      className={classNames(
        READY.has(step) && 'font-medium text-accent',
        WAITING.has(step) && 'text-ink-faint',
      )}
    >
      {t(step)}
    </span>
  );
}
