// Small ways of breaking the product, each with the rule whose tests must notice. `npm run rules -- --mutate` runs them.
import { inForce } from './in-force';
import type { Mutant } from './mutant';
import { MUTANTS_OF_ACCESS } from './mutants-of-access';
import { MUTANTS_OF_APPROVALS } from './mutants-of-approvals';
import { MUTANTS_OF_AUDIT } from './mutants-of-audit';
import { MUTANTS_OF_AUDITORS_QUESTIONS } from './mutants-of-auditors-questions';
import { MUTANTS_OF_BULK } from './mutants-of-bulk';
import { MUTANTS_OF_BULK_JOBS } from './mutants-of-bulk-jobs';
import { MUTANTS_OF_CLAIMS } from './mutants-of-claims';
import { MUTANTS_OF_CLIENT } from './mutants-of-client';
import { MUTANTS_OF_CONNECTOR_FORMS } from './mutants-of-connector-forms';
import { MUTANTS_OF_CONNECTORS } from './mutants-of-connectors';
import { MUTANTS_OF_DECISIONS } from './mutants-of-decisions';
import { MUTANTS_OF_DEMOTIONS } from './mutants-of-demotions';
import { MUTANTS_OF_DOMAIN } from './mutants-of-domain';
import { MUTANTS_OF_ENDINGS } from './mutants-of-endings';
import { MUTANTS_OF_ERASURE } from './mutants-of-erasure';
import { MUTANTS_OF_EVIDENCE } from './mutants-of-evidence';
import { MUTANTS_OF_FOUR_EYES } from './mutants-of-four-eyes';
import { MUTANTS_OF_EXPOSURE } from './mutants-of-exposure';
import { MUTANTS_OF_HELD_REPORTS } from './mutants-of-held-reports';
import { MUTANTS_OF_HOLES } from './mutants-of-holes';
import { MUTANTS_OF_INCIDENTS } from './mutants-of-incidents';
import { MUTANTS_OF_INCLUSION } from './mutants-of-inclusion';
import { MUTANTS_OF_LAPSES } from './mutants-of-lapses';
import { MUTANTS_OF_LIFE_LINE } from './mutants-of-life-line';
import { MUTANTS_OF_LOOKUP } from './mutants-of-lookup';
import { MUTANTS_OF_NOTIFICATIONS } from './mutants-of-notifications';
import { MUTANTS_OF_OPERATION_IDS } from './mutants-of-operation-ids';
import { MUTANTS_OF_OPERATION_POLICIES } from './mutants-of-operation-policies';
import { MUTANTS_OF_OUTSIDE } from './mutants-of-outside';
import { MUTANTS_OF_PAGES } from './mutants-of-pages';
import { MUTANTS_OF_PEOPLE } from './mutants-of-people';
import { MUTANTS_OF_POLICIES } from './mutants-of-policies';
import { MUTANTS_OF_PROOF } from './mutants-of-proof';
import { MUTANTS_OF_PROTOCOL } from './mutants-of-protocol';
import { MUTANTS_OF_PROVIDER_ANSWERS } from './mutants-of-provider-answers';
import { MUTANTS_OF_QUEUE_DESK } from './mutants-of-queue-desk';
import { MUTANTS_OF_RECIPES } from './mutants-of-recipes';
import { MUTANTS_OF_RETENTION } from './mutants-of-retention';
import { MUTANTS_OF_RUN_ONCE } from './mutants-of-run-once';
import { MUTANTS_OF_SEAL } from './mutants-of-seal';
import { MUTANTS_OF_SECOND_READING } from './mutants-of-second-reading';
import { MUTANTS_OF_THIRD_READING } from './mutants-of-third-reading';
import { MUTANTS_OF_SHEETS } from './mutants-of-sheets';
import { MUTANTS_OF_SIGN_IN } from './mutants-of-sign-in';
import { MUTANTS_OF_SQL } from './mutants-of-sql';
import { MUTANTS_OF_TRAIL } from './mutants-of-trail';
import { MUTANTS_OF_WORDS } from './mutants-of-words';

export const MUTANTS: readonly Mutant[] = [
  ...MUTANTS_OF_LOOKUP,
  ...MUTANTS_OF_SHEETS,
  ...MUTANTS_OF_SQL,
  ...MUTANTS_OF_ACCESS,
  ...MUTANTS_OF_DECISIONS,
  ...MUTANTS_OF_DOMAIN,
  ...MUTANTS_OF_EVIDENCE,
  ...MUTANTS_OF_ERASURE,
  ...MUTANTS_OF_POLICIES,
  ...MUTANTS_OF_PROOF,
  ...MUTANTS_OF_PROTOCOL,
  ...MUTANTS_OF_RUN_ONCE,
  ...MUTANTS_OF_CLIENT,
  ...MUTANTS_OF_WORDS,
  ...MUTANTS_OF_CLAIMS,
  ...MUTANTS_OF_ENDINGS,
  ...MUTANTS_OF_AUDIT,
  ...MUTANTS_OF_PEOPLE,
  ...MUTANTS_OF_TRAIL,
  ...MUTANTS_OF_BULK,
  ...MUTANTS_OF_BULK_JOBS,
  ...MUTANTS_OF_SIGN_IN,
  ...MUTANTS_OF_APPROVALS,
  ...MUTANTS_OF_PAGES,
  ...MUTANTS_OF_FOUR_EYES,
  ...MUTANTS_OF_OUTSIDE,
  ...MUTANTS_OF_QUEUE_DESK,
  ...MUTANTS_OF_RECIPES,
  ...MUTANTS_OF_RETENTION,
  ...MUTANTS_OF_SEAL,
  ...MUTANTS_OF_EXPOSURE,
  ...MUTANTS_OF_HOLES,
  ...MUTANTS_OF_OPERATION_IDS,
  ...MUTANTS_OF_CONNECTORS,
  ...MUTANTS_OF_CONNECTOR_FORMS,
  ...MUTANTS_OF_OPERATION_POLICIES,
  ...MUTANTS_OF_AUDITORS_QUESTIONS,
  ...MUTANTS_OF_DEMOTIONS,
  ...MUTANTS_OF_INCIDENTS,
  ...MUTANTS_OF_HELD_REPORTS,
  ...MUTANTS_OF_LIFE_LINE,
  ...MUTANTS_OF_LAPSES,
  ...MUTANTS_OF_NOTIFICATIONS,
  ...MUTANTS_OF_SECOND_READING,
  ...MUTANTS_OF_THIRD_READING,
  ...MUTANTS_OF_PROVIDER_ANSWERS,
  ...MUTANTS_OF_INCLUSION,
].map(inForce);
