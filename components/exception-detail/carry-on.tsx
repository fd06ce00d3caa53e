'use client';

import { useEffect } from 'react';
import { performAct } from '../shell/perform-act';
import { takePendingAct } from '../shell/pending-act';

/** Carries on with the letter that was pressed on this exception's row. */
export function CarryOn({ exceptionId }: { exceptionId: string }) {
  useEffect(() => {
    const letter = takePendingAct(exceptionId);
    if (letter !== null) performAct(letter);
  }, [exceptionId]);
  return null;
}
