import { Cpu } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { SYSTEM_ACTORS, systemActorOf } from '@/lib/domain/system-actors';
import { PersonTag } from '../person/person-tag';
import { KeyText } from '../text/key-text';

interface AuditActorProps {
  kind: string;
  id: string;
  /** As it was then. */
  name: string;
  /** The reader's own id, to say "You". */
  me: string;
}

/** Who acted: a person by the name of that time, or which part of the system. */
export function AuditActor({ kind, id, name, me }: AuditActorProps) {
  const t = useTranslations('audit.actor');
  if (kind === 'person') return <PersonTag person={{ personId: id, displayName: name }} me={me} />;
  const known = systemActorOf(id);
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5 align-middle text-ink-muted">
      <Cpu aria-hidden className="size-5 shrink-0 p-0.5" />
      <span className="truncate">
        {t('system')} · {known === null ? <KeyText value={id} /> : t(SYSTEM_ACTORS[known])}
      </span>
    </span>
  );
}
