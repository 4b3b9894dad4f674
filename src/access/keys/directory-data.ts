import type { Environment, Module, NetworkStatus, Permission } from '../../domain/tenancy/workspace.ts';
import type { BuyerScope } from '../../domain/tenancy/principal.ts';
import type { LimitName } from '../permissions/permissions.ts';

/** A bearer key as every process knows it. Times are epoch milliseconds. */
export interface KeyRecord {
  readonly id: string;
  readonly workspaceId: number;
  readonly name: string;
  /** Hex. */
  readonly digest: string;
  /** The part of the value that may be shown. */
  readonly prefix: string;
  readonly permission: Permission;
  readonly modules: readonly Module[] | null;
  /** Of the keys of buyers. */
  readonly buyer?: BuyerScope;
  readonly ipAllowlist: readonly string[];
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
}

/** A login/token pair as every process knows it. */
export interface PairRecord {
  readonly id: string;
  readonly workspaceId: number;
  readonly name: string;
  readonly login: string;
  /** Hex. */
  readonly digest: string;
  readonly disabledAtMs: number | null;
}

/** One environment of a network, with the limits that hold for it (absent = the default). */
export interface WorkspaceRecord {
  readonly workspaceId: number;
  readonly networkId: string;
  readonly environment: Environment;
  readonly status: NetworkStatus;
  /** Absent: the network is open. */
  readonly isClosed?: true;
  readonly limits: Readonly<Partial<Record<LimitName, number>>>;
}

/** All data for authentication, as of one instant of the database's clock. */
export interface DirectoryData {
  readonly asOfMs: number;
  readonly workspaces: readonly WorkspaceRecord[];
  readonly keys: readonly KeyRecord[];
  readonly pairs: readonly PairRecord[];
}

/** Requests of a day (per second for `ads`) that a network has when neither its settings nor the operator say otherwise (conformance L1). */
export const DEFAULT_LIMITS: Readonly<Record<LimitName, number>> = {
  management: 500_000,
  ads: 10_000,
  events: 50_000_000,
  reports: 500_000,
};
/** Highest limit that a network's settings may state. */
export const LIMIT_MAX = 1_000_000_000_000;

/** Reads `settings.limits` of a network (`{management, ads, events, reports}`); values other than whole numbers of 0 or more are left out. */
export function readLimits(settings: unknown): Partial<Record<LimitName, number>> {
  return readNumbers((settings as { limits?: unknown } | null)?.limits);
}

/** The ceilings of a network's limits: what the operator stated, else the service's own limits. */
export function readCeilings(stated: unknown): Record<LimitName, number> {
  return { ...DEFAULT_LIMITS, ...readNumbers(stated) };
}

/** The limits that hold: a network's own ones, and where it has none its ceilings; never above these. */
export function effectiveLimits(settings: unknown, ceilings: unknown): Record<LimitName, number> {
  const limits = readCeilings(ceilings);
  for (const [name, own] of Object.entries(readLimits(settings)) as [LimitName, number][])
    limits[name] = Math.min(own, limits[name]);
  return limits;
}

function readNumbers(stated: unknown): Partial<Record<LimitName, number>> {
  if (typeof stated !== 'object' || stated === null) return {};
  const limits: Partial<Record<LimitName, number>> = {};
  for (const name of Object.keys(DEFAULT_LIMITS) as LimitName[]) {
    const value = (stated as Record<string, unknown>)[name];
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)
      limits[name] = Math.min(value, LIMIT_MAX);
  }
  return limits;
}
