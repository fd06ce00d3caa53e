import { z } from 'zod';

/** Days; null: until it is revoked. */
export const expiresInDays = z.int().min(1).max(3_650).nullable();
