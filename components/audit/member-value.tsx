import { Fragment } from 'react';
import { PersonTag } from '../person/person-tag';
import { KeyText } from '../text/key-text';
import { Instant } from '../time/instant';
import { useMemberWords } from './member-words';

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

interface MemberValueProps {
  name: string;
  values: readonly string[];
  /** People by their ids. */
  names?: Readonly<Record<string, string>>;
}

/** What a member holds: codes in words, instants in the reader's zone, people by name, anything else as stored. */
export function MemberValue({ name, values, names = {} }: MemberValueProps) {
  const { wordOf } = useMemberWords();
  return values.map((value, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      {INSTANT.test(value) ? (
        <Instant at={value} look="full" className="tabular" />
      ) : (
        (wordOf(name, value) ?? <PersonOrText value={value} names={names} />)
      )}
    </Fragment>
  ));
}

function PersonOrText({ value, names }: { value: string; names: Readonly<Record<string, string>> }) {
  const displayName = Object.hasOwn(names, value) ? names[value] : undefined;
  if (displayName === undefined) return <KeyText value={value} />;
  return <PersonTag person={{ personId: value, displayName }} />;
}
