import { describe, expect, it } from 'vitest';
import { openCursor, sealCursor } from './cursor';

const key = Buffer.alloc(32, 7);
const binding = ['audit', 'tenant-north', 'newest first'];
const position = ['2026-11-29T17:39:00.123456Z', '42', null];

describe('a cursor', () => {
  it('carries its position to the microsecond and back', () => {
    expect(openCursor(sealCursor(position, binding, key), binding, key)).toEqual(position);
  });

  it('AZ-05 R-098b opens for no other tenant, list, sort or key', () => {
    const token = sealCursor(position, binding, key);
    expect(openCursor(token, ['audit', 'tenant-south', 'newest first'], key)).toBeNull();
    expect(openCursor(token, ['audit', 'tenant-northnewest first'], key)).toBeNull();
    expect(openCursor(token, ['audit', 'tenant-nort', 'hnewest first'], key)).toBeNull();
    expect(openCursor(token, binding, Buffer.alloc(32, 8))).toBeNull();
  });

  it('opens in no changed form', () => {
    const token = sealCursor(position, binding, key);
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A';
      expect(openCursor(token.slice(0, index) + other + token.slice(index + 1), binding, key)).toBeNull();
    }
    for (const bad of [
      '',
      'x',
      '%E0%A4%A',
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      'A'.repeat(100_000),
    ]) {
      expect(openCursor(bad, binding, key)).toBeNull();
    }
  });
});
