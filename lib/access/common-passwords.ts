import 'server-only';

let loading: Promise<ReadonlySet<string>> | undefined;

/** About 49,000 passwords that leaks show most often, in lower case; read at first use, since only choosing needs them. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((entry) => entry.toLowerCase())),
  );
  return loading;
}
