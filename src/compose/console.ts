import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { AccessRoom } from '../access/access-room.ts';
import { verifyAudit } from '../access/audit-verify.ts';
import { DEFAULT_LIMITS } from '../access/directory-data.ts';
import type { LimitName } from '../access/permissions.ts';
import { registerConsole } from '../console/console.routes.ts';
import { type LimitUse, registerConsoleFacts } from '../console/facts.routes.ts';
import { registerSavedViews } from '../console/saved-views.routes.ts';
import type { Principal } from '../domain/principal.ts';
import type { Stores } from './stores.ts';

const CONSOLE_FOLDER = fileURLToPath(new URL('../../console/dist', import.meta.url));
const DAY_MS = 86_400_000;
const DAILY: readonly LimitName[] = ['management', 'reports', 'events'];

/** What the console's server side is joined from. */
export interface ConsoleRooms {
  readonly stores: Pick<Stores, 'sql' | 'hot' | 'secrets'>;
  readonly access: AccessRoom;
  readonly dataDir: string;
}

/** Adds the console's pages and the few routes that only it asks. */
export function registerConsoleRoom(app: FastifyInstance, { stores, access, dataDir }: ConsoleRooms): void {
  const authenticate: AccessRoom['authenticate'] = (request, options) => access.authenticate(request, options);
  registerConsole(app, { folder: CONSOLE_FOLDER });
  registerSavedViews(app, { sql: stores.sql.db, authenticate, nowMs: Date.now });
  registerConsoleFacts(app, {
    authenticate,
    nowMs: Date.now,
    readLimits: (principal) => readLimits({ stores, access }, principal),
    checkAuditChain: async (networkId) => {
      const { networks, problems } = await verifyAudit(stores.sql.db, { dataDir, secret: stores.secrets.auditSecret });
      const entries = networks.find((one) => one.networkId === networkId)?.entries ?? 0;
      // A problem without a network is one of the signed heads themselves: it speaks against every log.
      const concerns = (problem: string): boolean =>
        !/^network \d/.test(problem) || new RegExp(`^network ${networkId}[:,]`).test(problem);
      return { verified: !problems.some(concerns), entries };
    },
  });
}

/** The day's use from the ledger that the limits are taken from; units that processes hold as leases count as used. */
async function readLimits(
  { stores, access }: Pick<ConsoleRooms, 'stores' | 'access'>,
  principal: Principal,
): Promise<LimitUse[]> {
  const nowMs = Date.now();
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const own = access.directory.findWorkspaceById(principal.workspaceId)?.limits ?? {};
  const taken = await stores.hot.readCounters(DAILY.map((name) => `q/${principal.workspaceId}/${name}/${day}`));
  const resetsAt = new Date((Math.floor(nowMs / DAY_MS) + 1) * DAY_MS).toISOString();
  const daily = DAILY.map(
    (name, index): LimitUse => ({
      name,
      limit: own[name] ?? DEFAULT_LIMITS[name],
      used: Number(taken[index] ?? 0n),
      resetsAt,
    }),
  );
  return [...daily, { name: 'ads', limit: own.ads ?? DEFAULT_LIMITS.ads, used: null, resetsAt: null }];
}
