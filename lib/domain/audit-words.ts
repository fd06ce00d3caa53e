/** Where the words for a code lie in the catalogue, most fitting first; `*` stands for the code. */
const VOCABULARIES: Readonly<Record<string, readonly string[]>> = {
  state: ['glossary.state.*.label', 'approvals.state.*', 'glossary.exceptionState.*'],
  kind: ['glossary.kind.*.label', 'approvals.kind.*'],
  kinds: ['approvals.kind.*'],
  removes: ['audit.yesNo.*'],
  retires: ['audit.yesNo.*'],
  asks: ['audit.yesNo.*'],
  finding: ['approvals.breakGlass.finding.*'],
  fromEffect: ['glossary.effectClass.*'],
  role: ['common.roles.*'],
  effectClass: ['glossary.effectClass.*'],
  protectionClass: ['glossary.protection.*'],
  proof: ['policies.choice.proof.*.label'],
  keyless: ['policies.choice.keyless.*.label'],
  singleExecutor: ['policies.choice.singleExecutor.*.label'],
  authority: ['common.authorities.*'],
  decision: ['decisions.decision.*.title'],
  verdict: ['glossary.verdict.*', 'audit.verdict.*'],
  outcome: ['lookup.outcome.*', 'audit.effect.*'],
  disposition: ['glossary.disposition.*'],
  relation: ['glossary.relation.*'],
  otherFate: ['decisions.field.fate.*'],
  externalStatus: ['lookup.status.*'],
  errorClass: ['lookup.error.*'],
  automatic: ['audit.yesNo.*'],
  conclusive: ['audit.yesNo.*'],
  conclusiveApplied: ['audit.yesNo.*'],
  conclusiveNotApplied: ['audit.yesNo.*'],
  originalState: ['glossary.state.*.label'],
  originalEffect: ['decisions.exposure.original.*'],
  authorityNeeded: ['audit.actor.beyond.*', 'common.authorities.*'],
  secrets: ['decisions.secret.*'],
  method: ['audit.method.*'],
  limit: ['audit.limit.*'],
  reason: ['approvals.voidReason.*'],
  voidReason: ['approvals.voidReason.*'],
  roles: ['common.roles.*'],
  authorities: ['common.authorities.*'],
  list: ['common.nav.*'],
  filters: ['audit.filterName.*'],
  erased: ['audit.member.*'],
  refusalCode: ['audit.refusal.*'],
  shownEvidenceId: ['audit.without.*'],
  stakeAmount: ['audit.without.*'],
};

/** Codes alone; a person's words and an outside system's ids are never looked up. */
const CODE = /^[A-Za-z_]{1,64}$/;

/**
 * The message that says in words what a member of an event's stored text holds (R-088b); null for what has no words and is
 * shown as it is stored. `has` asks the reader's catalogue.
 */
export function auditWord(member: string, value: string, has: (message: string) => boolean): string | null {
  if (!Object.hasOwn(VOCABULARIES, member) || !CODE.test(value) || value === 'other') return null;
  return (VOCABULARIES[member] ?? []).map((place) => place.replace('*', value)).find(has) ?? null;
}

/** The message that names a member; a sweep counts what it found under the kinds' own names. */
export function auditMember(name: string, has: (message: string) => boolean): string | null {
  if (!CODE.test(name)) return null;
  return (
    [
      `audit.member.${name}`,
      `glossary.kind.${name}.label`,
      `glossary.state.${name}.label`,
      `policies.member.${name}.label`,
    ].find(has) ?? null
  );
}

/** Words of the trade that name members, by their entries in the glossary. */
const TERMS: Readonly<Record<string, string>> = {
  fencingToken: 'words.fencingToken.means',
  leaseExpiresAt: 'words.lease.means',
  intakeId: 'words.intake.means',
};

/** The message that explains what a member is; null for what needs no explanation. */
export const auditTerm = (name: string): string | null =>
  Object.hasOwn(TERMS, name) ? (TERMS[name] ?? null) : null;

/** The message that explains a code which stands in words, where the catalogue has one beside them. */
export function auditMeaning(
  member: string,
  value: string,
  has: (message: string) => boolean,
): string | null {
  const word = auditWord(member, value, has);
  if (word === null) return null;
  const beside = word.endsWith('.label')
    ? word.replace(/label$/, 'means')
    : word.replace(/\.([A-Za-z_]+)$/, 'Means.$1');
  return beside !== word && has(beside) ? beside : null;
}
