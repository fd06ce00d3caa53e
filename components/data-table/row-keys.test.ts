import { describe, expect, it } from 'vitest';
import { rowAfterKey, startsInRows } from './row-keys';

describe('moving between rows by keyboard', () => {
  it.each([
    ['ArrowDown', 0, 3, 1],
    ['j', 1, 3, 2],
    ['ArrowDown', 2, 3, 2],
    ['ArrowUp', 2, 3, 1],
    ['k', 0, 3, 0],
    ['Home', 2, 3, 0],
    ['End', 0, 3, 2],
    ['Enter', 1, 3, null],
    ['J', 1, 3, null],
    ['ArrowDown', 0, 0, null],
  ])('%s on row %d of %d leads to %s', (key, present, count, next) => {
    expect(rowAfterKey(key, present, count)).toBe(next);
  });

  it('starts by letters alone: arrows, Home and End scroll the page', () => {
    expect(['j', 'k', 'J', 'ArrowDown', 'Home', 'End', ' '].filter(startsInRows)).toEqual(['j', 'k']);
  });
});
