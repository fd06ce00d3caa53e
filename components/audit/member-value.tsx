import { Fragment } from 'react';
import { KeyText } from '../text/key-text';
import { Instant } from '../time/instant';
import { useMemberWords } from './member-words';

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** What a member holds: codes in words, instants in the reader's zone, anything else as stored. */
export function MemberValue({ name, values }: { name: string; values: readonly string[] }) {
  const { wordOf } = useMemberWords();
  return values.map((value, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      {INSTANT.test(value) ? (
        <Instant at={value} look="full" className="tabular" />
      ) : (
        (wordOf(name, value) ?? <KeyText value={value} />)
      )}
    </Fragment>
  ));
}
