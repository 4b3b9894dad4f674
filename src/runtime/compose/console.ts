import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { requireSession } from '../../access/sign-in/session-principal.ts';
import type { AccessService } from '../../access/access-service.ts';
import { loadAuditVerifyKeys } from '../../access/audit/audit-key.ts';
import { verifyAudit } from '../../access/audit/audit-verify.ts';
import { readClusterStatus } from '../../cluster/cluster-status.ts';
import { registerClusterFacts } from '../../console/cluster.routes.ts';
import { registerConsole } from '../../console/console.routes.ts';
import { type LimitUse, registerConsoleFacts } from '../../console/facts.routes.ts';
import { registerSavedViews } from '../../console/saved-views.routes.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import type { Stores } from './stores.ts';

const CONSOLE_FOLDER = fileURLToPath(new URL('../../../console/dist', import.meta.url));

/** Dependencies of the console's server. */
export interface ConsoleDeps {
  readonly stores: Pick<Stores, 'sql' | 'secrets'>;
  readonly access: AccessService;
  readonly dataDir: string;
  /** Public base address of delivery. */
  readonly delivery: string;
}

/** Adds the console's pages and the few routes that only the console calls. */
export function registerConsolePages(app: FastifyInstance, { stores, access, dataDir, delivery }: ConsoleDeps): void {
  const authenticate: AccessService['authenticate'] = (request, options) => access.authenticate(request, options);
  registerConsole(app, { folder: CONSOLE_FOLDER, deliveryPublicUrl: delivery });
  registerSavedViews(app, { sql: stores.sql.db, authenticate, nowMs: Date.now });
  registerClusterFacts(app, {
    requireOperator: async ({ headers }) => {
      const { pepper } = stores.secrets;
      const session = await requireSession({ sql: stores.sql.db, pepper, nowMs: Date.now }, headers);
      if (session === null) throw new PlacardError('authentication_required');
      if (!session.operator) throw new PlacardError('insufficient_permissions', 'Only operators see the cluster.');
    },
    readCluster: () => readClusterStatus(stores.sql.db),
  });
  registerConsoleFacts(app, {
    authenticate,
    nowMs: Date.now,
    readLimits: (principal) => readLimits(access, principal),
    checkAuditChain: async (networkId) => {
      const { networks, problems } = await verifyAudit(stores.sql.db, {
        dataDir,
        keys: loadAuditVerifyKeys(dataDir),
        nowMs: Date.now(),
        networkId,
      });
      return { verified: problems.length === 0, entries: networks[0]?.entries ?? 0 };
    },
  });
}

/** The day's use of the daily limits, and the rate of ad requests, which has no use to tell. */
async function readLimits(access: AccessService, principal: Principal): Promise<LimitUse[]> {
  const workspace = access.directory.findWorkspaceById(principal.workspaceId);
  if (workspace === null) return [];
  const daily = await access.limits.readDailyUse(workspace);
  return [
    ...daily.map(({ resetsAtMs, ...use }) => ({ ...use, resetsAt: new Date(resetsAtMs).toISOString() })),
    { name: 'ads', limit: access.limits.limitOf(workspace, 'ads'), used: null, resetsAt: null },
  ];
}
