// Ways of opening the doors to outside: deliveries that nobody can verify or that get lost, starts with weak settings.
import type { Mutant } from './mutant';

const WEBHOOK = 'lib/commands/checkpoint-webhook.ts';
const DELIVERY = 'lib/commands/checkpoint-delivery.ts';
const OUTBOX = 'lib/audit/signer/checkpoint-outbox.ts';
const SECRETS = 'lib/domain/webhook-secret.ts';
const AUTHENTICATE = 'lib/ledger/http/authenticate.ts';
const PASSWORD = 'lib/access/password.ts';
const INSTALLATION = 'lib/commands/installation.mjs';
const STARTS = 'lib/commands/production-checks.mjs';
const SIGN_IN = 'lib/access/sign-in.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  ...{ rule, file, find, replace },
});

export const MUTANTS_OF_OUTSIDE: readonly Mutant[] = [
  // What a receiver can verify
  mutant(
    'PR-09',
    WEBHOOK,
    'const id = `checkpoint_${checkpointDigest(record)}`',
    'const id = crypto.randomUUID()',
  ),
  mutant('PR-09', WEBHOOK, 'webhook.sign(id, at, line)', "webhook.sign(id, at, '')"),
  mutant('PR-09', WEBHOOK, '[env[SECRET], env[NEXT_SECRET]]\n', '[env[SECRET]]\n'),
  mutant('PR-09', WEBHOOK, '  return {\n', "  return {\n    'x-secret': 'told',\n"),
  mutant('PR-09', WEBHOOK, 'if (sent.answer.status >= 300)', 'if (false)'),
  mutant(
    'PR-09',
    WEBHOOK,
    'env[SECRET] ? complain(SECRET) : `',
    'env[SECRET] !== undefined ? complain(SECRET) : `',
  ),
  mutant('PR-09', WEBHOOK, '    complain(NEXT_SECRET),\n', ''),
  mutant('PR-09', WEBHOOK, 'env[SECRET] && env[SECRET] === env[NEXT_SECRET]', 'false'),
  mutant(
    'PR-09',
    SECRETS,
    "if (base64 === undefined) return 'FORM';",
    'if (base64 === undefined) return null;',
  ),
  mutant('PR-09', SECRETS, 'bytes.length < LEAST || ', ''),
  mutant('PR-09', SECRETS, ' || bytes.length > MOST', ''),
  mutant('PR-09', SECRETS, 'new Set(bytes).size < VARIETY || ', ''),
  mutant('PR-09', SECRETS, ' || /^[\\x20-\\x7e]*$/.test(bytes)', ''),
  mutant('PR-09', INSTALLATION, '  ...SIGNERS_OWN,\n', ''),
  mutant('PR-09', INSTALLATION, ', ...Object.keys(env).filter(isSecretName)', ''),

  // At least once
  mutant(
    'PR-09',
    OUTBOX,
    'this.delivered() + Buffer.byteLength(line)',
    'this.delivered() + 2 * Buffer.byteLength(line)',
  ),
  mutant('PR-09', DELIVERY, 'await send(line);', 'await send(line).catch(() => undefined);'),
  mutant('PR-09', DELIVERY, 'if (stop.aborted) return;', ''),
  mutant(
    'PR-09',
    DELIVERY,
    'await inTurn(`checkpoint webhook ${folder}`, async',
    'await inTurn(`${Math.random()}`, async',
  ),
  mutant('PR-09', OUTBOX, "line.endsWith('\\n')", "line !== ''"),
  mutant('PR-09', OUTBOX, 'if (size < from)', 'if (false)'),

  // The guard, when set and when sent
  mutant('SS-11', WEBHOOK, 'return fault === null\n', 'return true\n'),
  mutant(
    'SS-11',
    WEBHOOK,
    'json: line, allowLoopback, ...DELIVERY }, resolve)',
    'json: line, allowLoopback, ...DELIVERY })',
  ),
  mutant('SS-11', 'lib/lookup/guarded-fetch.ts', 'if (statusCode >= 300 && statusCode < 400)', 'if (false)'),
  mutant(
    'SS-11',
    'lib/lookup/checked-address.ts',
    'first === undefined || addresses.some(({ address }) => addressReach(address) !== wanted)',
    'first === undefined',
  ),

  // What a guess tells
  mutant('AZ-14', AUTHENTICATE, '[digestOfToken(token)]', '[Buffer.from(token)]'),
  mutant('AZ-14', AUTHENTICATE, 't.digest = $1', "encode(t.digest, 'hex') = encode($1, 'hex')"),
  mutant('AZ-14', AUTHENTICATE, 't.revoked_at is null and ', ''),

  // What an account that is not there tells
  mutant(
    'AN-01',
    PASSWORD,
    'await inTurn(() => verify(against, password))',
    'stored !== null && (await inTurn(() => verify(against, password)))',
  ),
  mutant(
    'AN-01',
    PASSWORD,
    'dummy ??= hashPassword(crypto.randomUUID())',
    'dummy ??= hash(crypto.randomUUID(), { memoryCost: 8_192, timeCost: 1 })',
  ),
  mutant(
    'AN-01',
    SIGN_IN,
    "return { kind: 'refused' };",
    "if (known) await pool.query('select 1');\n    return { kind: 'refused' };",
  ),
  mutant(
    'AN-02',
    'lib/access/admit-sign-in.ts',
    "return { kind: 'wait', seconds };",
    "return { kind: 'wait', seconds: 900 };",
  ),
  mutant(
    'AN-02',
    'lib/domain/sign-in-throttle.ts',
    'wait(history.pair, PAIR), wait(history.source, SOURCE)',
    'wait(history.pair, PAIR)',
  ),
  mutant('AN-02', SIGN_IN, "if (answer.kind === 'wait') {", 'if (false) {'),

  // Starts that are refused
  mutant('SC-06', STARTS, 'complainAboutActionKey(env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY),', 'null,'),
  mutant('SC-06', STARTS, 'bytes.length === ACTION_KEY_BYTES && ', ''),
  mutant('SC-06', STARTS, "bytes.toString('base64') === value;", 'true;'),
  mutant('SC-06', STARTS, ' && new Set(bytes).size >= SECRET_VARIETY', ''),
  mutant(
    'SC-06',
    STARTS,
    '`${name} is weak: use the output of',
    '`${name} is weak: ${value}; use the output of',
  ),
  mutant('SC-06', STARTS, 'return absent\n', 'return !absent\n'),
  mutant(
    'SC-06',
    STARTS,
    "if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return null;",
    'return null;',
  ),
  mutant(
    'SC-06',
    WEBHOOK,
    '`${name} ${FAULTS[fault]}. ${HOW_TO}`',
    '`${name} (${env[name]}) ${FAULTS[fault]}. ${HOW_TO}`',
  ),
];
