import { getTranslations } from 'next-intl/server';
import { ReadAgain } from '@/components/audit/read-again';
import { Instant } from '@/components/time/instant';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { type Tone } from '@/components/ui/tone';
import { chainStatus } from '@/lib/audit/chain-status';
import { type Verification } from '@/lib/audit/verifier/verify-log.mjs';

type Words = Awaited<ReturnType<typeof getTranslations<'audit.chain'>>>;

/** What the same verification as the command's finds now. A failure to read is said as such, never as a verdict. */
export async function ChainState() {
  const t = await getTranslations('audit.chain');
  const status = await chainStatus().catch(() => null);
  if (status === null) {
    return (
      <Notice tone="caution" role="status" title={t('failed')} action={<ReadAgain label={t('again')} />}>
        {t('failedBody')}
      </Notice>
    );
  }
  const { tone, title, body } = wordsOf(status.verification, t);
  return (
    <Notice tone={tone} role="status" title={title} action={<ReadAgain label={t('again')} />}>
      {tone !== 'confirmed' && <p>{body}</p>}
      <details className="text-xs text-ink-muted">
        <summary className="cursor-pointer">{t('title')}</summary>
        {tone === 'confirmed' && <p className="mt-1">{body}</p>}
        <p className="mt-1">{t('limit')}</p>
        <p className="mt-1">
          {t('checkedAt')} <Instant at={status.checkedAt} look="full" />
        </p>
        <p className="mt-1">{t('command', { command: 'npm run audit:verify' })}</p>
        <p className="mt-1">
          {t.rich('elsewhere', { code: (text) => <code className="font-mono">{text}</code> })}
        </p>
      </details>
    </Notice>
  );
}

function wordsOf(verification: Verification, t: Words): { tone: Tone; title: string; body: string } {
  switch (verification.kind) {
    case 'verified': {
      if (verification.upTo === 0n) return { tone: 'quiet', title: t('empty'), body: t('verifiedBody') };
      const { signed, misdated } = verification;
      if (misdated !== undefined) {
        const told = { number: misdated.number.toString(), at: misdated.at, against: misdated.against };
        return { tone: 'caution', title: t('misdated', told), body: t('misdatedBody', told) };
      }
      const agrees = signed ? ` ${t('agrees', { number: signed.number.toString() })}` : '';
      const proven = signed?.provenFrom ? ` ${t('proven', { number: signed.provenFrom })}` : '';
      return {
        tone: 'confirmed',
        title: titleOf(verification, t),
        body: `${t('verifiedBody')}${agrees}${proven}`,
      };
    }
    case 'broken': {
      const { number, reason } = verification.fault;
      return {
        tone: 'danger',
        title: t('broken', { number: number.toString() }),
        body: `${t(`reason.${reason}`)} ${t('brokenBody')}`,
      };
    }
    case 'partial': {
      const values = { number: verification.reached.number.toString(), head: verification.head.toString() };
      return { tone: 'accent', title: t('partial', values), body: t('partialBody') };
    }
    case 'distrusted':
      return {
        tone: 'danger',
        title: t('distrusted', { line: verification.fault.line }),
        body: `${t(`trail.${verification.fault.reason}`)} ${t('brokenBody')}`,
      };
    default:
      return verification satisfies never;
  }
}

function titleOf({ after, upTo }: Extract<Verification, { kind: 'verified' }>, t: Words): string {
  const number = upTo.toString();
  return after === undefined
    ? t('verified', { number })
    : t('verifiedFrom', { from: (after + 1n).toString(), number });
}

/** Waits for nothing itself: what takes its place may arrive first, and React's script then looks in vain for where it was. */
export function ChainStatePending({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label}>
      <Skeleton className="h-16 w-full" />
    </div>
  );
}
