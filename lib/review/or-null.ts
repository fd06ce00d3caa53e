import 'server-only';
import pino from 'pino';
import { sqlstateOf } from '@/lib/db/sqlstate';

const log = pino({ name: 'pages', level: process.env['LOG_LEVEL'] ?? 'info', base: null });

/**
 * A figure that a page can do without: null when it could not be read, which shows as "not available" and never as zero.
 * Only for what stands beside the main thing; a list that fails must fail.
 */
export async function orNull<Value>(what: string, reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    // No message: the driver's hold values.
    log.warn({
      event: 'figure_not_available',
      what,
      error: error instanceof Error ? error.name : 'unknown',
      sqlstate: sqlstateOf(error),
    });
    return null;
  }
}
