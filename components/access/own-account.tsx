'use client';

import { createContext, useContext, type ReactNode } from 'react';
import { type WaysIn } from '@/lib/domain/ways-in';

interface Account {
  email: string;
  ways: WaysIn;
}

const Own = createContext<Account | null>(null);

/** Tells the pages below with which address the reader signed in, and how they can do it again. */
export function OwnAccount({ email, ways, children }: Account & { children: ReactNode }) {
  return <Own value={{ email, ways }}>{children}</Own>;
}

export function useOwnAccount(): Account {
  const account = useContext(Own);
  if (account === null) throw new Error('bug: no account around this page');
  return account;
}
