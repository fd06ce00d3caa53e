import { type ReactElement } from 'react';
import { describe, expect, it } from 'vitest';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { type ExceptionRow } from '@/lib/domain/exception-row';
import { render } from '@/lib/testing/render';
import { AuditTable } from '../audit/audit-table';
import { BodyPanels } from '../audit/body-panels';
import { CircumstanceFacts } from '../audit/circumstance-facts';
import { RecordedText } from '../audit/recorded-text';
import { StoryList } from '../audit/story-list';
import { TableAddress } from '../data-table/table-address';
import { CandidatesTable } from '../evidence/candidates-table';
import { AskedPanel } from '../exception-detail/asked-panel';
import { ExceptionsTable } from '../exception/exceptions-table';
import { PersonTag } from '../person/person-tag';
import { MisleadingNotice } from './misleading-notice';

/** Turns text around, shows nothing, moves a terminal's cursor, and ends whatever markup it stands in. */
const HIDDEN = '\u202e\u2066\u200b\ufeff\u{e0041}\u0007\u001b[31m\r';
const NASTY = `A${HIDDEN}"'></script><img src=x>%0a`;
/** Everything of it that must not come out of the server as it is. */
const RAW =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

const EVENT: AuditRecord = {
  number: '7',
  eventId: '0199aaaa-0000-7000-8000-000000000001',
  occurredAt: '2026-11-29T17:39:00.000001Z',
  event: 'exception.commented',
  outcome: 'refused',
  refusalCode: NASTY,
  actorKind: 'person',
  actorId: '0199aaaa-0000-7000-8000-00000000000a',
  actorName: NASTY,
  actorRoles: ['OPERATOR', NASTY],
  tenantId: NASTY,
  exceptionId: null,
  executionId: null,
  approvalRequestId: null,
  operation: NASTY,
  operationId: null,
  body: JSON.stringify({ rationale: NASTY, comment: NASTY, after: { [NASTY]: NASTY }, resultId: NASTY }),
  httpRequestId: NASTY,
  sourceAddress: NASTY,
  previousHash: '0'.repeat(64),
  hash: '0'.repeat(64),
};

const ROW: ExceptionRow = {
  exceptionId: '0199aaaa-0000-7000-8000-000000000002',
  tenantId: NASTY,
  tenantName: NASTY,
  kind: 'UNKNOWN_RESULT',
  state: 'OPEN',
  severity: 1,
  operation: NASTY,
  idempotencyKey: NASTY,
  execution: null,
  amount: null,
  openedAt: '2026-11-29T17:39:00.000001Z',
  dueAt: '2026-11-29T18:39:00.000001Z',
  closedAt: null,
  deferredUntil: null,
  assignee: { personId: 'p', displayName: NASTY },
  nextStep: 'LOOK_UP',
  version: '1',
};

const table = (part: ReactElement) => <TableAddress>{part}</TableAddress>;
const PARTS: [string, ReactElement][] = [
  ['the audit’s list', table(<AuditTable rows={[EVENT]} names={{}} me="x" defaultSort="-number" empty="" />)],
  [
    'an event’s circumstances',
    <CircumstanceFacts key="c" event={EVENT} tenantName={NASTY} me="x" names={{}} />,
  ],
  [
    'an event’s words',
    <BodyPanels key="b" event={EVENT} noReason={false} names={{ [EVENT.actorId]: NASTY }} />,
  ],
  ['an event as stored', <RecordedText key="r" event={EVENT} />],
  ['a story', <StoryList key="s" story={[EVENT]} present="7" me="x" names={{}} label="Story" />],
  [
    'the queue',
    table(<ExceptionsTable rows={[ROW]} me="x" showTenant selectable={false} defaultSort="due" empty="" />),
  ],
  [
    'what was asked',
    <AskedPanel key="a" display={{ [`/${NASTY}`]: NASTY, '/deep': { of: [NASTY] } }} expired={false} />,
  ],
  [
    'what a lookup found',
    <CandidatesTable
      key="f"
      candidates={[{ id: NASTY, url: null, account: NASTY, status: null, agrees: null } as never]}
    />,
  ],
  ['a person’s name', <PersonTag key="p" person={{ personId: 'p', displayName: NASTY }} me="x" />],
];

describe('text of others on a page', () => {
  it.each(PARTS)(
    'AU-13 AU-14 R-009 %s shows it with visible escapes, kept apart from its surroundings',
    (_, part) => {
      const html = render(part);
      expect(html).not.toMatch(RAW);
      expect(html).not.toMatch(/<(script|img)/);
      expect(html).toContain('\\u{202E}');
      expect(html).toContain('<bdi');
    },
  );

  it.each([
    ['invisible', `key${HIDDEN}`, 'hold invisible'],
    ['look-alike', 'p\u0430yment', 'look alike'],
  ])(
    'AU-14 R-009h a page to decide on warns of %s letters, wherever in the view they are',
    (_, text, words) => {
      expect(render(<MisleadingNotice about={{ execution: { display: { '/to': [text] } } }} />)).toContain(
        words,
      );
      expect(render(<MisleadingNotice about={{ execution: { display: { [text]: 1 } } }} />)).toContain(words);
    },
  );

  it('AU-14 R-009h it says nothing of ordinary text, paragraphs included', () => {
    expect(render(<MisleadingNotice about={{ key: 'order-4711', why: '첫 줄\nsecond line ' }} />)).toBe('');
  });
});
