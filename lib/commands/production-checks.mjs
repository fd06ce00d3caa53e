// What `npm start` refuses, before anything listens.
import pg from 'pg';
import { complainAboutProvider } from '../access/provider-settings.mjs';

/** Characters: 32 of base64url carry more than 128 bits, and shorter ones are usually typed by hand. */
const SECRET_LENGTH = 32;
/** Distinct characters; random text of that length has more, a repeated word has fewer. */
const SECRET_VARIETY = 10;
const PLACEHOLDER =
  /change.?me|example|placeholder|password|secret.?secret|your.?secret|0123456789|abcdefgh/i;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function complainAboutSecret(name, value) {
  if (!value) return `${name} is not set.`;
  if (value.length < SECRET_LENGTH || new Set(value).size < SECRET_VARIETY || PLACEHOLDER.test(value)) {
    return `${name} is weak: use at least ${SECRET_LENGTH} random characters, such as the output of \`openssl rand -base64 32\`.`;
  }
  return null;
}

const ACTION_KEY = 'NEXT_SERVER_ACTIONS_ENCRYPTION_KEY';
/** Bytes: the framework takes shorter AES keys as well, and one of its own build has as many. */
const ACTION_KEY_BYTES = 32;

/**
 * What is wrong with a key that encrypts what server actions carry.
 * @param {string | undefined} value nothing: the build's own is used
 * @param {string} [name] where it comes from
 */
export function complainAboutActionKey(value, name = ACTION_KEY) {
  if (!value) return null;
  const bytes = Buffer.from(value, 'base64');
  const isWhole = bytes.length === ACTION_KEY_BYTES && bytes.toString('base64') === value;
  if (isWhole && new Set(bytes).size >= SECRET_VARIETY && !/^[\x20-\x7e]*$/.test(bytes.toString('latin1')))
    return null;
  return `${name} is weak: use the output of \`openssl rand -base64 ${ACTION_KEY_BYTES}\` for the build and each start, or leave it out.`;
}

function complainAboutOrigin(value) {
  if (!value) return 'NEXTAUTH_URL is not set: the address under which people open the desk.';
  let url;
  try {
    url = new URL(value);
  } catch {
    return 'NEXTAUTH_URL is no address.'; // it may hold what was meant for another variable
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return null;
  return `NEXTAUTH_URL must be https: browsers keep the session cookies on https and on this machine only, not on ${url.origin}.`;
}

function complainAboutDatabaseUrl(value) {
  if (!value) return 'DATABASE_URL is not set: the database, with the role onceover_app.';
  return /^postgres(ql)?:\/\//.test(value) ? null : 'DATABASE_URL must begin with postgresql://';
}

/** Settings that are for one's own machine: a door for debuggers, a log of what is sent, or outside systems believed without a certificate. */
function complainAboutDebugging(env) {
  const doors = ['NODE_OPTIONS', 'NODE_DEBUG', 'NODE_V8_COVERAGE'].filter((name) =>
    name === 'NODE_OPTIONS' ? /--inspect/.test(env[name] ?? '') : env[name],
  );
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') doors.push('NODE_TLS_REJECT_UNAUTHORIZED');
  if (env.NODE_ENV && env.NODE_ENV !== 'production') doors.push('NODE_ENV');
  return doors.map((name) => `${name} is set for debugging: unset it.`);
}

/**
 * Everything that is wrong with the environment of a production start.
 * @param {Record<string, string | undefined>} env
 * @returns {string[]}
 */
export function complainAboutEnvironment(env) {
  const same = env.NEXTAUTH_SECRET && env.NEXTAUTH_SECRET === env.FIELD_HASH_KEY;
  return [
    complainAboutDatabaseUrl(env.DATABASE_URL),
    complainAboutSecret('NEXTAUTH_SECRET', env.NEXTAUTH_SECRET),
    complainAboutOrigin(env.NEXTAUTH_URL),
    complainAboutSecret('FIELD_HASH_KEY', env.FIELD_HASH_KEY),
    complainAboutActionKey(env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY),
    same ? 'NEXTAUTH_SECRET and FIELD_HASH_KEY must be two different secrets.' : null,
    ...complainAboutDebugging(env),
    ...complainAboutProvider(env),
  ].filter((complaint) => complaint !== null);
}

/** Seconds, as the audit page has them: older than that, what is not signed is late. */
const SIGNER_SECONDS = 120;

const SIGNER = `
  SELECT coalesce(seen_at < ledger.clock() - make_interval(secs => ${SIGNER_SECONDS}), true) AS absent FROM review.audit_signer`;

/**
 * What a start says when nobody signs the audit: the signer is a program of its own, and its absence stops no work.
 * @param {string} url of the app's role, in a migrated database
 * @returns {Promise<string | null>}
 */
export async function noticeOfSigner(url) {
  const { absent } = await asked(url, SIGNER);
  return absent
    ? 'Nobody signs the audit: no signer has been here in the last two minutes. Run `npm run audit:signer` beside this; until then the audit page and /api/ready tell of it.'
    : null;
}

// Its own schemas, or membership in the role that owns them, would let a fault in a page change the rules themselves.
const ROLE = `
  SELECT current_user AS name, r.rolsuper, r.rolbypassrls, r.rolcreaterole, r.rolcreatedb,
         EXISTS (SELECT FROM pg_namespace n WHERE n.nspname IN ('ledger', 'review')
                  AND pg_has_role(current_user, n.nspowner, 'MEMBER')) AS owns,
         to_regnamespace('review') IS NOT NULL AS migrated,
         coalesce(has_schema_privilege(to_regnamespace('graphile_worker'), 'USAGE'), false) AS runs_jobs
  FROM pg_roles r WHERE r.rolname = current_user`;

const asked = async (url, question) => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query(question)).rows[0];
  } finally {
    await client.end();
  }
};

/**
 * What is wrong with the role of an address.
 * @param {string} variable its name
 * @param {string} url
 * @returns {Promise<{ complaints: string[], runsJobs: boolean }>}
 */
export async function inspectRole(variable, url) {
  let role;
  try {
    role = await asked(url, ROLE);
  } catch (error) {
    return { complaints: [`${variable}: the database cannot be reached: ${error.message}`], runsJobs: false };
  }
  const powers = [
    role.rolsuper && 'is a superuser',
    role.rolbypassrls && 'passes row level security',
    role.rolcreaterole && 'may make roles',
    role.rolcreatedb && 'may make databases',
    role.owns && 'owns the schemas',
  ].filter(Boolean);
  const complaints = [];
  if (powers.length > 0) {
    complaints.push(
      `${variable}: the role ${role.name} ${powers.join(', ')}. Served processes use onceover_app and onceover_worker.`,
    );
  }
  if (!role.migrated) {
    complaints.push(
      `${variable}: the database is empty. Run \`npm run db:migrate\` with DATABASE_OWNER_URL first.`,
    );
  }
  return { complaints, runsJobs: role.runs_jobs };
}
