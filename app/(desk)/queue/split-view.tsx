'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { AfterAct } from '@/components/decision/after-act';
import { NEXT_COOKIE, rememberedPreference } from '@/components/shell/preferences';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { useOpenRow } from './use-queue-address';

/** From here on list and exception stand side by side; below, a row opens its own page. */
const WIDE = '(min-width: 1280px)';
const LAYERS = '[role=dialog], [role=menu], [role=listbox]:not([hidden])';

const linkOf = (list: HTMLElement | null, id: string | null) =>
  list?.querySelector<HTMLElement>(`[data-row-link][href$="/${id}"]`) ?? null;

/**
 * The list and, beside it, the exception that is open. Esc leads back to its row, and from there closes it; after a decision
 * the next row is opened, unless that is switched off. The focus follows and is never lost.
 */
export function SplitView({ detail, children }: { detail: ReactNode; children: ReactNode }) {
  const t = useTranslations('queue.split');
  const { openId, open } = useOpenRow();
  const list = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLElement>(null);
  const [moved, setMoved] = useState(false);
  const before = useRef(openId);
  useEffect(() => {
    if (before.current === openId) return;
    const left = before.current;
    before.current = openId;
    if (openId === null) linkOf(list.current, left)?.focus();
    // What a letter has opened in there keeps the focus.
    else if (pane.current?.contains(document.activeElement) !== true) pane.current?.focus();
  }, [openId]);
  const openRow = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('[data-row-link]');
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (link === null || !plain || !matchMedia(WIDE).matches) return;
    event.preventDefault();
    setMoved(false);
    open(link.pathname.split('/').at(-1) ?? null);
  };
  const openNext = () => {
    if (rememberedPreference(NEXT_COOKIE) === 'off') return;
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>('[data-row-link]') ?? [])];
    const place = links.findIndex((link) => link.pathname.endsWith(`/${openId}`));
    const next = links[place + 1];
    setMoved(next !== undefined);
    open(next?.pathname.split('/').at(-1) ?? null);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing || openId === null)
      return;
    if (document.querySelector(LAYERS) !== null) return;
    event.preventDefault();
    const row = linkOf(list.current, openId);
    if (row !== null && pane.current?.contains(document.activeElement) === true) row.focus();
    else open(null);
  };
  return (
    <div data-frame onKeyDown={onKey} className="flex min-h-0 flex-1">
      <div
        ref={list}
        data-frame
        onClickCapture={openRow}
        className={classNames(
          'flex min-h-0 min-w-0 flex-1 flex-col',
          openId !== null && 'max-xl:hidden xl:max-w-[42%] xl:border-r xl:border-line',
        )}
      >
        {children}
      </div>
      {openId !== null && (
        <section
          ref={pane}
          tabIndex={-1}
          aria-label={t('pane')}
          className="relative flex min-h-0 min-w-0 flex-[1.4] flex-col overflow-y-auto outline-none"
        >
          <div className="flex items-center gap-2 px-4 pt-2 text-xs text-ink-muted md:px-6">
            <span role="status" className="min-w-0 flex-1">
              {moved && t('moved')}
            </span>
            <Button size="sm" look="ghost" onClick={() => open(null)}>
              <X aria-hidden />
              {t('close')}
            </Button>
          </div>
          <AfterAct value={openNext}>{detail}</AfterAct>
        </section>
      )}
    </div>
  );
}
