'use client';

import { Check } from 'lucide-react';
import dynamic from 'next/dynamic';
import { cloneElement, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { useMenuParts } from './menu-parts';
import { useOpener } from './use-opener';

const load = () => import('./menu-layer');
const MenuLayer = dynamic(async () => (await load()).MenuLayer, { ssr: false });

interface MenuProps {
  /** A button. */
  trigger: ReactElement<ComponentProps<'button'>>;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
  children: ReactNode;
}

const ITEM =
  'flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 text-sm outline-none select-none data-highlighted:bg-hover max-md:min-h-10';

/** A menu of things to do or to choose; arrows, Home, End and letters move in it. */
export function Menu({ trigger, align = 'start', side = 'bottom', children }: MenuProps) {
  const { opened, button, close } = useOpener('menu', load);
  return (
    <>
      {cloneElement(trigger, button)}
      {opened !== null && (
        <MenuLayer opened={opened} align={align} side={side} onClose={close}>
          {children}
        </MenuLayer>
      )}
    </>
  );
}

interface MenuCheckProps {
  checked: boolean;
  /** Keeps the menu open for the next value. */
  stays?: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/** One that is on or off. */
export function MenuCheck({ checked, stays = false, onToggle, children }: MenuCheckProps) {
  const { CheckboxItem, ItemIndicator } = useMenuParts();
  return (
    <CheckboxItem
      checked={checked}
      onCheckedChange={onToggle}
      onSelect={stays ? (event) => event.preventDefault() : undefined}
      className={ITEM}
    >
      <span className="inline-flex size-4 shrink-0">
        <ItemIndicator>
          <Check aria-hidden className="size-4 text-accent" />
        </ItemIndicator>
      </span>
      {children}
    </CheckboxItem>
  );
}

interface MenuChoicesProps<Value extends string> {
  label: string;
  /** Shows its label above, where a menu holds several choices. */
  titled?: boolean;
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly { value: Value; label: ReactNode }[];
}

/** One of several; the present one carries a check mark. */
export function MenuChoices<Value extends string>({
  label,
  titled = false,
  value,
  onChange,
  choices,
}: MenuChoicesProps<Value>) {
  const { RadioGroup, RadioItem, ItemIndicator } = useMenuParts();
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const chosen = choices.find((choice) => choice.value === next);
        if (chosen !== undefined) onChange(chosen.value);
      }}
    >
      {titled && (
        <div aria-hidden className="px-2 pt-2 pb-1 text-xs text-ink-muted">
          {label}
        </div>
      )}
      {choices.map((choice) => (
        <RadioItem key={choice.value} value={choice.value} className={ITEM}>
          <span className="inline-flex size-4 shrink-0">
            <ItemIndicator>
              <Check aria-hidden className="size-4 text-accent" />
            </ItemIndicator>
          </span>
          <span className="min-w-0 flex-1">{choice.label}</span>
        </RadioItem>
      ))}
    </RadioGroup>
  );
}
