import { VisibleText } from '../text/visible-text';

/** Which outside system and account were meant. */
export function TargetText({ system, account }: { system: string | null; account: string | null }) {
  if (system === null && account === null) return null;
  return (
    <span className="inline-flex max-w-full min-w-0 flex-wrap items-baseline gap-x-1 align-middle">
      {system !== null && <VisibleText text={system} />}
      {account !== null && (
        <span className="min-w-0 text-ink-muted">
          {system !== null && <span aria-hidden>/ </span>}
          <VisibleText text={account} />
        </span>
      )}
    </span>
  );
}
