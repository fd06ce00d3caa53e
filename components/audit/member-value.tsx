import Link from 'next/link';
import { Fragment, type ReactNode } from 'react';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { AmountText } from '../execution/amount-text';
import { PersonTag } from '../person/person-tag';
import { KeyText } from '../text/key-text';
import { Instant } from '../time/instant';
import { Explained } from '../ui/explained';
import { ActsOf } from './acts-of';
import { LookLink } from './look-link';
import { useMemberWords } from './member-words';

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

interface MemberValueProps {
  name: string;
  values: readonly string[];
  /** The instant that the words name. */
  at?: string;
  /** Of an amount. */
  currency?: string | null;
  /** People by their ids. */
  names?: Readonly<Record<string, string>>;
  /** Events that recorded a look, by the look's id. */
  lookEvents?: ReadonlyMap<string, AuditRecord>;
}

/** What a member holds: codes in words, instants in the reader's zone, people by name, anything else as stored. */
export function MemberValue({ name, values, at, currency, names = {}, lookEvents }: MemberValueProps) {
  const { wordOf, wordsAt, meaningOf } = useMemberWords();
  if (at !== undefined)
    return wordsAt(name, values[0] ?? '', () => <Instant at={at} look="full" className="tabular" />);
  if (currency !== undefined) return <AmountText amount={{ value: values[0] ?? '', currency }} />;
  return values.map((value, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      {INSTANT.test(value) ? (
        <Instant at={value} look="full" className="tabular" />
      ) : (
        <Meant meaning={meaningOf(name, value)}>
          {wordOf(name, value) ?? <Linked {...{ name, value, names, lookEvents }} />}
        </Meant>
      )}
    </Fragment>
  ));
}

/** Words with what they mean, where they need it. */
export function Meant({ meaning, children }: { meaning: string | null; children: ReactNode }) {
  return meaning === null ? children : <Explained meaning={meaning}>{children}</Explained>;
}

/** Members that name something with a page of its own. */
const PAGES: Readonly<Record<string, string>> = {
  newExecutionId: '/executions/',
  supersededBy: '/executions/',
  reissueOf: '/executions/',
  approvalRequestId: '/approvals/',
};
/** Members that name a look. */
const LOOKS: readonly string[] = [
  'lookupId',
  'evidenceId',
  'newEvidenceId',
  'shownEvidenceId',
  'evidenceOnDeciding',
  'evidenceAfterApproval',
];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface LinkedProps {
  name: string;
  value: string;
  names: Readonly<Record<string, string>>;
  lookEvents: ReadonlyMap<string, AuditRecord> | undefined;
}

function Linked({ name, value, names, lookEvents }: LinkedProps) {
  const look = LOOKS.includes(name) ? lookEvents?.get(value) : undefined;
  if (look !== undefined) return <LookLink look={look} />;
  const page = Object.hasOwn(PAGES, name) && UUID.test(value) ? PAGES[name] : undefined;
  if (page === undefined) return <PersonOrText value={value} names={names} />;
  return (
    <Link href={`${page}${value}`} className="text-accent underline underline-offset-2">
      <KeyText value={value} />
    </Link>
  );
}

function PersonOrText({ value, names }: Pick<LinkedProps, 'value' | 'names'>) {
  const displayName = Object.hasOwn(names, value) ? names[value] : undefined;
  if (displayName === undefined) return <KeyText value={value} />;
  return (
    <ActsOf actorId={value}>
      <PersonTag person={{ personId: value, displayName }} />
    </ActsOf>
  );
}
