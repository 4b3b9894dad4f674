import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Principal } from '../domain/tenancy/principal.ts';
import { type Environment, ENVIRONMENTS, pathPrefix } from '../domain/tenancy/workspace.ts';

/** How much of a limit is used. `used` and `resetsAt` are null for a rate per second. */
export interface LimitUse {
  readonly name: string;
  readonly limit: number;
  readonly used: number | null;
  /** ISO 8601. */
  readonly resetsAt: string | null;
}

/** The result of a check of a network's audit log. */
export interface AuditChainFacts {
  readonly verified: boolean;
  readonly entries: number;
}

/** Facts for the console that no other API has. */
export interface ConsoleFactsDeps {
  /** @throws PlacardError of the authentication codes */
  authenticate(
    request: FastifyRequest,
    options: { readonly operation: string; readonly environment: Environment },
  ): Promise<Principal>;
  readLimits(principal: Principal): Promise<readonly LimitUse[]>;
  /** Walks the whole log, so its result is cached for a minute. */
  checkAuditChain(networkId: string): Promise<AuditChainFacts>;
  nowMs(): number;
}

const CHECK_TTL_MS = 60_000;
const CHECKS_MAX = 1_000;

/** Adds `/console-api/limits` (any member) and `/console-api/audit-chain` (who may read the audit log), and their staging twins. */
export function registerConsoleFacts(app: FastifyInstance, deps: ConsoleFactsDeps): void {
  const checks = new Map<string, { readonly facts: Promise<AuditChainFacts>; readonly atMs: number }>();
  const check = (networkId: string): { readonly facts: Promise<AuditChainFacts>; readonly atMs: number } => {
    const nowMs = deps.nowMs();
    const known = checks.get(networkId);
    if (known !== undefined && nowMs - known.atMs < CHECK_TTL_MS) return known;
    if (checks.size >= CHECKS_MAX) checks.clear();
    const made = { facts: deps.checkAuditChain(networkId), atMs: nowMs };
    checks.set(networkId, made);
    made.facts.catch(() => checks.delete(networkId));
    return made;
  };
  for (const environment of ENVIRONMENTS) {
    const base = `${pathPrefix(environment)}/console-api`;
    app.get(`${base}/limits`, async (request, reply) => {
      const principal = await deps.authenticate(request, { operation: 'query.network', environment });
      return reply.header('cache-control', 'no-store').send({ limits: await deps.readLimits(principal) });
    });
    app.get(`${base}/audit-chain`, async (request, reply) => {
      const principal = await deps.authenticate(request, { operation: 'query.auditLog', environment });
      const { facts, atMs } = check(principal.networkId);
      return reply
        .header('cache-control', 'no-store')
        .send({ ...(await facts), checkedAt: new Date(atMs).toISOString() });
    });
  }
}
