import { VisibleText } from '../text/visible-text';

/** Which outside system and account were meant. */
export function TargetText({ system, account }: { system: string | null; account: string | null }) {
  if (system === null && account === null) return null;
  return (
    <span className="inline-flex min-w-0 items-baseline gap-1">
      {system !== null && <VisibleText text={system} />}
      {account !== null && (
        <span className="truncate text-ink-muted">
          {system !== null && <span aria-hidden>/ </span>}
          <VisibleText text={account} />
        </span>
      )}
    </span>
  );
}
