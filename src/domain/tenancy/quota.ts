import { PlacardError } from '../errors.ts';

/** A storage quota. Each holds for one environment of one network. */
export interface Quota {
  readonly unit: 'bytes' | 'count';
  /** The counted data, for people. */
  readonly title: string;
  /** The bound where no setting has it. */
  readonly fixed?: number;
}

/** Everything that a tenant can make grow on the machine's disk, and that has no bound elsewhere. Settings: docs/security.md. */
export const QUOTAS = {
  assetBytes: { unit: 'bytes', title: 'Uploaded files' },
  reportBytes: { unit: 'bytes', title: 'Finished report files' },
  segmentMembers: { unit: 'count', title: 'Uploaded segment members' },
  objects: { unit: 'count', title: 'Objects of the largest kind' },
  savedViews: { unit: 'count', title: 'Saved views', fixed: 5_000 },
  schedules: { unit: 'count', title: 'Report schedules', fixed: 100 },
  webhooks: { unit: 'count', title: 'Webhooks', fixed: 20 },
  bulkJobs: { unit: 'count', title: 'Bulk jobs that wait or run', fixed: 10 },
  bulkJobBytes: { unit: 'bytes', title: 'Rows and results of bulk jobs', fixed: 1_000_000_000 },
} as const satisfies Readonly<Record<string, Quota>>;

export type QuotaName = keyof typeof QUOTAS;

/** Every quota's name, in the order in which they are shown. */
export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** The bound of each quota, as the settings have it. */
export type QuotaLimits = Readonly<Record<QuotaName, number>>;

/** How much of a quota is used. */
export interface QuotaUse {
  readonly name: QuotaName;
  readonly unit: Quota['unit'];
  readonly used: number;
  readonly limit: number;
}

/** The error for what does not fit any more. `used` is what there is without it. */
export function quotaExceeded(
  name: QuotaName,
  use: { readonly used: number; readonly limit: number },
  advice: string,
): PlacardError {
  const { unit, title } = QUOTAS[name];
  const text = (amount: number): string => (unit === 'bytes' ? `${Math.ceil(amount / 1_000_000)} MB` : String(amount));
  return new PlacardError(
    'quota_exceeded',
    `${title} of this network environment are limited to ${text(use.limit)}, and ${text(use.used)} are used. ${advice}`,
    { details: { quota: name, unit, limit: use.limit, used: use.used } },
  );
}
