import { NETWORK_HEADER } from '../transport/graphql.ts';
import { pathPrefix, type Scope } from '../transport/scope.ts';
import { sendJson } from '../transport/send.ts';

/** The result of the last check of the network's audit log. */
export interface AuditChain {
  readonly verified: boolean;
  readonly entries: number;
  /** ISO 8601. */
  readonly checkedAt: string;
}

/** Asks the server to check the chain of hashes; the server reuses a check of the last minute. */
export function loadAuditChain(scope: Scope, signal: AbortSignal): Promise<AuditChain> {
  return sendJson<AuditChain>(`${pathPrefix(scope.environment)}/console-api/audit-chain`, {
    headers: { [NETWORK_HEADER]: scope.networkId },
    signal,
  });
}
