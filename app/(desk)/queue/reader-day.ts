import 'server-only';
import { cookies } from 'next/headers';
import { chosenZone, ZONE_COOKIE } from '@/components/shell/preferences';
import { endOfDay } from '@/lib/domain/calendar-day';

/** When the reader's day ends: what "due today" means to them. */
export async function readerDayEnds(): Promise<string> {
  return endOfDay(Date.now(), chosenZone((await cookies()).get(ZONE_COOKIE)?.value));
}
