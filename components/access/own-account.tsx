'use client';

import { createContext, useContext, type ReactNode } from 'react';

const OwnEmail = createContext<string | null>(null);

/** Tells the pages below with which address the reader signed in. */
export function OwnAccount({ email, children }: { email: string; children: ReactNode }) {
  return <OwnEmail value={email}>{children}</OwnEmail>;
}

export function useOwnEmail(): string {
  const email = useContext(OwnEmail);
  if (email === null) throw new Error('bug: no account around this page');
  return email;
}
