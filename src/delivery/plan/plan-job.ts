import type { Kysely } from 'kysely';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Log } from '../../domain/log/log.ts';
import type { InventoryCurve } from '../../domain/pacing/traffic-curve.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { ChangeNotice } from '../../storage/sql/change-feed.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { readCurves } from '../pacing/pacing-curve.sql.ts';
import { readSnapshots } from '../snapshot/snapshot.sql.ts';
import { readSampleFrame, streamSamples } from '../traffic/opportunity-sample.olap.ts';
import { ThreadFailed, WorkspaceThread } from '../traffic/workspace-thread.ts';
import type { PlanJob } from './plan-worker.ts';
import { listPlannedWorkspaces, readPlans, writePlan } from './plan.sql.ts';
import { PLAN } from './plan-schema.ts';
import type { PublishedPlan } from './published-plan.ts';

/** How often the job looks for work, and how often it plans a workspace without changes. */
const TICK_MS = 1_000;
const EVERY_MS = 300_000;
/** Changes of bookings within this time share one plan; if changes continue, the plan is made after the longest wait. */
const CHANGE_WAIT_MS = 2_000;
const CHANGE_WAIT_MS_MAX = 30_000;
/** After a plan, its workspace waits at least this many times as long as the plan took, so that constant changes do not starve other workspaces. */
const REST = 4;

/** Kinds of objects whose change requires a new plan: bookings, and the inventory and deals that decide what they match. */
const BOOKINGS: ReadonlySet<string> = new Set([
  'lineItem',
  'campaign',
  'creative',
  'network',
  'advertisingProduct',
  'deal',
  'site',
  'area',
  'adUnit',
]);

/** The parts of the job. */
export interface AllocationPlanJobDeps {
  readonly sql: Kysely<Database>;
  readonly hot: Pick<HotStore, 'readCounters'>;
  readonly olap: Pick<Olap, 'query' | 'stream'>;
  readonly nowMs: () => number;
  readonly registry: Registry;
  readonly log: Log;
}

/** Since when, and until when bookings changed. */
interface Changed {
  readonly firstMs: number;
  readonly lastMs: number;
}

type Outcome = 'made' | 'no_traffic' | 'failed';

/**
 * Plans the goals of each network every five minutes, and soon after its bookings change, in a thread. A plan that fails leaves the last one
 * in use; one network's failure does not stop the others.
 */
export class AllocationPlanJob extends RecurringJob {
  readonly #deps: AllocationPlanJobDeps;
  readonly #thread: WorkspaceThread<PlanJob, PublishedPlan>;
  /** When each workspace is due. */
  #dueMs = new Map<number, number>();
  /** Until when each workspace waits, whatever changes. */
  readonly #restsUntilMs = new Map<number, number>();
  #listAtMs = 0;
  readonly #changed = new Map<number, Changed>();
  readonly #plans: Counter<'outcome'>;
  readonly #seconds: Histogram;

  constructor(deps: AllocationPlanJobDeps) {
    super({ firstMs: 0, everyMs: TICK_MS, retryMs: 10_000 });
    this.#deps = deps;
    this.#thread = new WorkspaceThread(deps.hot, new URL('./plan-worker.ts', import.meta.url));
    this.#plans = new Counter({
      name: 'placard_plans_total',
      help: 'Allocation plans by outcome: made, no_traffic (nothing was sampled yet), failed.',
      labelNames: ['outcome'],
      registers: [deps.registry],
    });
    this.#seconds = new Histogram({
      name: 'placard_plan_seconds',
      help: 'Time to make an allocation plan, including reading its input.',
      buckets: [0.1, 0.3, 1, 3, 10, 30, 60],
      registers: [deps.registry],
    });
  }

  /** Records changes of bookings; changes of other objects are ignored. */
  recordChanges(batch: readonly ChangeNotice[]): void {
    const nowMs = this.#deps.nowMs();
    for (const { kind, workspaceId } of batch) {
      if (!BOOKINGS.has(kind)) continue;
      const known = this.#changed.get(workspaceId);
      if (known === undefined) this.#changed.set(workspaceId, { firstMs: nowMs, lastMs: nowMs });
      else this.#changed.set(workspaceId, { firstMs: known.firstMs, lastMs: nowMs });
    }
  }

  /** The job starts again when its process gets the lease back, so its thread is ended rather than stopped. */
  override async stop(): Promise<void> {
    await Promise.all([super.stop(), this.#thread.end()]);
  }

  /** Plans the workspaces that are due, one after the other. */
  async run(): Promise<void> {
    const nowMs = this.#deps.nowMs();
    const hasChanged = this.#listChanged(nowMs);
    if (nowMs >= this.#listAtMs || hasChanged.size > 0) await this.#list(nowMs, hasChanged);
    for (const [workspaceId, changed] of hasChanged)
      if (this.#changed.get(workspaceId) === changed) this.#changed.delete(workspaceId);
    const due = [...this.#dueMs].filter(([, atMs]) => nowMs >= atMs).toSorted(([, left], [, right]) => left - right);
    if (due.length === 0) return;
    const curves = await readCurves(this.#deps.sql);
    const ofNetwork = new Map(curves.filter(isOfNetwork).map((curve) => [curve.workspaceId, curve]));
    for (const [workspaceId] of due) {
      if (this.isStopped) return;
      // After a failure, the workspace waits as after a success.
      const beganMs = this.#deps.nowMs();
      this.#dueMs.set(workspaceId, beganMs + EVERY_MS);
      await this.#plan(workspaceId, ofNetwork.get(workspaceId) ?? null);
      const endedMs = this.#deps.nowMs();
      this.#restsUntilMs.set(workspaceId, endedMs + REST * (endedMs - beganMs));
    }
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('plan.job_failed', { err: error });
  }

  /** The changes that have waited long enough. They are forgotten once the workspaces are listed: the list may fail. */
  #listChanged(nowMs: number): Map<number, Changed> {
    const hasWaited = ({ firstMs, lastMs }: Changed) =>
      nowMs >= lastMs + CHANGE_WAIT_MS || nowMs >= firstMs + CHANGE_WAIT_MS_MAX;
    return new Map([...this.#changed].filter(([, changed]) => hasWaited(changed)));
  }

  /** The workspaces to plan. A change of workspace 0 (a whole network) counts as a change of all. */
  async #list(nowMs: number, hasChanged: ReadonlyMap<number, Changed>): Promise<void> {
    const ids = await listPlannedWorkspaces(this.#deps.sql, nowMs);
    this.#listAtMs = nowMs + EVERY_MS;
    this.#dueMs = new Map(
      ids.map((id) => {
        const dueMs = this.#dueMs.get(id) ?? nowMs;
        const changedMs = Math.max(nowMs, this.#restsUntilMs.get(id) ?? nowMs);
        return [id, hasChanged.has(id) || hasChanged.has(0) ? Math.min(dueMs, changedMs) : dueMs];
      }),
    );
    for (const id of this.#restsUntilMs.keys()) if (!this.#dueMs.has(id)) this.#restsUntilMs.delete(id);
  }

  async #plan(workspaceId: number, curve: InventoryCurve | null): Promise<void> {
    const stopTimer = this.#seconds.startTimer();
    let outcome: Outcome = 'failed';
    try {
      outcome = await this.#make(workspaceId, curve);
    } catch (error) {
      // Stopping ends the thread.
      if (this.isStopped) return;
      this.#deps.log.event('plan.failed', { err: error, workspaceId });
    } finally {
      stopTimer();
    }
    this.#plans.inc({ outcome });
  }

  async #make(workspaceId: number, curve: InventoryCurve | null): Promise<Outcome> {
    const { sql, olap, nowMs: clock } = this.#deps;
    const nowMs = clock();
    const frame = await readSampleFrame(olap, workspaceId, nowMs);
    if (frame === null) return 'no_traffic';
    const [snapshot] = await readSnapshots(sql, nowMs, [workspaceId]);
    if (snapshot === undefined) return 'no_traffic';
    const job: PlanJob = {
      requestsPerHour: curve?.requestsPerHour ?? null,
      before: await this.#readBefore(workspaceId),
      nowMs,
    };
    // A job that was stopped while reading starts no thread.
    if (this.isStopped) throw new ThreadFailed('time: the job is stopping');
    const samples = streamSamples(olap, workspaceId, frame);
    await writePlan(sql, workspaceId, await this.#thread.run({ snapshot, frame, job, samples }));
    return 'made';
  }

  /** The last plan, also of a process before; null where it is of another form. */
  async #readBefore(workspaceId: number): Promise<PublishedPlan | null> {
    const [stored] = await readPlans(this.#deps.sql, [workspaceId]);
    return PLAN.safeParse(stored?.plan).data ?? null;
  }
}

function isOfNetwork({ kind, inventoryId }: InventoryCurve): boolean {
  return kind === 'site' && inventoryId === '0';
}
