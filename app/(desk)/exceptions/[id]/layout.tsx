import { notFound } from 'next/navigation';
import { type ReactNode } from 'react';
import { requireActor } from '@/lib/access/actor';
import { deskReader } from '@/lib/review/desk-context';
import { hasException } from '@/lib/review/has-exception';

interface ExceptionLayoutProps {
  children: ReactNode;
  params: Promise<{ id: string }>;
}

/** Above the loading state: once that has been sent, a missing exception could only be told with status 200. */
export default async function ExceptionLayout({ children, params }: ExceptionLayoutProps) {
  const actor = await requireActor();
  if (!(await hasException(deskReader(actor), (await params).id))) notFound();
  return children;
}
