// Ways of breaking the roots that checkpoints sign, and the ways of exported events to them.
import type { Mutant } from './mutant';

const MERKLE = 'lib/audit/verifier/merkle.mjs';
const TREES = 'lib/audit/verifier/trees.mjs';
const WAYS = 'lib/audit/verifier/inclusion.mjs';
const READING = 'lib/audit/verifier/export-reading.mjs';
const RECORD = 'lib/audit/verifier/checkpoint.mjs';
const TRAIL = 'lib/audit/verifier/checkpoint-trail.mjs';
const STOPS = 'lib/audit/signer/stops.ts';
const SIGN = 'lib/audit/signer/sign-head.ts';
const PROOFS = 'lib/audit/inclusion-proofs.ts';
const EXPORTED = 'lib/audit/exported-checkpoints.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_INCLUSION: readonly Mutant[] = [
  // The tree
  mutant('R-087ac', MERKLE, 'const NODE = Buffer.of(1);', 'const NODE = Buffer.of(0);'),
  mutant('R-087ac', MERKLE, 'sha256([LEAF, place,', 'sha256([LEAF,'),
  mutant('R-087ac', MERKLE, 'index < 0 || index >= size ||', ''),
  mutant('R-087ac', MERKLE, 'return last === 0 ? hash', 'return last >= 0 ? hash'),
  mutant('R-087ac', MERKLE, 'if (at % 2 === 1 || at === last) {', 'if (at % 2 === 1) {'),
  mutant('R-087ac', MERKLE, 'while (at % 2 === 0 && at !== 0) [at', 'if (at < 0) [at'),
  mutant('R-087ac', MERKLE, '!path.every((each) => HASH.test(each))', 'path.length > 99'),

  // What a record signs
  mutant('R-087ac', RECORD, 'TREE.map((name) => text(record.tree?.[name] ?? null))', '[]'),
  mutant('R-087ac', STOPS, 'this.fold.size < MOST_LEAVES && number !== this.upTo', 'number !== this.upTo'),
  mutant('R-087ac', STOPS, '    this.fold = new RootFold();\n  }\n}', '  }\n}'),
  mutant('R-087ac', STOPS, "size: '0', root: new RootFold().root()", "size: '0', root: head.hash"),
  mutant('R-087ac', SIGN, 'last?.tree?.since ??', 'null ??'),
  mutant('R-087ac', SIGN, 'tree: { since, size, root },', ''),
  mutant('R-087ac', RECORD, 'Number(tree.size) <= MOST_LEAVES', 'tree.size !== ""'),
  mutant('R-087ac', RECORD, "if ('tree' in record && !isTree(tree)) return false;", ''),

  // What a record has to cover
  mutant('R-087ac', TREES, 'return this.since === null;', 'return true;'),
  mutant('R-087ac', TREES, 'BigInt(tree.since) !== since ||', ''),
  mutant('R-087ac', TREES, '(this.sparse || first === next)', 'true'),
  mutant('R-087ac', TREES, ' || since <= this.bare', ''),
  mutant('R-087ac', TREES, 'return !isWhole || this.fold.root() === record.tree?.root;', 'return true;'),
  mutant('R-087ac', TRAIL, '(this.trees.follows(record, before) ? null : ', '(this.trees ? null : '),
  mutant('R-087ac', TRAIL, 'provenFrom: this.trees.since }', 'provenFrom: null }'),

  // The ways in a file
  mutant('R-088u', WAYS, 'if (!isPlaced || root === null) return number;', ''),
  mutant('R-088u', WAYS, 'const isPlaced = number <= last && number === ', 'const isPlaced = 0n <= '),
  mutant('R-088u', WAYS, 'if (wrong !== undefined) return', 'if (wrong === null) return'),
  mutant('R-088u', WAYS, '`${size} ${root}`', '`${size} ${size}`'),
  mutant(
    'R-088u',
    WAYS,
    'if (BigInt(number) > open.checkpoint || tree === undefined)',
    'if (tree === undefined)',
  ),
  mutant('R-088u', WAYS, 'return this.open?.first ?? null;', 'return null;'),
  mutant(
    'R-088u',
    READING,
    "&& record.type === 'checkpoint' && !proves)",
    "&& record.type === 'checkpoint')",
  ),
  mutant('R-088u', READING, 'return fault ?? unproven(this.promised(record));', 'return fault;'),
  mutant('R-088u', READING, 'each >= BigInt(tree.since) && each', 'each > 0n && each'),
  mutant(
    'R-088u',
    'lib/audit/verifier/verify-export.mjs',
    'reading.trees.follows(value, null) ?',
    'reading.trees ?',
  ),
  mutant(
    'R-088u',
    TRAIL,
    'if (checkpointDigest(this.waiting) !== checkpointDigest(record)) return this.rewritten();',
    '',
  ),
  mutant('R-088u', TRAIL, '    this.agree(BigInt(record.number), record);\n', ''),

  // The product's export
  mutant('R-088u', EXPORTED, ' || firstOf(record) > number ? null', ' ? null'),
  mutant('R-088u', EXPORTED, ' or c.sequence = any($5::bigint[])', ' and $5::bigint[] is not null'),
  mutant('R-088u', EXPORTED, 'k.number >= e.number and', 'k.number > e.number and'),
  mutant('R-088u', PROOFS, 'if (this.of?.sequence !== record.sequence)', 'if (size)'),
  mutant('R-088u', PROOFS, 'right === undefined ? left : nodeOf(left, right)', 'nodeOf(left, right ?? left)'),
];
