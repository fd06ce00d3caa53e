/** One small way of breaking the product. */
export interface Mutant {
  /** The id in the titles of the tests of which one must fail: a rule or part, `R-012a`, or a named check, `AN-07`. */
  rule: string;
  /** A module under lib, the proxy, or a migration: the function that it defines is broken where a later migration defines it anew. */
  file: string;
  /** Stands exactly once in the file. */
  find: string;
  replace: string;
}
