import { describe, expect, it } from 'vitest';
import { endOfTransaction } from './transaction-end';

describe('statements that end a transaction', () => {
  it.each([
    'commit',
    'COMMIT WORK',
    '  commit and chain;',
    'end',
    'abort',
    'rollback',
    'rollback transaction',
    'ROLLBACK AND CHAIN',
    `prepare transaction 'x'`,
    'select 1; commit',
    '-- why\ncommit',
    '/* a /* b */ c */ rollback',
    `select 'it''s'; commit`,
    `select E'it\\'s'; commit`,
    'select $a$ ; $a$; commit',
    "select $$ ' $$; commit",
    'select "a""b"; commit',
    `select '--'; commit`,
    ';;commit',
  ])('R-022 %s', (sql) => {
    expect(endOfTransaction(sql)).toMatch(/commit|end|abort|rollback|prepare/i);
  });

  it.each([
    '',
    'select 1',
    'savepoint a',
    'rollback to a',
    'ROLLBACK TO SAVEPOINT a',
    'rollback work to savepoint a',
    'release a',
    'begin',
    'prepare a as select 1',
    `select 'x; commit'`,
    `select E'\\'; commit'`,
    'select $$; commit; $$',
    'select $q$ $$ ; commit $q$',
    'do $$ begin perform 1; end $$',
    'select 1 -- ; commit',
    'select 1 /* ; commit; /* ; end */ ; abort */',
    'select "; commit"',
    'select case when true then 1 end',
    'update orders set commit = 1',
    'select a$b$ from c; select 1',
    `select 'open; commit`,
  ])('R-022 %s ends none', (sql) => {
    expect(endOfTransaction(sql)).toBeNull();
  });
});
