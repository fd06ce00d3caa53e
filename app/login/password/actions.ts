'use server';

import { z } from 'zod';
import { type ChoosePasswordState } from '@/components/access/choose-password-form';
import { requireActionActor } from '@/lib/access/actor';
import { changePassword } from '@/lib/access/change-password';
import { safeParse } from '@/lib/domain/safe-parse';

const fields = z.strictObject({ present: z.string().optional(), next: z.string() });

export async function choosePasswordAction(
  _state: ChoosePasswordState,
  form: FormData,
): Promise<ChoosePasswordState> {
  const acting = await requireActionActor();
  const given = Object.fromEntries([...form].filter(([name]) => !name.startsWith('$ACTION')));
  const parsed = safeParse(fields, given);
  if (!parsed.success) return { kind: 'refused', code: 'TOO_SHORT' };
  return changePassword(acting, parsed.data.present ?? '', parsed.data.next);
}
