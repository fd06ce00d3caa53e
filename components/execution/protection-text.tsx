import { useTranslations } from 'next-intl';
import { type Protection } from '@/lib/domain/protection';
import { Explained } from '../ui/explained';

/** The protection that counts, and what was declared where nobody's proof of it holds. */
export function ProtectionText({ of }: { of: Protection }) {
  const words = useTranslations('glossary');
  const counts = words(`protection.${of.protectionClass}`);
  if (of.declaredProtection === of.protectionClass) return counts;
  return words('protectionUnproven', { counts, declared: words(`protection.${of.declaredProtection}`) });
}

/** The same with what the class means, for pages of facts. */
export function ExplainedProtection({ of }: { of: Protection }) {
  const t = useTranslations('glossary.protectionMeans');
  return (
    <Explained meaning={t(of.protectionClass)}>
      <ProtectionText of={of} />
    </Explained>
  );
}
