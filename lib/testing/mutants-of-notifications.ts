// Ways of breaking what people are told, and what they do together.
import type { Mutant } from './mutant';

const NOTIFICATIONS = 'prisma/migrations/20261206000500_notifications/migration.sql';
const OUTBOX = 'prisma/migrations/20261206000510_outbox/migration.sql';
const PROPOSALS = 'prisma/migrations/20261207000410_proposals_are_told/migration.sql';
const MARKS = 'prisma/migrations/20261207000310_marks_of_the_sweep/migration.sql';
const TOGETHER = 'prisma/migrations/20261206000520_working_together/migration.sql';
const LIST = 'lib/review/notifications/list-notifications.ts';
const TIME = 'lib/domain/delivery-time.ts';
const WORKING = 'lib/domain/working-together.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_NOTIFICATIONS: readonly Mutant[] = [
  // Who is told
  mutant('R-049b', PROPOSALS, ' AND p.person_id::text <> a.actor_id\n', '\n'),
  mutant(
    'R-049b',
    NOTIFICATIONS,
    'FOR EACH ROW EXECUTE FUNCTION review.notifications_follow_event();',
    "FOR EACH ROW WHEN (NEW.event <> 'assigned') EXECUTE FUNCTION review.notifications_follow_event();",
  ),
  mutant(
    'R-049c',
    NOTIFICATIONS,
    "< cardinality(v_mentions) THEN 'MENTION_NOT_SUITABLE' END;",
    "< 0 THEN 'MENTION_NOT_SUITABLE' END;",
  ),
  mutant('R-049c', NOTIFICATIONS, 'PERFORM review.hold_people(v_mentions);', 'NULL;'),
  mutant('R-049d', NOTIFICATIONS, "x.exception_id || ' ' || pg_current_xact_id()", 'x.exception_id::text'),
  mutant('R-049d', NOTIFICATIONS, "AND NOT w.person_id = ANY (coalesce(v_told, '{}'))", ''),
  mutant(
    'R-049d',
    NOTIFICATIONS,
    'WHERE exception_id = p_exception_id AND tenant_id = ANY (v_actor.tenant_ids)) THEN',
    'WHERE exception_id = p_exception_id) THEN',
  ),
  mutant('R-049e', NOTIFICATIONS, 'review.may_pass_step(p, r.kind, r.tenant_id, o.authority, step)', 'true'),
  mutant('R-049e', NOTIFICATIONS, 'ARRAY[NEW.started_by]', "'{}'"),
  mutant('R-049e', NOTIFICATIONS, "roles && ARRAY['MANAGER', 'APPROVER']", "roles && ARRAY['APPROVER']"),
  mutant('R-049f', NOTIFICATIONS, "WHEN 'resumed' THEN 'DEFERRAL_OVER'", ''),
  mutant(
    'R-049g',
    NOTIFICATIONS,
    "'UNOWNED', x.tenant_id, NULL, NULL, NULL, x.tenant_id || ' ' || v_day);",
    "'UNOWNED', x.tenant_id, NULL, NULL, NULL, x.tenant_id);",
  ),
  mutant('R-049g', MARKS, 'WHERE m.remind_at <= v_now ORDER', 'WHERE m.remind_at > v_now ORDER'),
  mutant('R-049h', LIST, 'and n.tenant_id = any(${', 'and n.tenant_id <> all(${'),
  mutant(
    'R-049h',
    NOTIFICATIONS,
    'WHERE person_id = v_person AND read_at IS NULL',
    'WHERE v_person IS NOT NULL AND read_at IS NULL',
  ),
  mutant('R-049h', NOTIFICATIONS, "OR made_at <= (p_input->>'upTo')::timestamptz)", "OR p_input ? 'upTo')"),
  mutant(
    'R-049h',
    'lib/review/notifications/count-unread.ts',
    'and tenant_id = any($2::text[])',
    'and $2::text[] is not null',
  ),
  mutant('R-049h', 'lib/review/notifications/count-unread.ts', 'const MOST = 99;', 'const MOST = 999;'),

  // Mail and chat
  mutant(
    'R-049i',
    OUTBOX,
    "IF NOT pg_try_advisory_xact_lock(hashtextextended('onceover outbox', 0)) THEN RETURN; END IF;\n",
    '',
  ),
  mutant('R-049i', OUTBOX, 'AND n.read_at IS NULL AND p.disabled_at IS NULL', 'AND n.read_at IS NULL'),
  mutant('R-049i', OUTBOX, 'AND n.read_at IS NULL AND p.disabled_at', 'AND p.disabled_at'),
  mutant(
    'R-049i',
    OUTBOX,
    'p.disabled_at IS NULL AND n.tenant_id = ANY (p.tenant_ids);\n',
    'p.disabled_at IS NULL;\n',
  ),
  mutant('R-049i', OUTBOX, "WHEN p_for_good OR attempts >= 8 THEN 'DEAD'", "WHEN attempts >= 8 THEN 'DEAD'"),
  mutant(
    'R-049i',
    OUTBOX,
    'make_interval(mins => m.attempts * m.attempts)',
    'make_interval(mins => m.attempts)',
  ),
  mutant('R-049i', OUTBOX, 'SET attempts = attempts + 1, tried_at', 'SET tried_at'),
  mutant('R-049i', 'lib/outbox/send-mail.ts', 'messageId: `<${message.messageId}@${domain}>`,', ''),
  mutant(
    'R-049i',
    'lib/outbox/send-mail.ts',
    'forGood: responseCode >= 500 &&',
    'forGood: responseCode >= 400 &&',
  ),
  mutant('R-049i', 'lib/outbox/send-mail.ts', "if (typeof responseCode !== 'number')", 'if (false)'),
  mutant('R-049i', 'lib/outbox/send-chat.ts', ".replaceAll('<', '&lt;')", ''),
  mutant('R-049i', 'lib/outbox/send-chat.ts', 'status === 429 || status >= 500', 'status === 429'),
  mutant('R-049i', 'lib/outbox/message-words.ts', 'tenant: visibleText(item.tenant)', "tenant: ''"),

  // What each person chose
  mutant(
    'R-049j',
    TIME,
    'if (isUrgent && times.breaks_quiet) return now;',
    'if (times.breaks_quiet) return now;',
  ),
  mutant('R-049j', TIME, 'before - since > DAY_MINUTES / 2', 'since < before'),
  mutant('R-049j', TIME, 'const LARGEST_JUMP = 180;', 'const LARGEST_JUMP = 0;'),
  mutant('R-049j', TIME, 'minute >= quiet_from || minute < quiet_to', 'minute >= quiet_from'),
  mutant('R-049j', 'lib/outbox/plan-deliveries.ts', 'goesBy(settings, way, row.reason)', 'way !== undefined'),
  mutant('R-049j', 'lib/domain/notification-settings.ts', 'given.quiet_from !== given.quiet_to', 'true'),

  // Working together
  mutant('R-049k', NOTIFICATIONS, "review.visible_length(p_input->>'note') NOT BETWEEN 1 AND 1000", 'false'),
  mutant('R-049k', WORKING, " && note.detail['handedTo'] === me", ''),
  mutant('R-049k', WORKING, 'activity[given - 1]', 'activity[given]'),
  mutant('R-049k', WORKING, "actor.kind === 'person'", "actor.name !== 'nobody'"),
  mutant('R-049k', WORKING, "username === '' && password === '' && ", ''),
  mutant('R-049k', TOGETHER, "CHECK (address ~ '^https://[^[:space:]]+$' AND", 'CHECK ('),
  mutant(
    'R-089k',
    TOGETHER,
    '  DELETE FROM review.ticket_links WHERE exception_id = ANY (p_exceptions);\n',
    '',
  ),
  mutant('R-089k', TOGETHER, '  DELETE FROM review.notifications WHERE person_id = s.person;\n', ''),
  mutant(
    'R-049l',
    TOGETHER,
    "WHERE seen_at < v_now - interval '45 seconds' LIMIT 50",
    "WHERE seen_at < v_now - interval '45 days' LIMIT 50",
  ),
  mutant('R-049l', TOGETHER, 'AND p.disabled_at IS NULL AND v_tenant = ANY (p.tenant_ids)\n', '\n'),
  mutant(
    'R-049l',
    TOGETHER,
    'AND x.tenant_id = ANY (p.tenant_ids) WHERE x.exception_id',
    'WHERE x.exception_id',
  ),
  mutant(
    'R-049m',
    TOGETHER,
    'ORDER BY t.last_at NULLS FIRST, t.given NULLS FIRST, p.person_id',
    'ORDER BY p.person_id',
  ),
  mutant(
    'R-049m',
    TOGETHER,
    'p.authorities, p_authority) IS NULL\n    AND CASE',
    'p.authorities, NULL) IS NULL\n    AND CASE',
  ),
  mutant('R-049m', TOGETHER, "AND s.last_seen_at > ledger.clock() - interval '10 minutes') END", ') END'),
  mutant(
    'R-049m',
    TOGETHER,
    'WHERE p.disabled_at IS NULL AND (r).tenant_id = ANY (p.tenant_ids)',
    'WHERE (r).tenant_id = ANY (p.tenant_ids)',
  ),
  mutant('R-049m', TOGETHER, 'AND n.rule_id <> r.rule_id', 'AND false'),
  mutant('R-049m', MARKS, 'to_assign AND NEW.assignee_id IS NULL,', 'NEW.assignee_id IS NULL,'),

  // What the sweep has to do, and nothing else
  mutant(
    'R-049n',
    MARKS,
    'IF review.next_assignee(r, x.authority) IS NULL THEN v_nobodys',
    'IF false THEN v_nobodys',
  ),
  mutant('R-049n', MARKS, 'ANY (v_nobodys) LIMIT 50 FOR', 'ANY (v_nobodys) FOR'),
  mutant('R-049n', MARKS, 'assignee_id IS NULL FOR NO KEY UPDATE SKIP LOCKED;', 'assignee_id IS NULL;'),
  mutant('R-049o', MARKS, "'OVERDUE', x.tenant_id, x.exception_id", "'WATCHED', x.tenant_id, x.exception_id"),
  mutant('R-049o', MARKS, 'greatest(x.due_at, x.deferred_until)', 'x.due_at'),
  mutant('R-049o', MARKS, 'SET remind_at = NULL WHERE', 'SET remind_at = v_now WHERE'),
  mutant(
    'R-049o',
    MARKS,
    'm.operation = o.operation ORDER BY m.severity, m.due_at, m.exception_id LIMIT 50',
    'm.operation = o.operation ORDER BY m.remind_at, m.exception_id LIMIT 50',
  ),
  mutant('R-049m', TOGETHER, "WHEN NOT v_known THEN 'NOT_FOUND'", "WHEN false THEN 'NOT_FOUND'"),

  // Changes that wait for a second administrator
  mutant('R-049p', PROPOSALS, "'proposal:' || p_proposal_id, p_proposal_id)", 'ledger.new_id()::text, NULL)'),
  mutant('R-049p', PROPOSALS, ' AND p.person_id IS DISTINCT FROM p_not', ''),
  mutant('R-049p', PROPOSALS, "'ADMIN' = ANY (p.roles) AND ", ''),
  mutant(
    'R-049p',
    PROPOSALS,
    "FOR EACH ROW WHEN (NEW.state = 'PENDING') EXECUTE FUNCTION review.notifications_follow_connector();",
    "FOR EACH ROW WHEN (NEW.state = 'EXPIRED') EXECUTE FUNCTION review.notifications_follow_connector();",
  ),
];
