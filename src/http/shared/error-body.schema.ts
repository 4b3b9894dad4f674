import { z } from 'zod';
import { ERROR_CODES } from '../../domain/error-codes.ts';

/** Every stable error code. */
export const ErrorCodes = z.enum(ERROR_CODES as readonly string[] as [string, ...string[]]);

/** The body of every error, as `toProblem` makes it. */
export const ErrorBody = z
  .looseObject({
    error: ErrorCodes.describe('Stable code.'),
    message: z.string().describe('What to do; the wording may change.'),
    fields: z.array(z.looseObject({ path: z.string(), code: z.string(), message: z.string() })).optional(),
    limit: z.int().describe('Of rate limits.').optional(),
    reset: z.int().describe('Unix seconds at which a limit opens again.').optional(),
    requestId: z.string().describe('Of server errors.').optional(),
  })
  .describe('Every error; some codes carry more members.');

/** Liveness and readiness. */
export const Health = z.looseObject({ status: z.string() });
