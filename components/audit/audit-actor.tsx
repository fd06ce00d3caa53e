import { Cpu } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { ActsOf } from './acts-of';
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
  /** Leads to what they did; not where a link lies around it. */
  linked?: boolean;
}

/** Who acted: a person by the name of that time, or which part of the system. */
export function AuditActor({ kind, id, name, me, linked = false }: AuditActorProps) {
  const t = useTranslations('audit.actor');
  if (kind === 'person') {
    const tag = <PersonTag person={{ personId: id, displayName: name }} me={me} />;
    return linked ? <ActsOf actorId={id}>{tag}</ActsOf> : tag;
  }
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
