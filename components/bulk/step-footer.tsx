import { type ReactNode } from 'react';

/** The main button of a step, in sight however long the list above is. */
export function StepFooter({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-4 z-1 -mx-5 mt-4 -mb-4 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-raised px-5 py-3">
      {children}
    </div>
  );
}
