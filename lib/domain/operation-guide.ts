import { z } from 'zod';

const text = z.string().min(1).max(2_000);

/** What a person must know about an operation before deciding, in one language. Source: domain, section 1. */
const guideTextSchema = z.strictObject({
  purpose: text,
  inputsAndResult: text,
  effectUnit: text,
  keyIssuer: text,
  completeWhen: text,
  prohibitions: text,
  whereToLook: text,
  restartPoint: text,
  whenToStop: text,
  whoDecides: text,
});

/** The operation guide of a policy, in both languages or not there at all. */
export const operationGuideSchema = z.strictObject({ en: guideTextSchema, ko: guideTextSchema });
export type OperationGuide = z.infer<typeof operationGuideSchema>;
