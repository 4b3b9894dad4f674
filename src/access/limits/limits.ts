import { PlacardError } from '../../domain/errors.ts';
import type { WorkspaceRecord } from '../keys/directory-data.ts';
import type { LimitName } from '../permissions/permissions.ts';

/** The decision of a limit about one call, and its `X-RateLimit-` headers (conformance L2). */
export interface Admission {
  readonly admitted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly resetSeconds: number;
  /** Set when there is no lease and the hot store does not respond: 503, not 429. */
  readonly isUnknown?: boolean;
}

/** Counts calls against the limits of their workspace. Decides at once while this process holds a lease and knows what is left. */
export interface RequestLimits {
  admit(workspace: WorkspaceRecord, limit: LimitName): Admission | Promise<Admission>;
  /** The headroom, without counting a call. */
  look(workspace: WorkspaceRecord, limit: LimitName): Admission | Promise<Admission>;
}

/** The three headers of an authenticated response. */
export function rateLimitHeaders(admission: Admission): Record<string, string> {
  return {
    'x-ratelimit-limit': String(admission.limit),
    'x-ratelimit-remaining': String(admission.remaining),
    'x-ratelimit-reset': String(admission.resetSeconds),
  };
}

/** The 429 of a used-up limit (L3), or the 503 of one that cannot be checked. */
export function limitExceeded(admission: Admission, limit: LimitName): PlacardError {
  if (admission.isUnknown === true)
    return new PlacardError('unavailable', 'The store that counts requests does not respond; retry shortly.');
  const message = limit === 'ads' ? `Ad request limit of ${admission.limit} per second exceeded` : undefined;
  return new PlacardError('rate_limit_exceeded', message, {
    details: { limit: admission.limit, reset: admission.resetSeconds },
  });
}
