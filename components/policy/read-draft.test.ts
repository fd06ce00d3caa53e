import { describe, expect, it } from 'vitest';
import { operationPolicyContent, type OperationPolicyContent } from '@/lib/domain/operation-policy';
import { draftOf, emptyGuide, spanText, type OperationDraft } from './operation-draft';
import { readDraft } from './read-draft';

const CONTENT: OperationPolicyContent = operationPolicyContent.parse({
  effectClass: 'IRREVERSIBLE',
  authority: 'money',
  proof: 'PRESENCE',
  resultIdRequired: true,
  sharedResults: false,
  protectionClass: 'PROVIDER_KEY',
  approvalRefRequired: true,
  includeFields: ['/trace/order'],
  excludeFields: ['/trace', 'sentAt'],
  fieldDefaults: { '/currency': 'KRW', '/lines': [1, { a: null }] },
  fieldTypes: { amount: 'decimal' },
  displayFields: ['/amount'],
  keyless: 'REFUSE',
  allowPersonalKeys: false,
  businessRefUnique: true,
  singleExecutor: 'OPERATION',
  transientCodes: ['BUSY'],
  leaseSeconds: 90,
  graceSeconds: 0,
  longRunningSeconds: 3_600,
  claimWithinSeconds: 300,
  retryWithinSeconds: 172_800,
  maxAttempts: 3,
  negativeProofHorizonSeconds: 61,
  evidenceMaxAgeSeconds: 900,
  slaSeconds: 14_400,
  conflictWindowSeconds: 3_600,
  retransmissionSeconds: 100,
  offlineReturnSeconds: 200,
  manualReprocessingSeconds: 0,
  investigationSeconds: 0,
  retentionSeconds: 386_700,
  valueField: '/amount',
  valueCurrency: 'KRW',
  protectionDocument: 'https://provider.example/keys',
  protectionKeyScope: 'one account',
  protectionValidUntil: '2099-01-01T05:06:07.000000Z',
  protectionCheckedBy: 'Kim',
  protectionCheckedAt: '2026-01-01T00:00:00.000000Z',
  dedupeWindowSeconds: 86_400,
  conflictTolerance: null,
  outcomeCodes: {
    DECLINED: { class: 'FINAL' },
    NO_MONEY: { class: 'FIX_FIRST', condition: 'pay in: first' },
  },
  connectorId: null,
  guide: null,
});

const typed = (members: Partial<OperationDraft['members']>) => {
  const draft = draftOf(CONTENT);
  return readDraft({ ...draft, members: { ...draft.members, ...members } }, CONTENT);
};

describe('a policy as a form holds it', () => {
  it('R-048d what a form shows it reads back, to the letter', () => {
    const { content, problems } = readDraft(draftOf(CONTENT), CONTENT);
    expect([...problems]).toEqual([]);
    expect(content).toEqual(CONTENT);
    expect(spanText(90)).toBe('90 s');
    expect(spanText(172_800)).toBe('2 d');
  });

  it('R-039 a retention that does not cover an arrival is refused, and the sum is told', () => {
    expect(typed({ retentionSeconds: '86700 s' }).problems.size).toBe(0);
    const { content, problems } = typed({ retentionSeconds: '86699 s' });
    expect(content).toBeNull();
    expect(problems.get('retentionSeconds')).toEqual({
      code: 'retention',
      way: 'dedupeWindowSeconds',
      seconds: 86_700,
    });
  });

  it('R-016d a proof of protection has five parts or none', () => {
    expect([...typed({ protectionCheckedBy: ' ' }).problems]).toEqual([
      ['protectionCheckedBy', { code: 'proof' }],
    ]);
    const none = {
      protectionDocument: '',
      protectionKeyScope: '',
      protectionValidUntil: '',
      protectionCheckedAt: '',
    };
    expect(typed({ ...none, protectionCheckedBy: '' }).content).toMatchObject({ protectionDocument: null });
  });

  it.each<[Partial<OperationDraft['members']>, object]>([
    [{ authority: '' }, { code: 'missing' }],
    [{ authority: 'Big Money' }, { code: 'authority' }],
    [{ leaseSeconds: '0 s' }, { code: 'span' }],
    [{ leaseSeconds: '2 d' }, { code: 'lease' }],
    [{ slaSeconds: '1.5 h' }, { code: 'span' }],
    [{ slaSeconds: ' h' }, { code: 'missing' }],
    [{ maxAttempts: '101' }, { code: 'number', min: 1, max: 100 }],
    [{ excludeFields: '/ok\n/a~2' }, { code: 'line', line: 2 }],
    [{ fieldDefaults: '/a = 1\n/b = {' }, { code: 'line', line: 2 }],
    [{ fieldDefaults: '/a = 1\n/a = 2' }, { code: 'line', line: 2 }],
    [{ fieldTypes: 'amount: decimal' }, { code: 'line', line: 1 }],
    [{ outcomeCodes: 'DECLINED = NEVER' }, { code: 'line', line: 1 }],
    [{ protectionValidUntil: '2026-13-01' }, { code: 'date' }],
    [{ valueCurrency: 'far too long' }, { code: 'long', max: 10 }],
  ])('R-048d %j is told beside its field', (members, problem) => {
    const { content, problems } = typed(members);
    expect(content).toBeNull();
    expect([...problems]).toEqual([[Object.keys(members)[0], problem]]);
  });

  it('R-048g a guide is whole in both languages, or not there', () => {
    const guide = emptyGuide();
    guide.en.purpose = 'Pays.';
    const { content, problems } = readDraft({ ...draftOf(CONTENT), guide }, CONTENT);
    expect(content).toBeNull();
    expect(problems.size).toBe(19);
    expect(problems.get('guide.ko.purpose')).toEqual({ code: 'missing' });
    for (const language of ['en', 'ko'] as const)
      for (const field of Object.keys(guide.en) as (keyof typeof guide.en)[]) guide[language][field] = 'text';
    expect(readDraft({ ...draftOf(CONTENT), guide }, CONTENT).content?.guide).toEqual(guide);
  });
});
