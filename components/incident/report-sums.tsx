import { useTranslations } from 'next-intl';
import { ROW_OUTCOMES, type ReportView } from '@/lib/domain/incident-view';
import { bringsAbout, REPORT_VERDICTS } from '@/lib/domain/report-verdict';
import { FactList } from '../ui/fact-list';

/** How many rows have which verdict, and what became of those that count. */
export function ReportSums({ report }: { report: ReportView }) {
  const t = useTranslations('incidents');
  const { verdicts, outcomes } = report;
  const toDo = REPORT_VERDICTS.filter((verdict) => bringsAbout({ verdict })).reduce(
    (sum, verdict) => sum + (verdicts[verdict] ?? 0),
    0,
  );
  const made = ROW_OUTCOMES.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0);
  const applies = report.state === 'CONFIRMED' || report.state === 'APPLIED';
  return (
    <div className="flex flex-col gap-4">
      <FactList
        absent="0"
        facts={REPORT_VERDICTS.filter((verdict) => verdicts[verdict] !== undefined).map((verdict) => ({
          term: t(`verdict.${verdict}`),
          value: String(verdicts[verdict]),
        }))}
      />
      {applies && (
        <section className="border-t border-line pt-3">
          <h3 className="mb-2 text-xs font-semibold">{t('outcomes', { made, count: toDo })}</h3>
          <FactList
            absent="0"
            facts={[
              ...ROW_OUTCOMES.map((outcome) => ({
                term: t(`outcome.${outcome}`),
                value: String(outcomes[outcome] ?? 0),
              })),
              ...(report.setAside === 0 ? [] : [{ term: t('setAside'), value: String(report.setAside) }]),
            ]}
          />
        </section>
      )}
    </div>
  );
}
