import { useTranslations } from 'next-intl';
import { type RequestView } from '@/lib/domain/request-view';
import { ReissueExposureFacts } from '../exposure/reissue-exposure';
import { VisibleText } from '../text/visible-text';
import { Panel } from '../ui/panel';

/** What a new key leaves standing beside its original: what is decided here, and later what was decided. */
export function ExposurePanel({ request }: { request: RequestView }) {
  const t = useTranslations('decisions.exposure');
  const { exposure, relation } = request;
  if (exposure === null || relation === null) return null;
  const fate = request.params['originalFate'];
  return (
    <Panel title={t('title')}>
      <ReissueExposureFacts
        relation={relation}
        exposure={exposure}
        sameContent={request.conflict === null}
        made={request.made}
        more={[
          {
            term: t('fate'),
            value: typeof fate === 'string' && fate !== '' ? <VisibleText text={fate} paragraphs /> : null,
            wide: true,
          },
        ]}
      />
    </Panel>
  );
}
