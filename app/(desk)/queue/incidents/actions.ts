'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { checkSampleRow } from '@/lib/review/incidents/check-sample-row';
import { decideReport } from '@/lib/review/incidents/decide-report';
import { lookUpIncident } from '@/lib/review/incidents/look-up-incident';
import { proposeReport } from '@/lib/review/incidents/propose-report';
import { pageAct, settlePageAct } from '@/lib/review/page-act';

export async function lookUpIncidentAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(lookUpIncident, input);
}
export async function proposeReportAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(proposeReport, input);
}
export async function checkSampleRowAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(checkSampleRow, input);
}
export async function decideReportAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(decideReport, input);
}
export async function settleIncidentAction(operationId: string): Promise<CommandAnswer> {
  return settlePageAct(operationId);
}
