import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../domain/log/log.ts';
import type { Settings } from '../../config/settings.ts';
import { checkStores, resolveEndpoints, type ServeRole, secretsDirOf } from './endpoints.ts';
import { HotStoreGuard, type HotStoreUser } from './hot-store-guard.ts';
import { endLeftovers, POSTGRES_NAME } from './leftovers.ts';
import { ManagedChild } from './managed-child.ts';
import type { Endpoints, PartRole } from './part.ts';
import { PostgresKeeper, type PostgresStarter, type PostgresUrls } from './postgres-keeper.ts';
import { checkBeforeStart } from './preflight.ts';
import { recordProcess } from './process-identity.ts';
import { defaultRestartLimits, type RestartLimits } from './restart-policy.ts';
import { readLastPostgres, removeRunFiles, writeChildren, writeEndpoints, writeLastPostgres } from './run-files.ts';
import { SpareWorkers } from './spare-workers.ts';

/** Options of `supervise`. Times in milliseconds. */
export interface SuperviseOptions {
  readonly settings: Settings;
  readonly role: ServeRole;
  /** The program that children run, with the arguments `child --role <role>`. */
  readonly modulePath: string;
  readonly startPostgres: PostgresStarter;
  readonly log: Log;
  /** Called once, when everything is up. The lines may hold a secret that is shown once. */
  readonly printReady: (lines: readonly string[], endpoints: Endpoints) => void;
  /** Whether delivery workers can start from the disk, before the stores and the core. Absent: they cannot. */
  readonly canStartFromDisk?: (settings: Settings, endpoints: Endpoints) => Promise<boolean>;
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

/**
 * Runs Placard until it is told to stop (SIGTERM, SIGINT) or has to give up, and stops it in order: delivery workers, core,
 * analytics, PostgreSQL. A second signal shortens the wait. Resolves with the exit code: 0 after a signal, 1 after a failure.
 * @throws MissingStoresError, CannotStartError before anything has started
 */
export async function supervise(options: SuperviseOptions): Promise<number> {
  const { settings, role, log } = options;
  checkStores(settings, role);
  const signals = watchSignals(log);
  const lock = await checkBeforeStart({
    settings,
    role,
    nowMs: Date.now(),
    endLeftovers: () => endLeftovers(settings.dataDir, options.stageTimeoutMs ?? 20_000, log),
  });
  try {
    const endpoints = await resolveEndpoints(settings, role, makeSecretsDir(settings.dataDir));
    const lastUrl = await findLastPostgres(options, endpoints);
    const fleet = new Fleet(
      options,
      lastUrl === null ? endpoints : { ...endpoints, postgresUrl: lastUrl },
      lastUrl !== null,
    );
    const exitCode = await fleet.run(signals.first, signals.second);
    if (exitCode === 0) fleet.hotStore?.recordCleanStop();
    removeRunFiles(settings.dataDir);
    log.event('service.stopped', { exitCode });
    return exitCode;
  } finally {
    lock.release();
  }
}

/** The address of PostgreSQL to start workers with from the disk; null: they start after the core. */
async function findLastPostgres(options: SuperviseOptions, endpoints: Endpoints): Promise<string | null> {
  const { settings, role, canStartFromDisk, log } = options;
  const url = settings.postgresUrl ?? readLastPostgres(settings.dataDir);
  if (role === 'core' || url === null || canStartFromDisk === undefined) return null;
  try {
    return (await canStartFromDisk(settings, endpoints)) ? url : null;
  } catch (error) {
    log.event('service.disk_not_usable', { err: error });
    return null;
  }
}

function makeSecretsDir(dataDir: string): string {
  const dir = secretsDirOf(dataDir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
}

function watchSignals(log: Log): { first: Promise<void>; second: Promise<void> } {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let count = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    count += 1;
    log.event(count === 1 ? 'service.stopping' : 'service.stopping_at_once', { signal });
    (count === 1 ? first : second).resolve();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  return { first: first.promise, second: second.promise };
}

/** All processes of one `placard serve`. */
class Fleet {
  /** Null with Redis, and where no process uses the store. */
  readonly hotStore: HotStoreGuard | null;
  readonly #options: SuperviseOptions;
  readonly #limits: RestartLimits;
  readonly #failed = Promise.withResolvers<string>();
  readonly #postgres: PostgresKeeper | null;
  readonly #analytics: ManagedChild | null;
  readonly #core: ManagedChild | null;
  readonly #workers: readonly ManagedChild[];
  readonly #spares: SpareWorkers;
  readonly #startsFromDisk: boolean;
  readonly #needsCore = Promise.withResolvers<void>();
  #endpoints: Endpoints;
  #stageTimeoutMs: number;
  #stopped = false;
  #isServiceReady = false;

  constructor(options: SuperviseOptions, endpoints: Endpoints, startsFromDisk: boolean) {
    const { settings, role } = options;
    this.#startsFromDisk = startsFromDisk;
    this.#options = options;
    this.#endpoints = endpoints;
    this.hotStore =
      endpoints.redisUrl === null
        ? new HotStoreGuard({ dataDir: settings.dataDir, log: options.log, users: () => this.#hotStoreUsers() })
        : null;
    this.#limits = options.limits ?? defaultRestartLimits;
    this.#stageTimeoutMs = options.stageTimeoutMs ?? 20_000;
    this.#postgres = settings.postgresUrl === null ? this.#makePostgres() : null;
    this.#analytics = settings.clickhouseUrl === null ? this.#makeChild('analytics', 0) : null;
    this.#core = role === 'delivery' ? null : this.#makeChild('core', 0);
    const workers = role === 'core' ? 0 : settings.workers;
    this.#spares = new SpareWorkers({
      count: workers === 0 ? 0 : settings.spareWorkers,
      modulePath: options.modulePath,
      dataDir: settings.dataDir,
      log: options.log,
      onProcessesChanged: () => this.#writeChildren(),
    });
    this.#workers = Array.from({ length: workers }, (_, workerIndex) => this.#makeChild('delivery', workerIndex));
  }

  /** Starts everything, waits for the end of it, stops everything. Resolves with the exit code. */
  async run(stopRequested: Promise<void>, hurryRequested: Promise<void>): Promise<number> {
    const { log, printReady } = this.#options;
    const stop = stopRequested.then(() => 0);
    const failure = this.#failed.promise.then((reason) => {
      log.event('service.gave_up', { reason });
      return 1;
    });
    const start = this.#startAll().then(
      (lines) => {
        if (this.#stopped) return;
        printReady(lines, this.#endpoints);
        for (const child of this.#children()) child.announceServiceReady();
        this.#isServiceReady = true;
        this.#spares.fill();
      },
      (error: unknown) => {
        if (!this.#stopped) this.#failed.resolve(error instanceof Error ? error.message : String(error));
      },
    );
    const exitCode = await Promise.race([stop, failure]);
    this.#stopped = true;
    hurryRequested.then(
      () => this.#hurry(),
      () => undefined,
    );
    await this.#stopAll();
    await start;
    return exitCode;
  }

  async #startAll(): Promise<readonly string[]> {
    this.hotStore?.checkAtStart();
    if (this.#startsFromDisk) await this.#startAds();
    const [postgres] = await Promise.all([
      this.#postgres?.start(this.#startsFromDisk),
      this.#startChild(this.#analytics),
    ]);
    if (this.#stopped) return [];
    if (postgres !== undefined) this.#movePostgres(postgres);
    writeEndpoints(this.#options.settings.dataDir, this.#endpoints);
    const coreLines = await this.#startChild(this.#core);
    if (this.#stopped) return [];
    for (const worker of this.#workers) worker.announceCoreUp();
    const workerLines = await Promise.all(this.#workers.map((worker) => this.#startChild(worker)));
    return [...coreLines, ...(workerLines[0] ?? [])];
  }

  /** Starts the workers from the disk. Everything else waits until they serve, or one of them needs the core; not long on a slow machine. */
  async #startAds(): Promise<void> {
    const { log, adsFirstMs = 20_000 } = this.#options;
    // The core of another machine migrated the stores.
    if (this.#core === null) for (const worker of this.#workers) worker.announceCoreUp();
    const startedAtMs = performance.now();
    const all = Promise.all(this.#workers.map((worker) => this.#startChild(worker))).then(
      () => log.event('service.ads_first', { ms: Math.round(performance.now() - startedAtMs) }),
      // `startAll` awaits the same start.
      () => undefined,
    );
    const waited = new AbortController();
    await Promise.race([all, this.#needsCore.promise, sleep(adsFirstMs, undefined, { signal: waited.signal })]);
    waited.abort();
  }

  async #startChild(child: ManagedChild | null): Promise<readonly string[]> {
    if (child === null || this.#stopped) return [];
    child.setEndpoints(this.#endpointsFor(child.role));
    return await child.start();
  }

  async #stopAll(): Promise<void> {
    await this.#spares.stop();
    const stages = [this.#workers, this.#core, this.#analytics, this.#postgres];
    for (const stage of stages) {
      const members = [stage].flat().filter((member) => member !== null);
      await Promise.all(members.map((member) => member.stop(this.#stageTimeoutMs)));
    }
  }

  #hurry(): void {
    this.#stageTimeoutMs = Math.min(this.#stageTimeoutMs, this.#options.hurriedTimeoutMs ?? 2_000);
    for (const child of this.#children()) child.hurry(this.#stageTimeoutMs);
  }

  #children(): ManagedChild[] {
    return [...this.#workers, this.#core, this.#analytics].filter((child) => child !== null);
  }

  #hotStoreUsers(): HotStoreUser[] {
    return [...this.#workers, this.#core]
      .filter((child) => child !== null)
      .map((child) => ({
        isRunning: () => child.pid !== null,
        restart: (timeoutMs) => child.recycle(this.#endpoints, timeoutMs),
      }));
  }

  #makeChild(role: PartRole, workerIndex: number): ManagedChild {
    const { settings, modulePath, log, readyTimeoutMs = 300_000 } = this.#options;
    return new ManagedChild({
      role,
      workerIndex,
      modulePath,
      settings,
      endpoints: this.#endpoints,
      limits: this.#limitsOf(role),
      readyTimeoutMs,
      log,
      ...(role === 'analytics' || this.hotStore === null
        ? {}
        : {
            beforeStart: () => this.hotStore?.ready() ?? Promise.resolve(),
            onDied: (how) => this.hotStore?.recordDeath(how),
          }),
      ...(role === 'delivery'
        ? {
            startsFromDisk: this.#startsFromDisk,
            onNeedsCore: () => this.#needsCore.resolve(),
            acquireSpare: () => this.#spares.acquire(),
            onReady: () => this.#replaceSpares(),
          }
        : {}),
      onProcessesChanged: () => this.#writeChildren(),
      onGaveUp: (reason) => this.#failed.resolve(reason),
    });
  }

  /** Ads that are served from the disk go on while the core or the analytics store fails to start. */
  #limitsOf(role: PartRole): RestartLimits {
    const isKept = this.#startsFromDisk && role !== 'delivery';
    return isKept ? { ...this.#limits, startCrashesMax: Number.POSITIVE_INFINITY } : this.#limits;
  }

  /** Not before the worker that took a spare serves: loading another one would hold it up. */
  #replaceSpares(): void {
    if (this.#isServiceReady && !this.#stopped) this.#spares.fill();
  }

  #makePostgres(): PostgresKeeper {
    const { settings, log, startPostgres } = this.#options;
    return new PostgresKeeper({
      dataDir: settings.dataDir,
      start: startPostgres,
      limits: this.#limits,
      log,
      onProcessesChanged: () => this.#writeChildren(),
      onRestarted: (urls) => this.#movePostgres(urls),
      onGaveUp: (reason) => this.#failed.resolve(reason),
    });
  }

  /** Children learn addresses when they start: after a change of address they are started again, in order. */
  #movePostgres({ url, ownerUrl }: PostgresUrls): void {
    const { dataDir } = this.#options.settings;
    const hasMoved = url !== this.#endpoints.postgresUrl;
    this.#endpoints = { ...this.#endpoints, postgresUrl: url, postgresOwnerUrl: ownerUrl };
    writeLastPostgres(dataDir, url);
    if (!hasMoved) return;
    writeEndpoints(dataDir, this.#endpoints);
    for (const child of this.#children()) {
      if (child !== this.#analytics) child.recycle(this.#endpointsFor(child.role), this.#stageTimeoutMs);
    }
  }

  /** Only the core migrates: no other part learns the owner's password. */
  #endpointsFor(role: PartRole): Endpoints {
    return role === 'core' ? this.#endpoints : { ...this.#endpoints, postgresOwnerUrl: null };
  }

  #writeChildren(): void {
    const named: [string, number | null][] = this.#children().map((child) => [child.name, child.pid]);
    for (const pid of this.#spares.pids) named.push(['delivery spare', pid]);
    named.push([POSTGRES_NAME, this.#postgres?.pid ?? null]);
    const records = named.flatMap(([name, pid]) => (pid === null ? [] : [{ name, ...recordProcess(pid) }]));
    try {
      writeChildren(this.#options.settings.dataDir, records);
    } catch (error) {
      // A full disk must not end what runs. Leftovers of a later crash are then found by PostgreSQL's own lock alone.
      this.#options.log.event('process.list_not_written', { err: error });
    }
  }
}
