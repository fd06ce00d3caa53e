'use client';

import { type DropdownMenu } from 'radix-ui';
import { createContext, use } from 'react';

type Parts = Pick<typeof DropdownMenu, 'CheckboxItem' | 'ItemIndicator' | 'RadioGroup' | 'RadioItem'>;

/** The library's parts, which come with the open menu around them: what stands in menus is not loaded before. */
export const MenuParts = createContext<Parts | null>(null);

export function useMenuParts(): Parts {
  const parts = use(MenuParts);
  if (parts === null) throw new Error('bug: an item outside of <Menu>');
  return parts;
}
