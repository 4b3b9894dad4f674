import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { createApiKey, revokeApiKey } from '../access/keys/api-keys.sql.ts';
import type { AuditActor } from '../access/audit/audit.sql.ts';
import { createHeaderCredential, disableHeaderCredential } from '../access/keys/header-credentials.sql.ts';
import { hashPassword } from '../access/secrets/password.ts';
import { createUser } from '../access/users/users.sql.ts';
import type { Environment, Module, Permission } from '../domain/tenancy/workspace.ts';
import { localDaySpan } from '../domain/time/time-zone.ts';
import type { AssetStore } from '../storage/assets.ts';
import { whileDeleting } from '../storage/marks/analytics-marks.sql.ts';
import type { Olap } from '../storage/olap/olap.ts';
import type { InstallationSecrets } from '../storage/secrets.ts';
import type { Database } from '../storage/sql/schema.ts';
import { storeArtwork } from './artwork.ts';
import {
  DEMO_ACTGID,
  DEMO_AD_UNITS,
  DEMO_NETWORK_ID,
  DEMO_SITES,
  DEMO_TIMEZONE,
  type DemoLineItem,
} from './booking.ts';
import { type DemoFile, type DemoKeyName, demoUrls, readDemoFile, writeDemoFile } from './demo-file.ts';
import { writeDemoProgress } from './demo-progress.ts';
import { planHistory } from './history-plan.sql.ts';
import { clearHistory } from './history.olap.ts';
import { DEMO_LINE_ITEMS } from './line-items.ts';
import { DEMO_STORIES } from './stories.ts';
import {
  clearBooking,
  DEMO_ACTOR,
  findAccount,
  listDemoKeys,
  listDemoPairs,
  replacePassword,
  seedBooking,
  seedNetwork,
} from './seed.sql.ts';

/** Dependencies of seeding. `countedTables` are the analytics tables that hold counts by workspace. */
export interface SeedDeps {
  readonly sql: Kysely<Database>;
  readonly olap: Olap;
  readonly assets: AssetStore;
  readonly secrets: InstallationSecrets;
  readonly dataDir: string;
  readonly urls: { readonly core: string; readonly delivery: string };
  readonly caFile: string | null;
  readonly countedTables: readonly string[];
  readonly nowMs: number;
  /** Hears one sentence a step, for a person who waits. */
  readonly onProgress: (text: string) => void;
}

const HISTORY_HOURS: Readonly<Record<Environment, number>> = { production: 90 * 24, staging: 14 * 24 };
/** Staging stays small: it has no flights. */
const BOOKED: Readonly<Record<Environment, readonly DemoLineItem[]>> = {
  production: [...DEMO_LINE_ITEMS, ...DEMO_STORIES],
  staging: DEMO_LINE_ITEMS,
};
const ACTOR: AuditActor = { actor: DEMO_ACTOR, remoteAddress: '', networkId: DEMO_NETWORK_ID, workspaceId: null };
const DEMO_EMAIL = 'demo@placard.example';

interface DemoKey {
  readonly permission: Permission;
  readonly modules: readonly Module[] | null;
}

const KEYS: Readonly<Record<DemoKeyName, DemoKey>> = {
  admin: { permission: 'admin', modules: null },
  readWrite: { permission: 'read-write', modules: null },
  readOnly: { permission: 'read-only', modules: null },
  delivery: { permission: 'read-write', modules: ['DELIVERY'] },
  inventory: { permission: 'read-write', modules: ['INVENTORY'] },
  audience: { permission: 'read-write', modules: ['AUDIENCE'] },
  reports: { permission: 'read-only', modules: ['REPORTS'] },
  staging: { permission: 'admin', modules: null },
};

/**
 * Books the demo network in both environments, gives it fresh keys, a header-credential pair and an account, and writes
 * `<data>/demo.json`. Plans its 90 days of history, which `completeHistory` makes. A repeat resets the demo: its bookings and counts are
 * replaced and its old keys revoked.
 */
export async function seedDemo(deps: SeedDeps): Promise<DemoFile> {
  writeDemoProgress(deps.dataDir, { step: 'booking' });
  deps.onProgress('Demo: drawing the pictures');
  const artwork = await storeArtwork(deps.assets);
  deps.onProgress('Demo: booking campaigns');
  const workspaces = await deps.sql.transaction().execute(async (trx) => {
    const ids = await seedNetwork(trx);
    for (const workspaceId of Object.values(ids)) {
      await clearBooking(trx, workspaceId);
    }
    const { startMs: midnightMs } = localDaySpan(DEMO_TIMEZONE, deps.nowMs);
    for (const [environment, items] of Object.entries(BOOKED) as [Environment, readonly DemoLineItem[]][])
      await seedBooking(trx, { workspaceId: ids[environment], items, midnightMs }, artwork);
    return ids;
  });
  await whileDeleting(deps.sql, async () => {
    for (const workspaceId of Object.values(workspaces)) await clearHistory(deps.olap, workspaceId, deps.countedTables);
  });
  deps.onProgress('Demo: making keys and an account');
  const file = await demoFile(deps, workspaces);
  writeDemoFile(deps.dataDir, file);
  const plans = await Promise.all(
    (['production', 'staging'] as const).map((environment) =>
      planHistory(deps.sql, {
        workspaceId: workspaces[environment],
        environment,
        untilMs: deps.nowMs,
        hours: HISTORY_HOURS[environment],
      }),
    ),
  );
  writeDemoProgress(deps.dataDir, { step: 'history', id: randomBytes(8).toString('hex'), plans, done: 0 });
  return file;
}

async function demoFile(deps: SeedDeps, workspaces: Readonly<Record<Environment, number>>): Promise<DemoFile> {
  for (const key of await listDemoKeys(deps.sql, Object.values(workspaces))) {
    await revokeApiKey(deps.sql, { ...key, by: ACTOR });
  }
  for (const pair of await listDemoPairs(deps.sql, Object.values(workspaces))) {
    await disableHeaderCredential(deps.sql, { ...pair, by: ACTOR });
  }
  const keys = {} as Record<DemoKeyName, string>;
  for (const [name, { permission, modules }] of Object.entries(KEYS) as [DemoKeyName, DemoKey][]) {
    const workspaceId = name === 'staging' ? workspaces.staging : workspaces.production;
    keys[name] = (
      await createApiKey(deps.sql, deps.secrets, { workspaceId, name: `Demo ${name}`, permission, modules, by: ACTOR })
    ).value;
  }
  const pair = await createHeaderCredential(deps.sql, deps.secrets, {
    workspaceId: workspaces.production,
    name: 'Demo',
    by: ACTOR,
  });
  return {
    networkId: DEMO_NETWORK_ID,
    urls: demoUrls(deps.urls.core, deps.urls.delivery),
    caFile: deps.caFile,
    keys,
    credentials: { login: pair.login, token: pair.token },
    account: await demoAccount(deps),
    sites: DEMO_SITES.map(({ code, domain, areas }) => ({ id: code, domain, page: `https://www.${domain}/`, areas })),
    adUnits: DEMO_AD_UNITS.map((unit) => ({
      name: unit.name,
      sizes: unit.sizes.map(([width, height]) => `${width}x${height}`),
      format: unit.mediaTypes[0] ?? 'banner',
    })),
    activity: { actgid: DEMO_ACTGID },
  };
}

/** The account stays as it is while its password is known from the file; else it gets a new one. */
async function demoAccount(deps: SeedDeps): Promise<DemoFile['account']> {
  const userId = await findAccount(deps.sql, DEMO_EMAIL);
  const known = readDemoFile(deps.dataDir)?.account;
  if (userId !== null && known?.email === DEMO_EMAIL) return known;
  const password = randomBytes(18).toString('base64url');
  if (userId !== null) {
    await replacePassword(deps.sql, userId, await hashPassword(password));
  } else {
    const memberships = [{ networkId: DEMO_NETWORK_ID, role: 'admin' as const }];
    await createUser(deps.sql, {
      email: DEMO_EMAIL,
      name: 'Demo operator',
      password,
      operator: true,
      memberships,
      by: ACTOR,
    });
  }
  return { email: DEMO_EMAIL, password };
}
