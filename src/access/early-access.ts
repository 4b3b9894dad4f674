import type { IncomingMessage } from 'node:http';
import { RequestNote } from '../http/core/shortcuts.ts';
import type { Environment } from '../domain/tenancy/workspace.ts';
import type { GuardDeps } from './guard.ts';
import type { WorkspaceRecord } from './keys/directory-data.ts';
import { type Admission, rateLimitHeaders } from './limits/limits.ts';
import { type AuthenticatedPrincipal, type LimitName, requirePermission, ruleOf } from './permissions/permissions.ts';

/** A request that is to be authenticated before the framework sees it. */
export interface EarlyRequest {
  readonly raw: IncomingMessage;
  readonly clientAddress: string;
}

/** The operation that it wants. */
export interface EarlyOperation {
  readonly operation: string;
  readonly networkId: string;
  readonly environment: Environment;
}

/** A caller whose credentials are in memory and who may do what the request wants. */
export interface EarlyCaller {
  readonly principal: AuthenticatedPrincipal;
  /** Counts the request. The `X-RateLimit-` headers; null: it is over its limit, and `authenticate` is to refuse it. */
  readonly admit: () => Promise<Record<string, string> | null>;
}

interface Counted {
  readonly workspaceId: number;
  readonly limit: LimitName;
  readonly admission: Admission;
}

/** Requests that were counted before the framework saw them: `authenticate` does not count them again. */
const COUNTED = new RequestNote<Counted>();

/** Identifies a caller without waiting; null: `authenticate` is to decide, and nothing was counted or logged. */
export function identifyEarly(
  guard: Pick<GuardDeps, 'identify' | 'limits' | 'recordUse'>,
  { raw, clientAddress }: EarlyRequest,
  { operation, networkId, environment }: EarlyOperation,
): EarlyCaller | null {
  const rule = ruleOf(operation);
  const attempt = { headers: raw.headers, remoteAddress: clientAddress, environment, rule, networkId };
  const known = guard.identify(attempt);
  if (known.kind !== 'known' || !mayDo(known.principal, operation)) return null;
  const { principal, workspace } = known;
  return {
    principal,
    admit: async () => {
      const admission = await guard.limits.admit(workspace, rule.limit);
      COUNTED.put(raw, { workspaceId: workspace.workspaceId, limit: rule.limit, admission });
      if (!admission.admitted) return null;
      guard.recordUse(principal);
      return rateLimitHeaders(admission);
    },
  };
}

/** The decision about a request that was counted already; undefined: it is to be counted. */
export function acquireCounted(
  raw: IncomingMessage,
  workspace: WorkspaceRecord,
  limit: LimitName,
): Admission | undefined {
  const counted = COUNTED.acquire(raw);
  return counted?.workspaceId === workspace.workspaceId && counted.limit === limit ? counted.admission : undefined;
}

function mayDo(principal: AuthenticatedPrincipal, operation: string): boolean {
  try {
    requirePermission(principal, operation);
    return true;
  } catch {
    return false;
  }
}
