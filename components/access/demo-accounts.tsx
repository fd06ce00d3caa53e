'use client';

import { useTranslations } from 'next-intl';
import { Avatar } from '../person/avatar';

const ACCOUNTS = ['operator', 'operator2', 'approver', 'approver2', 'manager', 'admin', 'admin2'] as const;

/** The demo's people, to be filled in by a press. The password is not here: it lies with whoever started the demo. */
export function DemoAccounts({ onUse }: { onUse: (email: string) => void }) {
  const t = useTranslations('login.demo');
  return (
    <section aria-labelledby="demo-accounts" className="border-t border-line pt-5">
      <h2 id="demo-accounts" className="text-sm font-semibold">
        {t('title')}
      </h2>
      <p className="mt-0.5 text-xs text-pretty text-ink-muted">
        {t.rich('body', { file: () => <code>demo-password</code> })}
      </p>
      <ul className="mt-2.5 -mx-2 flex flex-col">
        {ACCOUNTS.map((account) => (
          <li key={account}>
            <button
              type="button"
              aria-label={t('use', { email: `${account}@demo.local` })}
              onClick={() => onUse(`${account}@demo.local`)}
              className="flex min-h-8 w-full items-center gap-2.5 rounded-md px-2 text-left text-sm hover:bg-hover max-md:min-h-11"
            >
              <Avatar personId={`demo-${account}`} name={account} className="size-5" />
              <span className="w-24 shrink-0 font-medium">{account}</span>
              <span className="min-w-0 truncate text-xs text-ink-muted">{t(account)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
