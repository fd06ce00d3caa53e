'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Dialog as Radix } from 'radix-ui';
import { useRef, type ReactNode, type RefObject } from 'react';
import { buttonLook } from './button-look';
import { classNames } from './class-names';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** One sentence under the title: what this is about. */
  description?: ReactNode;
  /** Buttons, the main one last; stuck to the bottom on a phone. */
  footer?: ReactNode;
  width?: 'md' | 'lg';
  /** False while text is typed that a press outside must not throw away. */
  dismissible?: boolean;
  /** Where the keyboard begins; by default at the first control. */
  firstFocus?: RefObject<HTMLElement | null>;
  /** Where the keyboard goes when it closes; by default to where it came from. */
  onCloseAutoFocus?: (event: Event) => void;
  children?: ReactNode;
}

/** A modal dialog: traps focus, returns it, closes on Escape; on a phone it is a sheet from below. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  width = 'md',
  dismissible = true,
  firstFocus,
  onCloseAutoFocus,
  children,
}: DialogProps) {
  const opener = useRef<Element | null>(null);
  const t = useTranslations('common.action');
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 bg-veil" />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            if (firstFocus === undefined) return;
            event.preventDefault();
            firstFocus.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus?.(event);
            if (event.defaultPrevented) return;
            // Radix returns the keyboard to a trigger of its own; here a plain button opens.
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
          onPointerDownOutside={dismissible ? undefined : (event) => event.preventDefault()}
          className={classNames(
            'fixed z-50 flex animate-surface-in flex-col bg-raised shadow-lg outline-none',
            'inset-x-0 bottom-0 max-h-[92dvh] rounded-t-lg',
            'md:inset-auto md:top-[8vh] md:left-1/2 md:max-h-[84vh] md:-translate-x-1/2 md:rounded-lg md:border md:border-line',
            width === 'md' ? 'md:w-[32rem]' : 'md:w-[46rem]',
          )}
        >
          <header className="flex items-start gap-3 px-5 pt-4 pb-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description asChild>
                  <div className="mt-1 text-sm text-ink-muted">{description}</div>
                </Radix.Description>
              )}
            </div>
            <Radix.Close className={buttonLook({ look: 'ghost', size: 'icon' })} aria-label={t('close')}>
              <X aria-hidden />
            </Radix.Close>
          </header>
          {children !== undefined && (
            <div className="relative min-h-0 flex-1 overflow-y-auto px-5 pb-4">{children}</div>
          )}
          {footer !== undefined && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
              {footer}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
