import { type CommandAnswer } from '@/lib/domain/command-answer';

/** Sends the file with what was said about it; the server reads the file, and no other place keeps it. */
export async function uploadReport(
  incidentId: string,
  file: File,
  form: Readonly<Record<string, unknown>>,
): Promise<CommandAnswer> {
  const body = new FormData();
  body.set('form', JSON.stringify(form));
  body.set('file', file);
  const answer = await fetch(`/queue/incidents/${incidentId}/reports`, { method: 'POST', body });
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return { outcome: 'unknown' };
  return (await answer.json()) as CommandAnswer;
}
