'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type PersonRef } from '@/lib/domain/person-ref';
import { visibleText } from '@/lib/domain/visible-text';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Select } from '../ui/select';

interface MentionFieldProps {
  people: readonly PersonRef[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** The most that one comment may call; the server's own limit. */
const MOST = 10;

/** Who is called by a comment: picked from the tenant's people, so that no name is guessed from text. */
export function MentionField({ people, chosen, onChange }: MentionFieldProps) {
  const t = useTranslations('exception.together');
  const left = people.filter(({ personId }) => !chosen.includes(personId));
  return (
    <div className="flex flex-col gap-1.5">
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {people
            .filter(({ personId }) => chosen.includes(personId))
            .map(({ personId, displayName }) => (
              <li key={personId}>
                <Button
                  size="sm"
                  aria-label={t('unmention', { who: visibleText(displayName) })}
                  onClick={() => onChange(chosen.filter((each) => each !== personId))}
                >
                  @{visibleText(displayName)}
                  <X aria-hidden />
                </Button>
              </li>
            ))}
        </ul>
      )}
      {left.length > 0 && chosen.length < MOST && (
        <Field label={t('mention')} hint={t('mentionHint')}>
          {(control) => (
            <Select
              {...control}
              value=""
              placeholder={t('mentionNone')}
              onChange={(event) => onChange([...chosen, event.target.value])}
              choices={left.map((person) => ({
                value: person.personId,
                label: visibleText(person.displayName),
              }))}
            />
          )}
        </Field>
      )}
    </div>
  );
}
