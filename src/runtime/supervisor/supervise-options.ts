import type { Settings } from '../../config/settings.ts';
import type { Log } from '../../domain/log/log.ts';
import type { ServeRole } from './endpoints.ts';
import type { Endpoints } from './part.ts';
import type { PostgresStarter } from './postgres-keeper.ts';
import type { RestartLimits } from './restart-policy.ts';

/** How long a child may take to start, unless the options say otherwise. */
export const READY_TIMEOUT_MS = 300_000;

/** Options of `supervise`. Times in milliseconds. */
export interface SuperviseOptions {
  /** A reload changes them in place: a copy of its own (`copySettings`) with `readSettings`. */
  readonly settings: Settings;
  /** Reads the settings again at SIGHUP; absent: they stay as they are. @throws SettingsError */
  readonly readSettings?: () => Settings;
  /** Throws when the certificate of workers cannot be read: then SIGHUP replaces none. Absent: there is nothing to check. */
  readonly checkCertificate?: (settings: Settings, endpoints: Endpoints) => Promise<unknown>;
  readonly role: ServeRole;
  /** The program that children run, with the arguments `child --role <role>`. */
  readonly modulePath: string;
  readonly startPostgres: PostgresStarter;
  readonly log: Log;
  /** Called once, when everything is up. The lines may hold a secret that is shown once. */
  readonly printReady: (lines: readonly string[], endpoints: Endpoints) => void;
  /** Whether delivery workers can start from the disk, before the stores and the core. Absent: they cannot. */
  readonly canStartFromDisk?: (settings: Settings, endpoints: Endpoints) => Promise<boolean>;
  /** Writes secrets of the settings to their files, before anything reads them. */
  readonly writeSecrets?: (settings: Settings) => void;
  /** Fetches the secrets of the cluster for a node without a core; false: try again shortly. */
  readonly tryJoining?: (settings: Settings, endpoints: Endpoints, part: 'delivery' | 'jobs') => Promise<boolean>;
  /** How long the stores and the core wait for workers that start from the disk; default 20 s. */
  readonly adsFirstMs?: number;
  readonly limits?: RestartLimits;
  /** Bound of each stage of a stop, and of ending leftovers; default 20 s. */
  readonly stageTimeoutMs?: number;
  /** Bound of each stage after a second signal; default 2 s. */
  readonly hurriedTimeoutMs?: number;
  /** Bound of a child's start, migrations included; default 5 min. */
  readonly readyTimeoutMs?: number;
}
