import { z } from 'zod';
import { ROLES } from '@/lib/domain/actor';
import { operationId, storableText } from '../command-input';

/** Most names that one form lists. */
const MOST = 100;

const names = (form: RegExp) => z.array(z.string().regex(form)).max(MOST);

/** What somebody may do, as a form sends it. */
export const rightsInput = {
  roles: z.array(z.enum(ROLES)).max(ROLES.length),
  authorities: names(/^[a-z][a-z0-9-]{0,62}$/),
  tenantIds: names(/^[a-z0-9][a-z0-9-]{0,62}$/),
};

/** Every change of a person: about whom, as they were seen, and why. */
export const personInput = z.strictObject({
  personId: z.uuid(),
  version: z.string().regex(/^\d{1,9}$/),
  reason: storableText,
  operationId,
});
