import type { OlapMigration } from '../storage/olap/migrate-olap.ts';
import type { Olap } from '../storage/olap/olap.ts';
import type { Log } from '../domain/log/log.ts';
import type { BackupWriter } from './backup-files.ts';
import type { Manifest } from './manifest.ts';
import type { Passphrase } from './seal.ts';

/** What a part reads while a backup is made. */
export interface BackupSource {
  readonly dataDir: string;
  /** As the owner of the tables. */
  readonly postgresUrl: string;
  readonly olap: Olap;
  /** Every migration of the analytics store that this program has. */
  readonly olapMigrations: readonly OlapMigration[];
  /** Where a ClickHouse by address writes its own backup, as it stands behind TO; `{name}` is the backup's. null = not known. */
  readonly clickhouseTarget: string | null;
  readonly passphrase: Passphrase;
  readonly writer: BackupWriter;
}

/** Stores that a restore fills. */
export interface RestoredStores {
  readonly olap: Olap;
  /** As the service's role. */
  readonly postgresUrl: string;
  /** null: the role of `postgresUrl` owns the tables. */
  readonly postgresOwnerUrl: string | null;
}

/** What a part of a restore reads and writes. */
export interface RestoreTarget {
  /** The backup. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** The new data folder, not in use yet. */
  readonly dataDir: string;
  /** Every migration of the analytics store that this program has: they alone make tables there. */
  readonly olapMigrations: readonly OlapMigration[];
  readonly clickhouseTarget: string | null;
  readonly passphrase: Passphrase;
  readonly log: Log;
}

/** One part of a backup. */
export interface BackupPart {
  readonly name: string;
  /** It is read while no batch of events is shipped. */
  readonly needsStillness: boolean;
  /** Paths of all files that `write` may write. A restore accepts no others. */
  readonly files: RegExp;
  /** The same of folders; null: none. */
  readonly folders: RegExp | null;
  readonly write: (source: BackupSource) => Promise<void>;
  /** Puts its files into the data folder, before any store runs. */
  readonly restore: (target: RestoreTarget) => Promise<void>;
  /** Fills a store that runs on the new data folder. */
  readonly fill?: (target: RestoreTarget, stores: RestoredStores) => Promise<void>;
  /** Checks more than the checksums of its files. */
  readonly verify?: (target: Pick<RestoreTarget, 'folder' | 'manifest' | 'passphrase'>) => Promise<void>;
}
