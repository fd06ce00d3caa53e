import { Unlink2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { ErrorState } from '../ui/error-state';
import { LinkButton } from '../ui/link-button';
import { PageHeader } from '../ui/page-header';

interface AddressRefusalProps {
  /** The page's title. */
  title: string;
  /** Parameters that are not understood: their names, which are ours, never their values. Without: the position is. */
  names?: readonly string[];
  /** The list without what is not understood. */
  restart: string;
}

/** The address asks for what does not exist. No row is shown, because others than the asked-for would mislead. */
export function AddressRefusal({ title, names, restart }: AddressRefusalProps) {
  const t = useTranslations('common.address');
  return (
    <>
      <PageHeader title={title} />
      <ErrorState
        icon={Unlink2}
        title={names === undefined ? t('cursor') : t('title')}
        body={names === undefined ? t('cursorBody') : t('body', { names: names.join(', ') })}
        action={<LinkButton href={restart}>{t('start')}</LinkButton>}
      />
    </>
  );
}
