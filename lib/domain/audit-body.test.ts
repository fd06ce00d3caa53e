import { describe, expect, it } from 'vitest';
import { readAuditBody, summaryOf } from './audit-body';

const members = (...pairs: [string, ...string[]][]) => ({
  kind: 'members',
  members: pairs.map(([name, ...values]) => ({ name, values })),
});

describe('an event’s stored text', () => {
  it('R-088b shows rationale, what changed and the rest, each in its place', () => {
    const body = readAuditBody(
      '{"rationale": "checked twice", "before": {"state": "UNKNOWN", "version": 3, "resultId": null}, "after": {"state": "SUCCEEDED", "version": 4, "resultId": "m-1"}, "decision": "LINK_RESULT", "closed": ["a", "b"], "evidenceId": null}',
    );
    expect(body).toEqual({
      rationale: 'checked twice',
      comment: null,
      authoritiesThen: null,
      changes: [
        { name: 'state', before: ['UNKNOWN'], after: ['SUCCEEDED'] },
        { name: 'version', before: ['3'], after: ['4'] },
        { name: 'resultId', before: [], after: ['m-1'] },
      ],
      details: [
        { name: 'decision', values: ['LINK_RESULT'] },
        { name: 'closed', values: ['a', 'b'] },
      ],
    });
    expect(summaryOf(body)).toEqual({ kind: 'words', text: 'checked twice' });
  });

  it('R-088b never shows JSON: lists stand as their texts, nested members under their own names', () => {
    expect(
      readAuditBody(
        '{"secrets": ["PASSWORD", "CARD_NUMBER"], "closed": [], "params": {"seconds": 600, "inner": {"deep": true}}}',
      ).details,
    ).toEqual([
      { name: 'secrets', values: ['PASSWORD', 'CARD_NUMBER'] },
      { name: 'seconds', values: ['600'] },
      { name: 'deep', values: ['true'] },
    ]);
  });

  it('R-088b takes a comment for what it is, and blanks for nothing written', () => {
    const comment = readAuditBody('{"text": "ask the bank"}');
    expect(comment).toMatchObject({ comment: 'ask the bank', details: [] });
    expect(summaryOf(comment)).toEqual({ kind: 'words', text: 'ask the bank' });
    expect(readAuditBody('{"rationale": " \\n", "text": ""}')).toMatchObject({
      rationale: null,
      comment: null,
    });
  });

  it('sums up a change where nobody wrote anything, and nothing where there is nothing', () => {
    expect(summaryOf(readAuditBody('{"after": {"roles": ["ADMIN"]}}'))).toEqual({
      kind: 'change',
      change: { name: 'roles', before: [], after: ['ADMIN'] },
    });
    expect(summaryOf(readAuditBody('{"before": {"a": 1}, "after": {"a": 1}, "rationale": "  "}'))).toBeNull();
  });

  it('R-088b sums up a request by how it stood, not as a change to nothing, and no line by an id', () => {
    expect(summaryOf(readAuditBody('{"before": {"state": "SUCCEEDED", "version": 3}}'))).toEqual(
      members(['state', 'SUCCEEDED']),
    );
    const about = '{"personId": "0199aaaa-0000-7000-8000-0000000000c1", "roles": ["ADMIN"]}';
    expect(summaryOf(readAuditBody(about))).toEqual(members(['roles', 'ADMIN']));
  });

  it('sums up a lookup by what tells most, and anything else by its first short members', () => {
    const lookup =
      '{"seen": null, "place": "crm", "outcome": "NOT_FOUND", "verdict": "NOT_APPLIED", "lookupId": "x"}';
    expect(summaryOf(readAuditBody(lookup))).toEqual(
      members(['verdict', 'NOT_APPLIED'], ['outcome', 'NOT_FOUND']),
    );
    expect(summaryOf(readAuditBody('{"LONG_RUNNING": 1, "UNKNOWN_RESULT": 2}'))).toEqual(
      members(['LONG_RUNNING', '1'], ['UNKNOWN_RESULT', '2']),
    );
    expect(summaryOf(readAuditBody(`{"digest": "${'f'.repeat(64)}"}`))).toBeNull();
  });

  it.each(['', 'null', '[]', '"text"', '{"broken', '{"rationale": 7, "before": [1], "after": "x"}'])(
    'never throws: %j',
    (text) => {
      expect(readAuditBody(text)).toMatchObject({ rationale: null, changes: [] });
    },
  );
});
