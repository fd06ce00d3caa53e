import { useLocale, useTranslations } from 'next-intl';
import { ROLES } from '@/lib/domain/actor';
import { INTAKE_DISPOSITIONS } from '@/lib/domain/dispositions';
import { EXCEPTION_KINDS } from '@/lib/domain/exception-kinds';
import { CATALOGUE } from '@/lib/domain/messages/catalogue';
import { isLocale } from '@/lib/domain/messages/locales';
import { EXECUTION_STATES } from '@/lib/domain/states';
import { KindBadge } from '../exception/kind-badge';
import { VERDICT_LOOK } from '../exception/verdict-look';
import { DISPOSITION_LOOK } from '../execution/disposition-look';
import { STATE_LOOK } from '../execution/state-look';
import { Badge } from '../ui/badge';
import { Meanings, type Meaning } from './meanings';

export const HELP_SECTIONS = ['kinds', 'states', 'dispositions', 'verdicts', 'protection', 'roles'] as const;

const PROTECTIONS = ['SAME_DATABASE', 'PROVIDER_KEY', 'CONDITIONAL', 'LOOKUP_ONLY', 'NONE'] as const;
const VERDICTS = ['APPLIED', 'NOT_APPLIED', 'UNDER_WAY', 'UNCLEAR'] as const;

/** Every word that the desk shows, as it shows it, with what it means. */
export function HelpSections() {
  const t = useTranslations('help');
  const glossary = useTranslations('glossary');
  const roles = useTranslations('common.roles');
  const meanings: Readonly<Record<(typeof HELP_SECTIONS)[number], readonly Meaning[]>> = {
    kinds: EXCEPTION_KINDS.map((kind) => ({
      id: `kind-${kind}`,
      term: <KindBadge kind={kind} />,
      means: glossary(`kind.${kind}.means`),
    })),
    states: EXECUTION_STATES.map((state) => ({
      id: `state-${state}`,
      term: <Badge {...STATE_LOOK[state]}>{glossary(`state.${state}.label`)}</Badge>,
      means: glossary(`state.${state}.means`),
    })),
    dispositions: INTAKE_DISPOSITIONS.map((each) => ({
      id: `disposition-${each}`,
      term: (
        <Badge {...DISPOSITION_LOOK[each]} look="plain">
          {glossary(`disposition.${each}`)}
        </Badge>
      ),
      means: glossary(`dispositionMeans.${each}`),
    })),
    verdicts: VERDICTS.map((each) => ({
      id: `verdict-${each}`,
      term: <Badge {...VERDICT_LOOK[each]}>{glossary(`verdict.${each}`)}</Badge>,
      means: glossary(`verdictMeans.${each}`),
    })),
    protection: PROTECTIONS.map((each) => ({
      id: `protection-${each}`,
      term: glossary(`protection.${each}`),
      means: glossary(`protectionMeans.${each}`),
    })),
    roles: ROLES.map((role) => ({
      id: `role-${role}`,
      term: roles(role),
      means: glossary(`roleMeans.${role}`),
    })),
  };
  return HELP_SECTIONS.map((section) => (
    <Meanings
      key={section}
      id={section}
      title={t(`section.${section}`)}
      lead={t(`sectionLead.${section}`)}
      meanings={meanings[section]}
    />
  ));
}

/** The glossary in the reader's language. Its words are no part of what every page sends to the browser. */
export function HelpWords() {
  const t = useTranslations('help');
  const locale = useLocale();
  const { words } = CATALOGUE[isLocale(locale) ? locale : 'en'];
  return (
    <Meanings
      id="words"
      title={t('words')}
      lead={t('find')}
      meanings={Object.entries(words).map(([key, { term, means }]) => ({ id: `word-${key}`, term, means }))}
    />
  );
}
