'use client';

import { createContext, useContext, useState, type ReactNode } from 'react';
import { type WaysIn } from '@/lib/domain/ways-in';

interface Account {
  personId: string;
  email: string;
  ways: WaysIn;
}

const Own = createContext<Account | null>(null);

/** Tells the pages below who reads them, with which address they signed in, and how they can do it again. */
export function OwnAccount({ personId, email, ways, children }: Account & { children: ReactNode }) {
  return <Own value={{ personId, email, ways }}>{children}</Own>;
}

export function useOwnAccount(): Account {
  const account = useContext(Own);
  if (account === null) throw new Error('bug: no account around this page');
  return account;
}

/**
 * Whom this form was first shown to. Reading the page anew does not change it: what is typed stays theirs, whoever has signed
 * in in another tab since.
 */
export function useShownTo(): string {
  const { personId } = useOwnAccount();
  return useState(personId)[0];
}
