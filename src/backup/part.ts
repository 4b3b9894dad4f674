import type { Olap } from '../storage/olap/olap.ts';
import type { Log } from '../domain/log/log.ts';
import type { BackupWriter } from './backup-files.ts';
import type { Manifest } from './manifest.ts';

/** What a part reads while a backup is made. */
export interface BackupSource {
  readonly dataDir: string;
  /** As the owner of the tables. */
  readonly postgresUrl: string;
  readonly olap: Olap;
  /** Where a ClickHouse by address writes its own backup, as it stands behind TO; `{name}` is the backup's. null = not known. */
  readonly clickhouseTarget: string | null;
  readonly passphrase: string;
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
  readonly clickhouseTarget: string | null;
  readonly passphrase: string;
  readonly log: Log;
}

/** One part of a backup. */
export interface BackupPart {
  readonly name: string;
  /** It is read while no batch of events is shipped. */
  readonly needsStillness: boolean;
  readonly write: (source: BackupSource) => Promise<void>;
  /** Puts its files into the data folder, before any store runs. */
  readonly restore: (target: RestoreTarget) => Promise<void>;
  /** Fills a store that runs on the new data folder. */
  readonly fill?: (target: RestoreTarget, stores: RestoredStores) => Promise<void>;
  /** Checks more than the checksums of its files. */
  readonly verify?: (target: Pick<RestoreTarget, 'folder' | 'passphrase'>) => Promise<void>;
}
