/** The names before `@demo.local`. Source: contract, "Roles". */
export const DEMO_ACCOUNTS = [
  'operator',
  'operator2',
  'approver',
  'approver2',
  'manager',
  'admin',
  'admin2',
] as const;

export type DemoAccount = (typeof DEMO_ACCOUNTS)[number];
