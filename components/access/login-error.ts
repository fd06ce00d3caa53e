import { type Messages } from '@/lib/domain/messages/catalogue';

export type LoginNotice = keyof Messages['login']['error'];

/** What next-auth or our own redirect says, as a message; whatever is not known becomes the general one. */
export function loginNotice(code: string | null | undefined): LoginNotice | null {
  if (code == null || code === '') return null;
  // The seconds behind it tell an attacker more than a person.
  if (code.startsWith('Throttled')) return 'Throttled';
  const known: readonly LoginNotice[] = ['CredentialsSignin', 'SessionExpired', 'SignedOut', 'Unreachable'];
  return known.find((each) => each === code) ?? 'Default';
}
