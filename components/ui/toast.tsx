'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Toast as Radix } from 'radix-ui';
import { createContext, use, useCallback, useState, type ReactNode } from 'react';
import { classNames } from './class-names';
import { TONE_SURFACE, type Tone } from './tone';

interface Message {
  tone: Tone;
  title: string;
  body?: string;
}

const ToastContext = createContext<((message: Message) => void) | null>(null);

/** Milliseconds; long enough to read two lines, and it waits while pointed at or focused. */
const SHOWN_FOR = 7_000;

/** Keeps messages that outlive the thing they speak of. Refusals belong beside their control instead (`Notice`). */
export function ToastProvider({ children }: { children: ReactNode }) {
  const t = useTranslations('common.action');
  const [messages, setMessages] = useState<readonly (Message & { id: string })[]>([]);
  const show = useCallback((message: Message) => {
    setMessages((present) => [...present.slice(-2), { ...message, id: crypto.randomUUID() }]);
  }, []);
  return (
    <ToastContext value={show}>
      <Radix.Provider duration={SHOWN_FOR} swipeDirection="down">
        {children}
        {messages.map((message) => (
          <Radix.Root
            key={message.id}
            onOpenChange={(open) => {
              if (!open) setMessages((present) => present.filter((each) => each.id !== message.id));
            }}
            className={classNames(
              'flex animate-surface-in items-start gap-3 rounded-lg bg-raised px-3.5 py-3 text-sm shadow-lg ring-1 ring-inset',
              TONE_SURFACE[message.tone],
            )}
          >
            <div className="min-w-0 flex-1">
              <Radix.Title className="font-medium">{message.title}</Radix.Title>
              {message.body !== undefined && (
                <Radix.Description className="mt-0.5 text-ink">{message.body}</Radix.Description>
              )}
            </div>
            <Radix.Close aria-label={t('dismiss')} className="rounded-xs">
              <X aria-hidden className="size-4" />
            </Radix.Close>
          </Radix.Root>
        ))}
        <Radix.Viewport className="fixed right-4 bottom-4 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2 max-md:bottom-20" />
      </Radix.Provider>
    </ToastContext>
  );
}

/** Shows a message at the edge of the page. */
export function useToast(): (message: Message) => void {
  const show = use(ToastContext);
  if (show === null) throw new Error('bug: a toast is shown outside of <ToastProvider>');
  return show;
}
