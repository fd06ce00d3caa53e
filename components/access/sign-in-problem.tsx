import { useTranslations } from 'next-intl';
import { Notice } from '../ui/notice';

const KNOWN = [
  'CredentialsSignin',
  'SessionExpired',
  'SignedOut',
  'Unreachable',
  // Of the provider
  'ProviderUnreachable',
  'ProviderFailed',
  'ProviderDenied',
  'EmailUnverified',
  'NotInvited',
  'PersonDisabled',
  'OtherPerson',
  'IdentityTaken',
  'LinkFirst',
  'ShowAgain',
] as const;
const CALM: readonly string[] = ['SessionExpired', 'SignedOut'];

/**
 * Why somebody is asked to sign in, in words.
 * @param code of the login's answer or the address: one of KNOWN, or `Throttled_<seconds>`; others are told generally
 */
export function SignInProblem({ code }: { code: string }) {
  const t = useTranslations('login.error');
  const seconds = /^Throttled_(\d{1,4})$/.exec(code)?.[1];
  const known = KNOWN.find((each) => each === code);
  const calm = CALM.includes(code);
  return (
    <Notice tone={calm ? 'accent' : 'danger'} role={calm ? 'status' : 'alert'}>
      {seconds !== undefined ? t('ThrottledFor', { seconds: Number(seconds) }) : t(known ?? 'Default')}
    </Notice>
  );
}
