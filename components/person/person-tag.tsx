import { CircleDashed } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { VisibleText } from '../text/visible-text';
import { Avatar } from './avatar';

interface TaggedPerson {
  personId: string;
  displayName: string;
}

interface PersonTagProps {
  /** Null is "nobody yet". */
  person: TaggedPerson | null;
  /** The reader's own id, to say "You". */
  me?: string;
}

/** Who has it: initial and name; "You" for the reader; a dashed ring and the word for nobody. */
export function PersonTag({ person, me }: PersonTagProps) {
  const t = useTranslations('common.person');
  if (person === null) {
    return (
      <span className="inline-flex max-w-full min-w-0 items-center gap-1.5 align-middle text-ink-faint">
        <CircleDashed aria-hidden className="size-5 shrink-0 p-0.5" />
        <span className="truncate">{t('unassigned')}</span>
      </span>
    );
  }
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5 align-middle">
      <Avatar personId={person.personId} name={person.displayName} className="size-5" />
      <span className="truncate">
        {person.personId === me ? t('you') : <VisibleText text={person.displayName} />}
      </span>
    </span>
  );
}
