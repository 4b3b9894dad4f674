import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { Log } from '../../domain/log/log.ts';
import type { ReadCountedSums } from '../../domain/money/counted-sums.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { RecoverableShards } from '../../storage/hot/recoverable-shards.ts';
import { isCountable, type ShardLook } from '../../storage/hot/redis-epochs.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { requireWholeAnalytics } from '../marks/compare-marks.ts';
import { acquireShippingLease, type ShippingLease } from '../shipping/shipping-lease.ts';
import { makeFolder } from '../spool/spool-files.ts';
import { finishBatches, rebuildFromTable } from './hot-rebuild.ts';
import {
  acquireLead,
  beginRound,
  deleteMachine,
  insertStore,
  listMachines,
  type MachineStep,
  readRound,
  type RecoveryRound,
  saveMachine,
  setPhase,
} from './hot-recovery.sql.ts';
import { hasUncountedFile, RecountSpool } from './recount-spool.ts';
import { nextEpochs, openSpoolEpochs, readSpoolEpochs, type SpoolEpochs, writeSpoolEpochs } from './spool-epochs.ts';

/** Dependencies of the recovery. */
export interface HotRecoveryDeps {
  readonly shards: RecoverableShards;
  readonly hot: Pick<HotStore, 'forgetFile'>;
  readonly sql: Kysely<Database>;
  readonly olap: Olap;
  readonly readSums: ReadCountedSums;
  readonly catalog: Catalog;
  readonly dataDir: string;
  /** Worker 0 acts for its machine; the others only look. */
  readonly workerIndex: number;
  readonly nowMs: () => number;
  readonly log: Log;
  readonly everyMs?: number;
  /** How long after it takes the shipping lease a machine may say that its inserts have ended. */
  readonly holdMs?: number;
}

/** Times in milliseconds. A whole store needs a look at its shards each second, and a word to the other machines now and then. */
const EVERY_MS = 1_000;
const BUSY_EVERY_MS = 250;
const BEAT_MS = 4_000;
const HOLD_MS = 2_500;
/** Longest that a start waits for the first look: ads are served without it. */
const FIRST_MS = 2_000;
/** Longest that a round waits for files that a worker does not seal or cannot count. */
const UNCOUNTED_MAX_MS = 15_000;
const LOG_EVERY_MS = 10_000;

/** The state of the recovery, for `/readyz` and metrics. */
export interface RecoveryState {
  /** Shards whose counters are not whole. */
  readonly lost: number;
  readonly shards: number;
  /** Since when this process knows it, epoch milliseconds. */
  readonly sinceMs: number | null;
  /** How long the last rebuild that this process saw took. */
  readonly lastMs: number | null;
}

/** A machine's files, as they are counted again in one set of epochs. */
interface Recount {
  readonly epochs: string;
  readonly spool: RecountSpool;
  readonly beganMs: number;
  /** Since when files that waited may be counted; null: they wait. */
  countsSinceMs: number | null;
}

/** What all machines have done before a phase ends. */
const WANTED = { hold: 'held', recount: 'recounted', count: 'counted' } as const;

/**
 * Brings back what shards of a shared hot store have lost. All machines agree in PostgreSQL on rounds of three phases. `hold`: every
 * machine ends its inserts and begins none, then the leader sets counters and claims of the lost shards by the event table. `recount`: every
 * machine adds its counted files, which the table does not have. `count`: files that waited are counted, of which some may hold copies of
 * events in others. Then the shards are used again, and each machine ships on. A machine that was down does the same when it comes back, before it ships: its spool remembers in which epochs its files are counted.
 */
export class HotRecovery {
  readonly #deps: HotRecoveryDeps;
  readonly #spoolDir: string;
  readonly #stopped = new AbortController();
  #machineId = '';
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #beats: NodeJS.Timeout | null = null;
  #mayShip = false;
  #sinceMs: number | null = null;
  #lastMs: number | null = null;
  #lost = 0;
  #count = 0;
  #beatAtMs = Number.NEGATIVE_INFINITY;
  #loggedAtMs = Number.NEGATIVE_INFINITY;
  /** The part of this machine in the present round. */
  #step: { readonly round: string; step: MachineStep } = { round: '', step: 'none' };
  #isLossLogged = false;
  #hasRemembered = false;
  #beating: Promise<void> | null = null;
  #lease: ShippingLease | null = null;
  #heldSinceMs = 0;
  #recount: Recount | null = null;
  #building: Promise<void> | null = null;

  constructor(deps: HotRecoveryDeps) {
    this.#deps = deps;
    this.#spoolDir = join(deps.dataDir, 'spool');
    deps.shards.watchRecounts(() => this.#mayShip);
  }

  /** Whether events can be counted: no shard waits for its counters from the event table. */
  mayCount(): boolean {
    return this.#deps.shards.standing()?.every(({ state }) => isCountable(state)) === true;
  }

  /** Whether counted files may go to the analytics store: all of them are counted wherever they were lost, and no round runs. */
  mayShip(): boolean {
    return this.#mayShip && this.#deps.shards.standing()?.every(isReady) === true;
  }

  get state(): RecoveryState {
    return { lost: this.#lost, shards: this.#count, sinceMs: this.#sinceMs, lastMs: this.#lastMs };
  }

  /** Begins to look; resolves after the first look, which makes a new store usable, or after a moment. Never rejects. */
  async start(): Promise<void> {
    makeFolder(this.#spoolDir);
    // A look may take long: ending inserts, counting files again.
    this.#beats = setInterval(() => void this.#beatWhileBusy(), BEAT_MS);
    await Promise.race([this.#turn(), sleep(FIRST_MS, undefined, { ref: false })]);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer ?? undefined);
    clearInterval(this.#beats ?? undefined);
    await this.#running;
    await this.#building?.catch(() => undefined);
    await this.#beating;
    this.#lease?.release();
    if (this.#deps.workerIndex === 0 && this.#machineId !== '')
      await deleteMachine(this.#deps.sql, this.#machineId).catch(() => undefined);
  }

  async #turn(): Promise<void> {
    this.#running = this.#look().catch((error: unknown) => this.#logFailure(error));
    await this.#running;
    if (this.#stopped.signal.aborted) return;
    const everyMs = this.#mayShip ? (this.#deps.everyMs ?? EVERY_MS) : (this.#deps.everyMs ?? BUSY_EVERY_MS);
    this.#timer = setTimeout(() => void this.#turn(), everyMs);
  }

  #logFailure(error: unknown): void {
    if (performance.now() - this.#loggedAtMs < LOG_EVERY_MS) return;
    this.#loggedAtMs = performance.now();
    this.#deps.log.event('hot_store.recovery_waits', { err: error });
  }

  async #look(): Promise<void> {
    const { shards, workerIndex } = this.#deps;
    const kept = readSpoolEpochs(this.#spoolDir);
    if (!this.#hasRemembered) await this.#remember(kept);
    const standing = await shards.refresh();
    this.#record(standing);
    const old = standing.filter(({ isOld }) => isOld).length;
    if (old > 0) this.#deps.log.event('hot_store.shards_old', { old, shards: standing.length });
    this.#mayShip = standing.every(isReady) && kept?.epochs?.join() === epochsOf(standing).join();
    if (workerIndex !== 0) return;
    if (this.#machineId === '') this.#machineId = openSpoolEpochs(this.#spoolDir).machineId;
    if (!this.#mayShip) return this.#recover(standing);
    this.#lease?.release();
    this.#lease = null;
    // Not awaited: a look at the shards does not wait for PostgreSQL. What it misses, other parts of the service report.
    this.#beating ??= this.#beatNowAndThen(standing)
      .catch(() => undefined)
      .finally(() => (this.#beating = null));
  }

  /** Also detects a Redis that went back while all processes of this machine were down. */
  async #remember(kept: SpoolEpochs | null): Promise<void> {
    const known = (kept?.epochs ?? []).map((epoch, shard) => ({ epoch, writes: kept?.writes?.[shard] ?? 0 }));
    await this.#deps.shards.remember(known, kept?.past ?? []);
    this.#hasRemembered = true;
  }

  #record(standing: readonly ShardLook[]): void {
    const lost = standing.filter((one) => !isReady(one)).length;
    this.#count = standing.length;
    if (lost > 0 && this.#lost === 0) this.#sinceMs = this.#deps.nowMs();
    if (lost === 0 && this.#sinceMs !== null) {
      this.#lastMs = this.#deps.nowMs() - this.#sinceMs;
      this.#sinceMs = null;
    }
    this.#lost = lost;
  }

  async #beatNowAndThen(standing: readonly ShardLook[]): Promise<void> {
    if (performance.now() - this.#beatAtMs < BEAT_MS) return;
    writeSpoolEpochs(this.#spoolDir, nextEpochs(readSpoolEpochs(this.#spoolDir), this.#machineId, standing));
    // A store that is whole may be one that this database does not know yet.
    const round = await readRound(this.#deps.sql);
    if (round === null) await insertStore(this.#deps.sql, 'first');
    if (round !== null && round.round !== this.#step.round) this.#step = { round: round.round, step: 'none' };
    await this.#beat(this.#step.round === '' ? '0' : this.#step.round, this.#step.step);
  }

  async #beatWhileBusy(): Promise<void> {
    if (this.#machineId === '' || this.#step.round === '' || this.#mayShip) return;
    await this.#beat(this.#step.round, this.#step.step).catch((error: unknown) => this.#logFailure(error));
  }

  async #beat(round: string, step: MachineStep): Promise<void> {
    await saveMachine(this.#deps.sql, { machineId: this.#machineId, round, step });
    this.#beatAtMs = performance.now();
  }

  async #recover(standing: readonly ShardLook[]): Promise<void> {
    this.#hold();
    if (standing.every(isReady)) return this.#catchUp(standing);
    const { sql, shards } = this.#deps;
    const round = await readRound(sql);
    if (round === null) {
      const epoch = randomUUID();
      if (await insertStore(sql, epoch)) await shards.found(epoch);
      return;
    }
    if (!this.#isLossLogged) this.#deps.log.event('hot_store.shards_lost', { lost: this.#lost, shards: this.#count });
    this.#isLossLogged = true;
    if (this.#step.round !== round.round) this.#step = { round: round.round, step: 'none' };
    await this.#beat(round.round, this.#step.step);
    await this.#join(round, standing);
    await this.#beat(round.round, this.#step.step);
    await this.#lead(round, standing);
  }

  /** Keeps all workers of this machine from shipping. */
  #hold(): void {
    if (this.#lease === null) {
      this.#lease = acquireShippingLease({ spoolDir: this.#spoolDir, nowMs: this.#deps.nowMs });
      this.#heldSinceMs = performance.now();
    } else if (!this.#lease.isHeld()) {
      this.#lease = null;
      this.#hold();
    }
  }

  async #join(round: RecoveryRound, standing: readonly ShardLook[]): Promise<void> {
    if (round.phase === 'hold' && this.#step.step === 'none') {
      if (performance.now() - this.#heldSinceMs < (this.#deps.holdMs ?? HOLD_MS)) return;
      await finishBatches({ ...this.#deps, spoolDir: this.#spoolDir });
      this.#step.step = 'held';
    }
    if (!standing.every(({ state }) => isCountable(state) || state === 'recount')) return;
    const recount = this.#recountOf(standing);
    if (round.phase === 'recount' && this.#step.step !== 'recounted') {
      await recount.spool.run();
      this.#step.step = 'recounted';
    }
    if (round.phase === 'count' && this.#step.step !== 'counted') {
      // One that comes late has not counted its files again yet.
      await recount.spool.run();
      recount.countsSinceMs ??= this.#deps.nowMs();
      const waitedMs = this.#deps.nowMs() - recount.countsSinceMs;
      const isWaiting = hasUncountedFile(this.#spoolDir, recount.beganMs);
      if (!isWaiting || waitedMs > UNCOUNTED_MAX_MS) this.#step.step = 'counted';
    }
  }

  /** Every shard is ready: what this machine has not counted there yet is counted, then it ships on. */
  async #catchUp(standing: readonly ShardLook[]): Promise<void> {
    const { hot, log } = this.#deps;
    const recount = this.#recountOf(standing);
    const counted = await recount.spool.run();
    writeSpoolEpochs(this.#spoolDir, nextEpochs(readSpoolEpochs(this.#spoolDir), this.#machineId, standing));
    this.#mayShip = true;
    this.#recount = null;
    this.#isLossLogged = false;
    if (counted.files > 0) log.event('hot_store.recounted', { ...counted });
    for (const name of recount.spool.names()) await hot.forgetFile(name);
    this.#lease?.release();
    this.#lease = null;
  }

  /** The shards in which this machine's counted files are not counted: their epoch is another one than when they were. */
  #recountOf(standing: readonly ShardLook[]): Recount {
    const now = epochsOf(standing);
    if (this.#recount?.epochs === now.join()) return this.#recount;
    const kept = readSpoolEpochs(this.#spoolDir)?.epochs ?? now;
    const changed = now.flatMap((epoch, shard) => (epoch === kept[shard] ? [] : [shard]));
    const spool = new RecountSpool({ ...this.#deps, spoolDir: this.#spoolDir }, changed);
    this.#recount = { epochs: now.join(), spool, beganMs: this.#deps.nowMs(), countsSinceMs: null };
    return this.#recount;
  }

  async #lead(round: RecoveryRound, standing: readonly ShardLook[]): Promise<void> {
    const { sql } = this.#deps;
    const lost = standing.flatMap((one, shard) => (isReady(one) ? [] : [shard]));
    const { phase } = round;
    if (phase === 'whole') return void (await beginRound(sql, { after: round, lost }));
    if (!(await acquireLead(sql, { machineId: this.#machineId, round: round.round }))) return;
    // Another shard was lost meanwhile, or one of these again.
    const isBehind = lost.some(
      (shard) => !round.lost.includes(shard) || (phase !== 'hold' && standing[shard]?.epoch !== round.epoch),
    );
    if (isBehind) {
      if (this.#building === null) await beginRound(sql, { after: round, lost });
      return;
    }
    const machines = await listMachines(sql);
    if (machines.some((one) => one.round !== round.round || one.step !== WANTED[phase])) return;
    if (phase !== 'hold') return this.#advance(round, standing);
    this.#building ??= this.#build(round).finally(() => (this.#building = null));
    this.#building.catch((error: unknown) => this.#logFailure(error));
  }

  /** Sets the counters of the lost shards by the event table. */
  async #build(round: RecoveryRound): Promise<void> {
    const { shards, sql, olap, log } = this.#deps;
    const beganMs = performance.now();
    const epoch = randomUUID();
    await requireWholeAnalytics(sql, olap);
    await shards.begin(round.lost, epoch);
    const target = await shards.target(round.lost, epoch);
    const set = await rebuildFromTable({ ...this.#deps, hot: target });
    const lead = { machineId: this.#machineId, round: round.round };
    if (!(await acquireLead(sql, lead))) return;
    await shards.move(round.lost, { state: 'building', epoch }, { state: 'recount', epoch });
    if (await setPhase(sql, { ...lead, phase: 'recount', epoch }))
      log.event('hot_store.rebuilt', { ...set, tookMs: Math.round(performance.now() - beganMs) });
  }

  /** Moves the shards to their next state, then the round. A leader that dies in between leaves the rest to the next one. */
  async #advance({ round, phase, lost, epoch, beganAt }: RecoveryRound, standing: readonly ShardLook[]): Promise<void> {
    const { shards, sql, log, nowMs } = this.#deps;
    const [from, to] = phase === 'recount' ? (['recount', 'counting'] as const) : (['counting', 'ready'] as const);
    const left = standing.flatMap(({ state }, shard) => (state === from ? [shard] : []));
    await shards.move(left, { state: from, epoch }, { state: to, epoch });
    const next = { machineId: this.#machineId, round, epoch };
    await setPhase(sql, { ...next, phase: phase === 'recount' ? 'count' : 'whole' });
    if (to !== 'ready') return;
    log.event('hot_store.shards_ready', { shards: lost.length, tookMs: nowMs() - (beganAt?.getTime() ?? nowMs()) });
  }
}

function isReady({ state }: ShardLook): boolean {
  return state === 'ready';
}

function epochsOf(standing: readonly ShardLook[]): string[] {
  return standing.map(({ epoch }) => epoch);
}
