import type { Log } from '../../domain/log/log.ts';
import type { Settings } from '../../config/settings.ts';
import type { WorkerLoad } from '../../domain/reporting/report-share.ts';
import type { ProcessMetrics } from './process-metrics.ts';

/** A kind of process of one `placard serve`. PostgreSQL is a child too, but no part: it runs none of our code. */
export type PartRole = 'core' | 'delivery' | 'jobs' | 'analytics';

export const PART_ROLES: readonly PartRole[] = ['core', 'delivery', 'jobs', 'analytics'];

/**
 * All addresses, once ports are resolved and stores have started. Stored in `<data>/run/endpoints.json` (mode 0600: the addresses carry
 * passwords), and sent to each child over its IPC channel.
 */
export interface Endpoints {
  readonly bind: string;
  readonly corePort: number;
  readonly deliveryPort: number;
  /** Of the SQL endpoint; null: it is closed, or another process has it. */
  readonly sqlPort: number | null;
  /** Public base addresses, without a trailing slash. */
  readonly corePublicUrl: string;
  readonly deliveryPublicUrl: string;
  /** As the service's role. */
  readonly postgresUrl: string;
  /** As the owner of the tables, for migrations; null: the role of `postgresUrl` runs them. Only the core is told. */
  readonly postgresOwnerUrl: string | null;
  readonly clickhouseUrl: string;
  /** null: the ledger in the data folder. */
  readonly redisUrl: string | null;
}

/** The input of a part. `workerIndex` numbers the delivery workers from 0; it is 0 for the other roles. */
export interface ChildContext {
  readonly role: PartRole;
  readonly workerIndex: number;
  /** A former process of this part left files on disk that are current enough to begin with. */
  readonly isRestart: boolean;
  readonly settings: Settings;
  readonly endpoints: Endpoints;
  readonly log: Log;
  /** Tells the supervisor that a start takes long for a reason, such as a migration: its time to be ready begins again. */
  readonly stillStarting: () => void;
  /** The core is up: the stores are there and have the schema of this program. */
  readonly coreUp: CoreUp;
  /** In the core: calls the listener with what each delivery worker of this machine measures, from now on. */
  readonly watchWorkerLoads: (listener: WorkerLoadListener) => void;
  /** Resolves when every part of the service is ready: background work begins then. */
  readonly serviceReady: Promise<void>;
}

/** The descriptor of the socket that a delivery worker listens on: the first behind its channel to the supervisor. */
export const LISTEN_FD = 4;

/** Called some two times a second for each delivery worker. */
export type WorkerLoadListener = (workerIndex: number, load: WorkerLoad) => void;

/** Whether the core is up, for a delivery worker that starts before it. */
export interface CoreUp {
  readonly isUp: boolean;
  /** Resolves when it is up. */
  readonly event: Promise<void>;
  /** For a worker whose files on disk are not enough: tells the supervisor so, and resolves when it is up. */
  await(): Promise<void>;
}

/** A part that is up. Made by `runCore` and `runDelivery` in compose.ts, and by `runAnalyticsPart`. */
export interface RunningPart {
  /** Lines for a person, printed once by the supervisor when everything is up. May hold a secret shown once: never logged. */
  readonly readyLines?: readonly string[];
  /** Its Prometheus metrics. */
  metrics?(): Promise<ProcessMetrics>;
  /** From now on its readiness check fails and each response ends its connection: load balancers and clients turn elsewhere. */
  drain?(): void;
  /** Reads again what SIGHUP may have changed beside the settings. */
  reload?(): void;
  /** Stops accepting, lets work in hand end, flushes. Called once. */
  stop(times: StopTimes): Promise<void>;
}

/** How a part stops. Times in milliseconds. */
export interface StopTimes {
  /** How long it may take, with the time that idle connections linger. */
  readonly timeoutMs: number;
  /** How long it goes on accepting, and its idle connections stay open, while each response ends its connection. */
  readonly lingerMs: number;
  /** A successor waits: what it can do as well is left to it. */
  readonly isReplaced: boolean;
}

/** Starts a part; resolves when it serves. A rejection ends the child, and the supervisor tries again with back-off. */
export type PartRunner = (context: ChildContext) => Promise<RunningPart>;

/** The loaded code of a part. Loading opens nothing. */
export interface PartCode {
  readonly run: PartRunner;
}

/** Loads the code of each role. */
export type PartLoaders = Readonly<Record<PartRole, () => Promise<PartCode>>>;
