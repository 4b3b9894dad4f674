/** The tables that are read, and no other. Each name stands behind the prefix of the installation, such as `rv_`. */
export const REVIVE_TABLES = [
  'affiliates',
  'zones',
  'clients',
  'campaigns',
  'banners',
  'images',
  'ad_zone_assoc',
  'acls',
  'acls_channel',
  'trackers',
  'campaigns_trackers',
  'data_summary_ad_hourly',
  'users',
] as const;

export type ReviveTable = (typeof REVIVE_TABLES)[number];

/** A row by column; null is NULL. Columns of type BLOB come as latin1 text, one character a byte. */
export type ReviveRow = Readonly<Record<string, string | null>>;

/** Hands over the rows of the wanted tables in any order. */
export type ReviveSource = AsyncIterable<{ readonly table: ReviveTable; readonly row: ReviveRow }>;

/** Most rows of all tables but the hourly statistics. */
export const ROWS_MAX = 1_000_000;
/** Most rows of the hourly statistics. */
export const HOURS_MAX = 5_000_000;

/** The wanted table behind any prefix, or null. The longest name counts: `campaigns_trackers` is not `trackers`. */
export function wantedTable(name: string, prefix: string): ReviveTable | null {
  if (!name.startsWith(prefix)) return null;
  return REVIVE_TABLES.find((table) => table === name.slice(prefix.length)) ?? null;
}
