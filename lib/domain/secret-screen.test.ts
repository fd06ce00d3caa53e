import { describe, expect, it } from 'vitest';
import { findSecrets, type SecretKind } from './secret-screen';

describe('findSecrets', () => {
  const refused: [string, SecretKind][] = [
    ['password: hunter2', 'PASSWORD'],
    ['pwd=Sommer!', 'PASSWORD'],
    ['The password is hunter2, tell nobody', 'PASSWORD'],
    ['비밀번호: abcd1234', 'PASSWORD'],
    ['비밀번호는 abcd1234 입니다', 'PASSWORD'],
    ['see https://admin:s3cret@crm.example.com/records/1', 'PASSWORD'],
    ['Authorization: Bearer abcdef0123456789abcdef', 'TOKEN'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc', 'TOKEN'],
    ['key AKIAIOSFODNN7EXAMPLE', 'TOKEN'],
    ['sk_live_4eC39HqLyjWDarjtT1', 'TOKEN'],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'TOKEN'],
    ['api_key = 9f8e7d6c5b4a', 'TOKEN'],
    ['토큰: abcdef012345', 'TOKEN'],
    ['-----BEGIN RSA PRIVATE KEY-----', 'PRIVATE_KEY'],
    ['card 4111 1111 1111 1111', 'CARD_NUMBER'],
    ['카드번호:5555-5555-5555-4444', 'CARD_NUMBER'],
    ['378282246310005', 'CARD_NUMBER'],
  ];
  it.each(refused)('R-078b refuses %j as %s', (text, kind) => {
    expect(findSecrets(text)).toContain(kind);
  });

  it.each([
    'Password reset mail was sent twice; the customer confirmed the second.',
    'password: reset',
    'The token expired, the bank says.',
    'Order 4111111111111112 is not a card: its check digit is wrong.',
    'Order 20261129000800 of 2026-11-29 12:30',
    'CRM-7K3M9Q2D5X agrees in account and amount 1234567.89',
    'execution 01938e7c-4111-7111-8111-111111111111',
    'sha256:4111111111111111411111111111111141111111111111114111111111111111',
    '고객이 전화로 확인했습니다. 비밀번호는 바꾸지 않았습니다.',
    'call +82 10-1234-5678',
  ])('R-078b keeps %j', (text) => {
    expect(findSecrets(text)).toEqual([]);
  });

  it('R-078b reads 100,000 hostile characters in linear time', () => {
    const started = performance.now();
    for (const piece of ['1 ', 'password: ', 'eyJ', 'bearer ', '://a:', 'token:', '4-']) {
      findSecrets(piece.repeat(100_000 / piece.length));
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
