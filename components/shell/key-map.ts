import { type Messages } from '@/lib/domain/messages/catalogue';

export type KeyAct = keyof Messages['common']['keys']['act'];

/** One line of the map: keys pressed one after the other, `+` for held together. */
export interface KeyLine {
  keys: readonly string[];
  act: KeyAct;
}

/** Where `g` and a second letter lead. */
export const GO_TO = { q: '/queue', e: '/executions', a: '/approvals', u: '/audit' } as const;

/** Acts on the open exception, by letter: whatever carries it as `data-act` is opened, or gets the focus. */
export const ACT_LETTERS = ['d', 'l', 'e', 'r', 'a'] as const;

/** All keys of the desk; the map shows these and the palette names the acts by them. */
export const KEY_MAP = {
  anywhere: [
    { keys: ['Ctrl+K'], act: 'palette' },
    { keys: ['?'], act: 'map' },
    { keys: ['/'], act: 'search' },
    { keys: ['g', 'q'], act: 'queue' },
    { keys: ['g', 'e'], act: 'executions' },
    { keys: ['g', 'a'], act: 'approvals' },
    { keys: ['g', 'u'], act: 'audit' },
  ],
  list: [
    { keys: ['j'], act: 'next' },
    { keys: ['k'], act: 'previous' },
    { keys: ['o'], act: 'open' },
    { keys: ['x'], act: 'select' },
    { keys: ['.'], act: 'show' },
    { keys: ['Esc'], act: 'back' },
  ],
  exception: [
    { keys: ['d'], act: 'd' },
    { keys: ['l'], act: 'l' },
    { keys: ['e'], act: 'e' },
    { keys: ['r'], act: 'r' },
    { keys: ['a'], act: 'a' },
    { keys: ['Ctrl+Enter'], act: 'send' },
  ],
} as const satisfies Record<string, readonly KeyLine[]>;
