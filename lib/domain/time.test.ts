import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeInstant } from './time';

describe('R-006e instants', () => {
  it.each([
    ['2026-11-29T09:00:00+09:00', '2026-11-29T00:00:00Z'],
    ['2026-11-29T00:00:00.120Z', '2026-11-29T00:00:00.12Z'],
    ['2026-11-29T00:00:00.000000Z', '2026-11-29T00:00:00Z'],
    ['2026-11-29T00:00:00.123456789-00:00', '2026-11-29T00:00:00.123456789Z'],
    ['2024-02-29T23:59:59+14:00', '2024-02-29T09:59:59Z'],
    ['2026-01-01T00:00:00-14:00', '2026-01-01T14:00:00Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('R-006e BI-11 reads %s as %s', (text, utc) => {
    expect(normalizeInstant(text)).toBe(utc);
  });

  it.each([
    '0000-01-01T00:00:00Z',
    '10000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01T00:00:00+14:01',
    '2026-01-01T00:00:00+09:60',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '2026-01-01 00:00:00Z',
    '1795975515833',
    '1795975515',
    '2026-01-01T00:00:00.1234567890Z',
    '2026-01-01T00:00:00Z ',
    'now',
    '',
  ])('R-006e BI-11 refuses %s', (text) => {
    expect(normalizeInstant(text)).toBeNull();
  });

  it('R-006e agrees with Date for every instant and is its own normal form', () => {
    const range = {
      min: new Date('0002-01-01T00:00:00Z'),
      max: new Date('9998-12-31T00:00:00Z'),
      noInvalidDate: true,
    };
    fc.assert(
      fc.property(fc.date(range), fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, offset) => {
        const sign = offset < 0 ? '-' : '+';
        const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
          String(part).padStart(2, '0'),
        );
        const local = new Date(date.getTime() + offset * 60_000)
          .toISOString()
          .replace('Z', `${sign}${hours}:${minutes}`);
        const utc = normalizeInstant(local);
        expect(utc === null ? null : Date.parse(utc)).toBe(date.getTime());
        expect(normalizeInstant(utc ?? '')).toBe(utc);
      }),
    );
  });
});
