import { type ReactNode } from 'react';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';

interface OperationAndKeyProps {
  operation: string;
  /** Null where nothing was claimed: a keyless arrival, a paused operation. */
  idempotencyKey: string | null;
  /** Shown in the key's place when there is none. */
  withoutKey: string;
  /** Beside the operation, where there is no column for it. */
  aside?: ReactNode;
}

/** What was to be done once, and under which name. Two lines in tall rows, one in low ones. */
export function OperationAndKey({ operation, idempotencyKey, withoutKey, aside }: OperationAndKeyProps) {
  return (
    <span className="flex min-w-0 flex-col gap-x-2 group-data-[density=compact]/table:md:flex-row group-data-[density=compact]/table:md:items-baseline">
      <span className="flex min-w-0 items-baseline gap-2 group-data-[density=compact]/table:md:max-w-[60%] group-data-[density=compact]/table:md:shrink-0">
        <span className="truncate font-medium">
          <VisibleText text={operation} className="whitespace-pre" />
        </span>
        {aside}
      </span>
      <span className="flex min-w-0 text-xs text-ink-muted">
        {idempotencyKey === null ? withoutKey : <KeyText value={idempotencyKey} cut />}
      </span>
    </span>
  );
}
