import type { ExceptionView } from './exception-view';

export interface NamedResult {
  readonly id: string;
  readonly url: string | null;
}

type Naming = Pick<ExceptionView, 'execution' | 'orphan' | 'lateReports' | 'evidence'>;

/** Result ids reported for this execution, or found as its effect: each may be an effect of its own. */
export function effectsNamed({ execution, orphan, lateReports, evidence }: Naming): number {
  const reported = [
    execution?.resultId,
    execution?.reportedResultId,
    orphan?.resultId,
    ...lateReports.map((each) => each.resultId),
  ];
  const found = evidence.filter(({ outcome }) => outcome === 'FOUND').map((each) => each.resultId);
  return new Set([...reported, ...found].filter((id) => id != null)).size;
}

/** Every result id that somebody has named for this execution, each once. */
export function namedResults({ execution, orphan, lateReports, evidence }: Naming): readonly NamedResult[] {
  const named = [
    { id: execution?.resultId ?? null, url: execution?.resultUrl ?? null },
    { id: execution?.reportedResultId ?? null, url: null },
    { id: orphan?.resultId ?? null, url: null },
    ...lateReports.map((report) => ({ id: report.resultId, url: report.resultUrl })),
    ...evidence.flatMap((lookup) => [
      { id: lookup.resultId, url: lookup.resultUrl },
      ...lookup.candidates.map((candidate) => ({ id: candidate.id, url: candidate.url })),
    ]),
  ];
  const known = new Map<string, string | null>();
  for (const { id, url } of named) if (id !== null && known.get(id) == null) known.set(id, url);
  return [...known].map(([id, url]) => ({ id, url }));
}
