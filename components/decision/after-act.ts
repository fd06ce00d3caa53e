'use client';

import { createContext, use } from 'react';

/** What follows an act that has come about: beside the queue, the next row; on a page of its own, nothing. */
export const AfterAct = createContext<() => void>(() => undefined);

export const useAfterAct = (): (() => void) => use(AfterAct);
