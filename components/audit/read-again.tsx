'use client';

import { RefreshCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { Button } from '../ui/button';

/** Asks the server for this page anew; what it shows is computed at that moment. */
export function ReadAgain({ label }: { label: string }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  return (
    <Button data-screen-only size="sm" pending={pending} onClick={() => start(() => router.refresh())}>
      <RefreshCw aria-hidden />
      {label}
    </Button>
  );
}
