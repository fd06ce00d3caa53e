import type { CommandAnswer } from '@/lib/domain/command-answer';

/** The answer with the secret that was made for it. Not for a repetition: what was kept then is another secret's digest. */
export function showOnce(answer: CommandAnswer, secret: string): CommandAnswer {
  return answer.outcome === 'done' && !answer.repeated ? { ...answer, shownOnce: secret } : answer;
}
