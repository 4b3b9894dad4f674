import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findLastPostgres } from './disk-start.ts';
import { checkStores, hasCore, hasWorkers, resolveEndpoints, secretsDirOf } from './endpoints.ts';
import { endLeftovers, POSTGRES_NAME } from './leftovers.ts';
import { ManagedChild } from './managed-child.ts';
import { startMetricsServer } from './metrics-server.ts';
import type { Endpoints, PartRole } from './part.ts';
import { PostgresKeeper, type PostgresUrls } from './postgres-keeper.ts';
import { checkBeforeStart } from './preflight.ts';
import { recordProcess } from './process-identity.ts';
import { defaultRestartLimits, type RestartLimits } from './restart-policy.ts';
import { removeRunFiles, writeChildren, writeEndpoints, writeLastPostgres } from './run-files.ts';
import { type StopSignal, watchSignals } from './signals.ts';
import { readSettingsAgain } from './read-settings-again.ts';
import { READY_TIMEOUT_MS, type SuperviseOptions } from './supervise-options.ts';
import { waitUntilJoined } from './wait-until-joined.ts';
import { WorkerSocket } from './worker-socket.ts';

/** How long a scrape in hand may take when the service has stopped. */
const METRICS_STOP_MS = 1_000;
/** How long idle connections of a worker that is replaced, and of all parts after a drain, stay open for a request that is on its way. */
const LINGER_MS = 1_000;

/**
 * Runs Placard until it is told to stop (SIGTERM, SIGINT) or has to give up, and stops it in order: core and delivery workers, the worker that
 * has the hot store open, analytics, PostgreSQL. A second signal shortens the wait. Resolves with the exit code: 0 after a signal, 1 after a failure.
 * @throws MissingStoresError, CannotStartError before anything has started
 */
export async function supervise(options: SuperviseOptions): Promise<number> {
  const { settings, role, log } = options;
  checkStores(settings, role);
  const signals = watchSignals(log);
  const { dataDir } = settings;
  const timeoutMs = options.stageTimeoutMs ?? 20_000;
  const lock = await checkBeforeStart({
    settings,
    role,
    nowMs: Date.now(),
    endLeftovers: () => endLeftovers({ dataDir, timeoutMs, log }),
  });
  try {
    const endpoints = await resolveEndpoints(settings, role, { secretsDir: makeSecretsDir(dataDir) });
    options.writeSecrets?.(settings);
    const lastUrl = await findLastPostgres(options, endpoints);
    const fleet = new Fleet(
      options,
      lastUrl === null ? endpoints : { ...endpoints, postgresUrl: lastUrl },
      lastUrl !== null,
    );
    signals.onReload(() => {
      readSettingsAgain(options);
      fleet.announceSettings();
      void fleet.replaceWorkersIfSound();
    });
    const metrics = await startMetricsServer({ settings, processes: () => fleet.children(), log });
    const exitCode = await fleet.run(signals.first, signals.second);
    await metrics?.stop(METRICS_STOP_MS);
    removeRunFiles(settings.dataDir);
    log.event('service.stopped', { exitCode });
    return exitCode;
  } finally {
    lock.release();
  }
}

function makeSecretsDir(dataDir: string): string {
  const dir = secretsDirOf(dataDir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
}

/** All processes of one `placard serve`. */
class Fleet {
  readonly #options: SuperviseOptions;
  readonly #limits: RestartLimits;
  readonly #failed = Promise.withResolvers<string>();
  readonly #postgres: PostgresKeeper | null;
  readonly #analytics: ManagedChild | null;
  /** The core, or the process of `--role jobs` in its place. */
  readonly #core: ManagedChild | null;
  readonly #workers: readonly ManagedChild[];
  readonly #startsFromDisk: boolean;
  readonly #needsCore = Promise.withResolvers<void>();
  #endpoints: Endpoints;
  #replacing: Promise<void> = Promise.resolve();
  #isReplacementQueued = false;
  #stageTimeoutMs: number;
  #stopped = false;

  constructor(options: SuperviseOptions, endpoints: Endpoints, startsFromDisk: boolean) {
    const { settings, role } = options;
    this.#startsFromDisk = startsFromDisk;
    this.#options = options;
    this.#endpoints = endpoints;
    this.#limits = options.limits ?? defaultRestartLimits;
    this.#stageTimeoutMs = options.stageTimeoutMs ?? 20_000;
    this.#postgres = settings.postgresUrl === null ? this.#makePostgres() : null;
    this.#analytics = settings.clickhouseUrl === null ? this.#makeChild('analytics', 0) : null;
    this.#core = role === 'delivery' ? null : this.#makeChild(role === 'jobs' ? 'jobs' : 'core', 0);
    const workers = hasWorkers(role) ? settings.workers : 0;
    this.#workers = Array.from({ length: workers }, (_, workerIndex) => this.#makeChild('delivery', workerIndex));
  }

  /** Starts everything, waits for the end of it, stops everything. Resolves with the exit code. */
  async run(stopRequested: Promise<StopSignal>, hurryRequested: Promise<void>): Promise<number> {
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
        for (const child of this.children()) child.announceServiceReady();
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
    // Nobody waits for load balancers at a terminal.
    const isDrained = exitCode === 0 && (await stopRequested) === 'SIGTERM' && (await this.#drain(hurryRequested));
    await this.#stopAll(isDrained ? LINGER_MS : 0);
    await start;
    return exitCode;
  }

  /** Not with a certificate that the new ones could not read. */
  async replaceWorkersIfSound(): Promise<void> {
    const { checkCertificate, settings, log } = this.#options;
    try {
      await checkCertificate?.(settings, this.#endpoints);
    } catch (error) {
      log.event('tls.certificate_not_renewed', { err: error });
      return;
    }
    this.replaceWorkers();
  }

  /** Replaces the workers one after the other, while the others serve; the new ones read certificates again. */
  replaceWorkers(): void {
    // A round that waits for the one that runs does for all signals that come meanwhile.
    if (this.#isReplacementQueued) return;
    this.#isReplacementQueued = true;
    this.#replacing = this.#replacing.then(async () => {
      this.#isReplacementQueued = false;
      for (const worker of this.#workers) {
        if (this.#stopped) return;
        await worker.recycle(this.#endpointsFor('delivery'), { timeoutMs: this.#stageTimeoutMs, lingerMs: LINGER_MS });
      }
    });
  }

  /** Workers get the settings, and read certificates, as they are replaced. */
  announceSettings(): void {
    for (const child of [this.#core, this.#analytics]) child?.announceSettings();
  }

  /** Whether it drained to the end. */
  async #drain(hurryRequested: Promise<void>): Promise<boolean> {
    const { drainSeconds } = this.#options.settings;
    if (drainSeconds === 0) return false;
    for (const child of [...this.#workers, this.#core]) child?.drain();
    const waited = new AbortController();
    const wait = sleep(drainSeconds * 1_000, undefined, { signal: waited.signal }).catch(() => undefined);
    const isWhole = await Promise.race([wait.then(() => true), hurryRequested.then(() => false)]);
    waited.abort();
    return isWhole;
  }

  async #startAll(): Promise<readonly string[]> {
    if (this.#startsFromDisk) await this.#startAds();
    else if (!hasCore(this.#options.role)) await waitUntilJoined(this.#options, this.#endpoints, () => this.#stopped);
    if (this.#stopped) return [];
    const [postgres] = await Promise.all([
      this.#postgres?.start(this.#startsFromDisk),
      this.#startChild(this.#analytics),
    ]);
    if (this.#stopped) return [];
    if (postgres !== undefined) this.#movePostgres(postgres);
    writeEndpoints(this.#options.settings.dataDir, this.#endpoints);
    // Workers that do not serve yet wait for the core, and the core needs the hot store of the first worker.
    const workers = Promise.all(this.#workers.map((worker) => this.#startChild(worker)));
    workers.catch(() => undefined);
    const coreLines = await this.#startChild(this.#core);
    if (this.#stopped) return [];
    for (const worker of this.#workers) worker.announceCoreUp();
    const workerLines = await workers;
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

  /** @param lingerMs as when a worker is replaced: a slow balancer may have sent requests just now */
  async #stopAll(lingerMs: number): Promise<void> {
    // The others use its ledger to their end.
    const owner = this.#endpoints.redisUrl === null ? (this.#workers[0] ?? null) : null;
    const users = [...this.#workers.filter((worker) => worker !== owner), this.#core];
    const stages = [users, owner, this.#analytics, this.#postgres];
    for (const stage of stages) {
      const members = [stage].flat().filter((member) => member !== null);
      await Promise.all(members.map((member) => member.stop(this.#stageTimeoutMs, lingerMs)));
    }
  }

  #hurry(): void {
    this.#stageTimeoutMs = Math.min(this.#stageTimeoutMs, this.#options.hurriedTimeoutMs ?? 2_000);
    for (const child of this.children()) child.hurry(this.#stageTimeoutMs);
  }

  /** The parts, without PostgreSQL. */
  children(): ManagedChild[] {
    return [...this.#workers, this.#core, this.#analytics].filter((child) => child !== null);
  }

  #makeChild(role: PartRole, workerIndex: number): ManagedChild {
    const { settings, modulePath, log, readyTimeoutMs = READY_TIMEOUT_MS } = this.#options;
    return new ManagedChild({
      role,
      workerIndex,
      modulePath,
      settings,
      endpoints: this.#endpoints,
      limits: this.#limitsOf(),
      readyTimeoutMs,
      log,
      ...(role === 'delivery'
        ? {
            socket: new WorkerSocket(this.#endpoints),
            hasPeers: settings.workers > 1,
            startsFromDisk: this.#startsFromDisk,
            onNeedsCore: () => this.#needsCore.resolve(),
            onLoad: (load) => this.#core?.tellWorkerLoad(workerIndex, load),
          }
        : {}),
      onProcessesChanged: () => this.#writeChildren(),
      onGaveUp: (reason) => this.#failed.resolve(reason),
    });
  }

  /** Where an earlier run left what ads need, no part is given up: ads go on while another part fails to start. */
  #limitsOf(): RestartLimits {
    return this.#startsFromDisk ? { ...this.#limits, startCrashesMax: Number.POSITIVE_INFINITY } : this.#limits;
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
    void this.#core?.recycle(this.#endpointsFor('core'), { timeoutMs: this.#stageTimeoutMs, lingerMs: 0 });
    // At a first start no worker runs yet, and those that start now know the address.
    if (this.#workers.some(({ pid }) => pid !== null)) this.replaceWorkers();
  }

  /** Only the core migrates: no other part learns the owner's password. */
  #endpointsFor(role: PartRole): Endpoints {
    return role === 'core' ? this.#endpoints : { ...this.#endpoints, postgresOwnerUrl: null };
  }

  #writeChildren(): void {
    const named: [string, number | null][] = this.children().map((child) => [child.name, child.pid]);
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
