import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Gauge, type Registry } from 'prom-client';
import { z } from 'zod';
import type { Log } from '../../domain/log/log.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { type FreeTraffic, PLAN_KEPT_MS } from '../../domain/pacing/free-timeline.ts';
import { listPlans, PLANS_MAX, type PlanVersion, readPlans } from './plan.sql.ts';
import { PLAN } from './plan-schema.ts';
import { PlanTable, type PublishedPlan } from './published-plan.ts';

const RELOAD_MS = 5_000;
/** The plans on disk, in the data folder. */
export const PLANS_FOLDER = 'plans';
const FILE = 'plans.json';

const FILE_SCHEMA = z.array(z.unknown());
const STORED_PLAN = z.object({ workspaceId: z.number(), plan: PLAN });

/** The parts of a feed. */
export interface PlanFeedDeps {
  readonly sql: Kysely<Database>;
  readonly dataDir: string;
  /** One process of a machine stores the plans on disk. */
  readonly writesFile: boolean;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * The allocation plans as a process knows them: read from the disk at start, and from PostgreSQL every five seconds. When a read fails, the
 * last ones stay in use for a day; then goals count on all of their traffic.
 */
export class PlanFeed {
  readonly #deps: PlanFeedDeps;
  readonly #tables = new Map<number, PlanTable>();
  /** When the plans that cannot be used were made: they are not read again. */
  readonly #unusable = new Map<number, number>();
  #timer: NodeJS.Timeout | null = null;
  #reading: Promise<void> = Promise.resolve();
  /** A core of an older program fails every read, so only the first failure is logged. */
  #isFailing = false;

  constructor(deps: PlanFeedDeps) {
    this.#deps = deps;
  }

  /** Reads the disk, then PostgreSQL again and again. Never rejects. */
  async start(): Promise<void> {
    await this.#readFile();
    const read = (): void => {
      this.#reading = this.reload();
      void this.#reading.then(() => {
        if (this.#timer !== null) this.#timer = setTimeout(read, RELOAD_MS).unref();
      });
    };
    this.#timer = setTimeout(read, 0).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#reading;
  }

  /** What others leave to the goal of a line item; null: no plan that is young enough knows it. The same object until it changes. */
  find(workspaceId: number, lineItemId: string, nowMs: number): FreeTraffic | null {
    const table = this.#tables.get(workspaceId);
    return table !== undefined && table.isKeptAt(nowMs) ? table.find(lineItemId) : null;
  }

  /** Reads the plans that are new. Never rejects. */
  async reload(): Promise<void> {
    const { sql, nowMs, log } = this.#deps;
    try {
      const versions = await listPlans(sql, Math.max(0, nowMs() - PLAN_KEPT_MS));
      const changed = versions.filter(
        ({ workspaceId, madeAtMs }) =>
          this.#tables.get(workspaceId)?.plan.madeAtMs !== madeAtMs && this.#unusable.get(workspaceId) !== madeAtMs,
      );
      for (let from = 0; from < changed.length; from += PLANS_MAX)
        await this.#read(changed.slice(from, from + PLANS_MAX));
      this.#dropOld();
      if (changed.length > 0) await this.#writeFile();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log.event('plan.not_read', { err: error });
      this.#isFailing = true;
    }
  }

  /** Adds the metrics of the plans in use. */
  registerMetrics(registry: Registry): void {
    const { nowMs } = this.#deps;
    const inUse = () => [...this.#tables.values()].filter((table) => table.isKeptAt(nowMs()));
    new Gauge({
      name: 'placard_plan_workspaces',
      help: 'Workspaces whose line items are served by an allocation plan.',
      registers: [registry],
      collect() {
        this.set(inUse().length);
      },
    });
    new Gauge({
      name: 'placard_plan_age_seconds',
      help: 'Age of the oldest allocation plan in use; 0 without one.',
      registers: [registry],
      collect() {
        const ages = inUse().map(({ plan }) => (nowMs() - plan.madeAtMs) / 1_000);
        this.set(Math.max(0, ...ages));
      },
    });
  }

  /** Reads some plans. One that cannot be used leaves the last one of its workspace in use. */
  async #read(versions: readonly PlanVersion[]): Promise<void> {
    const { sql, log } = this.#deps;
    const madeAtMs = new Map(versions.map((version) => [version.workspaceId, version.madeAtMs]));
    for (const { workspaceId, plan } of await readPlans(sql, [...madeAtMs.keys()])) {
      const { data, error } = PLAN.safeParse(plan);
      if (data === undefined) {
        log.event('plan.not_usable', { err: error, workspaceId });
        this.#unusable.set(workspaceId, madeAtMs.get(workspaceId) ?? 0);
      } else {
        this.#tables.set(workspaceId, this.#newTable(workspaceId, data));
        this.#unusable.delete(workspaceId);
      }
    }
  }

  /** What has not changed is the same object, so that pacing keeps its plans. */
  #newTable(workspaceId: number, plan: PublishedPlan): PlanTable {
    const before = this.#tables.get(workspaceId);
    const free = plan.free.map(([id, found]) => {
      const known = before?.find(id) ?? null;
      return [id, known !== null && isDeepStrictEqual(known, found) ? known : found] as const;
    });
    return new PlanTable({ ...plan, free });
  }

  #dropOld(): void {
    const nowMs = this.#deps.nowMs();
    for (const [workspaceId, madeAtMs] of this.#unusable)
      if (nowMs >= madeAtMs + PLAN_KEPT_MS) this.#unusable.delete(workspaceId);
    for (const [workspaceId, table] of this.#tables) if (!table.isKeptAt(nowMs)) this.#tables.delete(workspaceId);
  }

  async #readFile(): Promise<void> {
    const { dataDir, log } = this.#deps;
    try {
      const text = await readFile(join(dataDir, PLANS_FOLDER, FILE), 'utf8');
      for (const entry of FILE_SCHEMA.parse(JSON.parse(text))) {
        const { data, error } = STORED_PLAN.safeParse(entry);
        if (data === undefined) log.event('plan.file_not_read', { err: error });
        else this.#tables.set(data.workspaceId, new PlanTable(data.plan));
      }
      this.#dropOld();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.event('plan.file_not_read', { err: error });
    }
  }

  async #writeFile(): Promise<void> {
    const { dataDir, writesFile, log } = this.#deps;
    if (!writesFile) return;
    const plans = [...this.#tables].map(([workspaceId, { plan }]) => ({ workspaceId, plan }));
    const path = join(dataDir, PLANS_FOLDER, FILE);
    try {
      await mkdir(join(dataDir, PLANS_FOLDER), { recursive: true });
      await writeFile(`${path}.new`, JSON.stringify(plans), { mode: 0o600 });
      await rename(`${path}.new`, path);
    } catch (error) {
      log.event('plan.file_not_written', { err: error });
    }
  }
}
