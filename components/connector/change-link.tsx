'use client';

import { useTranslations } from 'next-intl';
import { type ConnectorView } from '@/lib/domain/connector-view';
import { useRefusalText } from '../decision/refusal-text';
import { Button } from '../ui/button';
import { LinkButton } from '../ui/link-button';

/** The way to the form; where nothing can be proposed now, the reason. */
export function ChangeLink({ view }: { view: ConnectorView }) {
  const t = useTranslations('connectors');
  const refusalText = useRefusalText({ roles: ['ADMIN'] });
  const words = t(view.retired ? 'bringBack' : 'change');
  return view.changeRefusal === null ? (
    <LinkButton look="primary" size="sm" href={`/admin/connectors/${view.connectorId}/change`}>
      {words}
    </LinkButton>
  ) : (
    <Button size="sm" disabledReason={refusalText(view.changeRefusal)}>
      {words}
    </Button>
  );
}
