import { NETWORK_HEADER } from './graphql.ts';
import { sendJson } from './send.ts';
import { pathPrefix, type Scope } from './scope.ts';

/** How much of a limit is used, at this moment. */
export interface LimitUse {
  readonly name: 'management' | 'reports' | 'events' | 'ads';
  readonly limit: number;
  /** Calls of this UTC day; null where there is no daily count (a rate per second). */
  readonly used: number | null;
  /** ISO 8601; null for a rate. */
  readonly resetsAt: string | null;
}

/** The limits of the environment that is looked at, with the day's use. */
export async function loadLimitUse(scope: Scope, signal: AbortSignal): Promise<readonly LimitUse[]> {
  const headers = { [NETWORK_HEADER]: scope.networkId };
  return (
    await sendJson<{ limits: readonly LimitUse[] }>(`${pathPrefix(scope.environment)}/console-api/limits`, {
      headers,
      signal,
    })
  ).limits;
}
