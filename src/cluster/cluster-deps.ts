import type { Kysely } from 'kysely';
import type { Settings } from '../config/settings.ts';
import type { Log } from '../domain/log/log.ts';
import type { Database } from '../storage/sql/schema.ts';

/** The part of a node that a process belongs to. */
export type NodePart = 'core' | 'delivery' | 'jobs';

/** Addresses of stores, as the supervisor resolved them. */
export interface ServeAddresses {
  readonly clickhouseUrl: string;
  readonly redisUrl: string | null;
}

/** Dependencies of a node's part in its cluster. */
export interface ClusterDeps {
  readonly sql: Kysely<Database>;
  readonly settings: Settings;
  readonly part: NodePart;
  readonly log: Log;
}
