import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveKey, deriveStepKey, formatKeyHeader, isOperation, keyFault, readKeyHeader } from './keys';

const visibleAscii = fc.string({
  minLength: 1,
  maxLength: 255,
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
});
const allow = { allowPersonal: true };

describe('R-004a the grammar of keys', () => {
  it('R-004a takes 1 to 255 visible ASCII characters and nothing else', () => {
    expect(keyFault('')).toBe('EMPTY');
    expect(keyFault('a')).toBeNull();
    expect(keyFault('x'.repeat(255))).toBeNull();
    expect(keyFault('x'.repeat(256))).toBe('TOO_LONG');
    expect(keyFault('x'.repeat(10_240))).toBe('TOO_LONG');
    for (const bad of [
      ' a',
      'a ',
      'a b',
      'a\tb',
      'a\r\nb',
      'a\0',
      'a\u200b',
      '열쇠',
      'ke\u0301y',
      '🔑',
      'a\x7f',
    ]) {
      expect(keyFault(bad), JSON.stringify(bad)).toBe('NOT_VISIBLE_ASCII');
    }
    for (const good of ['..', '%2e', '"', "'", '\\', '<k>', 'A', 'K-1001'])
      expect(keyFault(good), good).toBeNull();
  });

  it('R-004a accepts every visible ASCII text of allowed length', () => {
    fc.assert(fc.property(visibleAscii, (key) => keyFault(key, allow) === null));
  });

  it('R-004a never throws and never accepts a character outside the grammar', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const accepted = keyFault(text, allow) === null;
        expect(accepted).toBe(/^[\x21-\x7e]{1,255}$/.test(text));
      }),
    );
  });
});

describe('R-004b the header', () => {
  it('R-004b a quoted and a bare key name the same key, byte for byte', () => {
    fc.assert(
      fc.property(visibleAscii, (key) => {
        expect(readKeyHeader(formatKeyHeader(key), allow)).toEqual({ ok: true, key });
        const bare = readKeyHeader(key, allow);
        const isPlain = !key.startsWith('"') && new Set(key.split(',')).size === key.split(',').length;
        if (isPlain) expect(bare).toEqual({ ok: true, key });
      }),
    );
  });

  it('R-004b does not trim or fold case', () => {
    expect(readKeyHeader('"Abc"')).toEqual({ ok: true, key: 'Abc' });
    expect(readKeyHeader('" abc "')).toMatchObject({
      code: 'IDEMPOTENCY_KEY_INVALID',
      fault: 'NOT_VISIBLE_ASCII',
    });
  });

  it('R-004b tells a missing header from an empty one', () => {
    expect(readKeyHeader(null)).toEqual({ ok: false, code: 'IDEMPOTENCY_KEY_MISSING' });
    expect(readKeyHeader('')).toMatchObject({ code: 'IDEMPOTENCY_KEY_INVALID', fault: 'EMPTY' });
    expect(readKeyHeader('""')).toMatchObject({ code: 'IDEMPOTENCY_KEY_INVALID', fault: 'EMPTY' });
  });

  it.each(['"abc', '"a"b"', '"a\\b"', '"abc";p=1', '"a", "a"', '"'])(
    'R-004b refuses the malformed string %s',
    (value) => {
      expect(readKeyHeader(value)).toMatchObject({
        code: 'IDEMPOTENCY_KEY_INVALID',
        fault: 'MALFORMED_STRING',
      });
    },
  );

  it('R-004b B-71 a header that was sent twice is malformed, however a proxy joined it', () => {
    expect(readKeyHeader('K-1071, K-1071')).toMatchObject({ ok: false, code: 'IDEMPOTENCY_KEY_INVALID' });
    expect(readKeyHeader('K-1071,K-1071')).toMatchObject({ fault: 'REPEATED' });
    expect(readKeyHeader('K-1071, K-1072')).toMatchObject({ ok: false, code: 'IDEMPOTENCY_KEY_INVALID' });
    expect(readKeyHeader('"K,K"')).toEqual({ ok: true, key: 'K,K' });
    expect(readKeyHeader('a,b')).toEqual({ ok: true, key: 'a,b' });
  });
});

describe('R-004c personal data as a key', () => {
  it.each([
    ['kim@example.com', 'EMAIL'],
    ['first.last+tag@mail.example.co.kr', 'EMAIL'],
    ['010-1234-5678', 'PHONE'],
    ['01012345678', 'PHONE'],
    ['+82-10-1234-5678', 'PHONE'],
    ['+821012345678', 'PHONE'],
    ['02-123-4567', 'PHONE'],
    ['031-123-4567', 'PHONE'],
    ['(212)555-0100', 'PHONE'],
    ['212-555-0100', 'PHONE'],
    ['900101-1234567', 'NATIONAL_ID'],
    ['851231-2000000', 'NATIONAL_ID'],
    ['9001011234568', 'NATIONAL_ID'],
  ])('R-004c refuses %s as %s unless the policy allows it', (key, kind) => {
    expect(keyFault(key)).toBe(`LOOKS_LIKE_${kind}`);
    expect(keyFault(key, allow)).toBeNull();
  });

  it.each([
    'order/kim@example.com/1',
    'mail@v2.1',
    '20261129000123',
    '0000012345678',
    '1795975515833',
    '9001011234567',
    '991301-1234567',
    'tel:010-1234-5678',
    '1001-2345',
    'a@b',
    '+1',
  ])('R-004c takes %s, which only holds or resembles such data', (key) => {
    expect(keyFault(key)).toBeNull();
  });

  it('R-004c judges 50,000 hostile characters at once', () => {
    const started = performance.now();
    for (const text of [
      '@'.repeat(50_000),
      `a@${'a.'.repeat(25_000)}`,
      '+1' + '-1'.repeat(25_000),
      ','.repeat(50_000),
    ]) {
      readKeyHeader(text);
      keyFault(text.slice(0, 255));
    }
    // A pattern that backtracks takes minutes over these; the bound leaves room for a busy machine.
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('R-005 key derivation', () => {
  const source = {
    tenant: 'tenant-north',
    operation: 'create-order',
    businessObject: 'order/2026-1129',
    ruleVersion: '1',
  };

  it('R-005a is stable: these keys are what every process and language makes', () => {
    expect(deriveKey(source)).toBe('k1-6d575d9adff7d517c7ed6dff034f70fd8dbccf7c373361086e47bd53ecfd205b');
    expect(deriveStepKey({ workflowId: 'wf-1', step: 'send-mail' })).toBe(
      's1-9c563ad2ff57927947f6888fefe4ba1a9b10b98c4760b1b0a9e5654f2d8d2a85',
    );
    expect(deriveStepKey({ tenant: 'tenant-north', workflowId: 'wf-1', step: 'send-mail' })).toBe(
      's1-4d8cc0bec586ca24c48af7fc4323ce4f186cb1a59ef24da0f048af4951db09c7',
    );
  });

  it('R-005a differs whenever a part differs, however the parts are cut', () => {
    const part = fc.string({ minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.tuple(part, part, part, part), fc.tuple(part, part, part, part), (one, other) => {
        const key = ([tenant, operation, businessObject, ruleVersion]: [string, string, string, string]) =>
          deriveKey({ tenant, operation, businessObject, ruleVersion });
        expect(key(one) === key(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
    expect(deriveStepKey({ workflowId: 'ab', step: 'c' })).not.toBe(
      deriveStepKey({ workflowId: 'a', step: 'bc' }),
    );
    expect(deriveStepKey({ tenant: 'a', workflowId: 'b', step: 'c' })).not.toBe(
      deriveStepKey({ workflowId: 'b', step: 'c' }),
    );
  });

  it('R-005b lets nothing of one attempt in: no further members, no empty or missing parts', () => {
    expect(() => deriveKey({ ...source, attemptedAt: '2026-11-29T00:00:00Z' } as typeof source)).toThrow(
      /attemptedAt has no place/,
    );
    expect(() =>
      deriveStepKey({ workflowId: 'w', step: 's', random: 1 } as { workflowId: string; step: string }),
    ).toThrow(TypeError);
    expect(() => deriveKey({ ...source, businessObject: '' })).toThrow(TypeError);
    expect(() => deriveKey({ ...source, ruleVersion: undefined as unknown as string })).toThrow(TypeError);
    expect(() => deriveStepKey({ tenant: '', workflowId: 'w', step: 's' })).toThrow(TypeError);
    expect(() => deriveStepKey({ workflowId: 'w\ud800', step: 's' })).toThrow(TypeError);
  });

  it('R-005c makes keys that the ledger takes', () => {
    expect(keyFault(deriveKey(source))).toBeNull();
    expect(keyFault(deriveStepKey({ workflowId: 'w', step: '확인 메일' }))).toBeNull();
  });
});

it('R-002 an operation is 1 to 128 visible ASCII characters', () => {
  expect(['create-order.v2', 'x'.repeat(128)].every(isOperation)).toBe(true);
  expect(['', 'x'.repeat(129), 'a b', '주문'].some(isOperation)).toBe(false);
});
