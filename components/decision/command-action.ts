import { type CommandAnswer } from '@/lib/domain/command-answer';

/** A server action that carries out one command. What it is given is judged by the server's schema. */
export type CommandAction = (input: Readonly<Record<string, unknown>>) => Promise<CommandAnswer>;

/** A server action that tells what became of an operation whose answer was lost. */
export type SettleAction = (operationId: string) => Promise<CommandAnswer>;
