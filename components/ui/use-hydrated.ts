'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False in the server's HTML and until scripts have taken it over; then a form can be sent by them. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
