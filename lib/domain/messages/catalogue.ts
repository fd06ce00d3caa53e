import enAdmin from './en/admin.json';
import enApprovals from './en/approvals.json';
import enAudit from './en/audit.json';
import enBulk from './en/bulk.json';
import enCommon from './en/common.json';
import enConnectors from './en/connectors.json';
import enDecisions from './en/decisions.json';
import enDocs from './en/docs.json';
import enErrors from './en/errors.json';
import enException from './en/exception.json';
import enExecutions from './en/executions.json';
import enGlossary from './en/glossary.json';
import enHelp from './en/help.json';
import enIncidents from './en/incidents.json';
import enLife from './en/life.json';
import enLogin from './en/login.json';
import enLookup from './en/lookup.json';
import enNotifications from './en/notifications.json';
import enPolicies from './en/policies.json';
import enQueue from './en/queue.json';
import enSheet from './en/sheet.json';
import enWords from './en/words.json';
import koAdmin from './ko/admin.json';
import koApprovals from './ko/approvals.json';
import koAudit from './ko/audit.json';
import koBulk from './ko/bulk.json';
import koCommon from './ko/common.json';
import koConnectors from './ko/connectors.json';
import koDecisions from './ko/decisions.json';
import koDocs from './ko/docs.json';
import koErrors from './ko/errors.json';
import koException from './ko/exception.json';
import koExecutions from './ko/executions.json';
import koGlossary from './ko/glossary.json';
import koHelp from './ko/help.json';
import koIncidents from './ko/incidents.json';
import koLife from './ko/life.json';
import koLogin from './ko/login.json';
import koLookup from './ko/lookup.json';
import koNotifications from './ko/notifications.json';
import koPolicies from './ko/policies.json';
import koQueue from './ko/queue.json';
import koSheet from './ko/sheet.json';
import koWords from './ko/words.json';
import { type Locale } from './locales';

export type { Locale };

const english = {
  admin: enAdmin,
  approvals: enApprovals,
  audit: enAudit,
  bulk: enBulk,
  common: enCommon,
  connectors: enConnectors,
  decisions: enDecisions,
  docs: enDocs,
  errors: enErrors,
  exception: enException,
  executions: enExecutions,
  glossary: enGlossary,
  help: enHelp,
  incidents: enIncidents,
  life: enLife,
  login: enLogin,
  lookup: enLookup,
  notifications: enNotifications,
  policies: enPolicies,
  queue: enQueue,
  sheet: enSheet,
  words: enWords,
};

/** The shape of every catalogue: one file per area, named like it. English is the one that types keys. */
export type Messages = typeof english;

const korean = {
  admin: koAdmin,
  approvals: koApprovals,
  audit: koAudit,
  bulk: koBulk,
  common: koCommon,
  connectors: koConnectors,
  decisions: koDecisions,
  docs: koDocs,
  errors: koErrors,
  exception: koException,
  executions: koExecutions,
  glossary: koGlossary,
  help: koHelp,
  incidents: koIncidents,
  life: koLife,
  login: koLogin,
  lookup: koLookup,
  notifications: koNotifications,
  policies: koPolicies,
  queue: koQueue,
  sheet: koSheet,
  words: koWords,
};

/** ICU messages in the words of the glossary; a Korean area that lacks an English key does not compile. */
export const CATALOGUE: Readonly<Record<Locale, Messages>> = { en: english, ko: korean };
