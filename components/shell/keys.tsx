'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { ACT_LETTERS, GO_TO } from './key-map';
import { OPEN_KEY_MAP } from './open-key-map';
import { keepPendingAct } from './pending-act';
import { performAct } from './perform-act';
import { actingLetter } from './single-keys';

// Neither is needed before somebody presses its key.
const Palette = dynamic(() => import('./palette').then((loaded) => loaded.Palette), { ssr: false });
const KeyMapDialog = dynamic(() => import('./key-map-dialog').then((loaded) => loaded.KeyMapDialog), {
  ssr: false,
});

/** Milliseconds within which the second key of a pair is waited for. */
const PAIR_WITHIN = 1_500;

const isPaletteKey = ({ key, code, ctrlKey, metaKey, altKey, shiftKey, isComposing }: KeyboardEvent) =>
  (ctrlKey || metaKey) &&
  !altKey &&
  !shiftKey &&
  !isComposing &&
  (key.toLowerCase() === 'k' || code === 'KeyK');

const focusedRow = () => document.activeElement?.closest('tr') ?? null;
const rowLink = () => focusedRow()?.querySelector<HTMLAnchorElement>('[data-row-link]') ?? null;

/** The desk's keys, wherever the reader is; `?` shows them all. */
export function Keys() {
  const router = useRouter();
  const [shown, setShown] = useState<'palette' | 'map' | null>(null);
  const begun = useRef(-Infinity);
  useEffect(() => {
    const pressed = (letter: string): boolean => {
      if (performance.now() - begun.current < PAIR_WITHIN && letter in GO_TO) {
        begun.current = -Infinity;
        router.push(GO_TO[letter as keyof typeof GO_TO]);
        return true;
      }
      begun.current = letter === 'g' ? performance.now() : -Infinity;
      if (letter === '?') setShown('map');
      else if (letter === '/') return lead('[data-search]');
      else if (letter === '.') return press(document.querySelector('[data-show-changes]'));
      else if (letter === 'x') return press(focusedRow()?.querySelector('input[type=checkbox]') ?? null);
      else if (letter === 'o') return press(rowLink());
      else if ((ACT_LETTERS as readonly string[]).includes(letter)) {
        const row = rowLink();
        // On a row the letter is for that exception, whatever is open beside the list.
        if (row === null) return performAct(letter);
        keepPendingAct(row.pathname, letter);
        return press(row);
      } else return false;
      return true;
    };
    const onKey = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault();
        setShown('palette');
        return;
      }
      const letter = actingLetter(event);
      if (letter !== null && pressed(letter)) event.preventDefault();
    };
    const showMap = () => setShown('map');
    document.addEventListener('keydown', onKey);
    document.addEventListener(OPEN_KEY_MAP, showMap);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener(OPEN_KEY_MAP, showMap);
    };
  }, [router]);
  const close = () => setShown(null);
  return (
    <>
      {shown === 'palette' && <Palette onClose={close} onKeyMap={() => setShown('map')} />}
      {shown === 'map' && <KeyMapDialog onClose={close} />}
    </>
  );
}

function press(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.click();
  return true;
}

function lead(selector: string): boolean {
  const field = document.querySelector<HTMLInputElement>(selector);
  field?.focus();
  field?.select();
  return field !== null;
}
