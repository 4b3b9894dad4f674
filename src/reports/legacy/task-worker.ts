import type { Kysely } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import { PlacardError } from '../../domain/errors.ts';
import { OlapError } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { ProducedReport, ReportJob } from './produce-report.ts';
import type { ReportFileId, ReportFiles } from './report-files.ts';
import {
  claimTask,
  type ClaimedTask,
  deleteOldTasks,
  endHopelessTasks,
  failTask,
  finishTask,
  listExpiredTasks,
  listFailedTasks,
  listNeededFiles,
  recordFilesDeleted,
  type QueueLimits,
  releaseTask,
  renewTask,
  type TaskLease,
} from './report-tasks.sql.ts';

/** The settings of a worker. Durations are in milliseconds. */
export interface WorkerLimits extends QueueLimits {
  /** Tasks that this process runs at once. */
  readonly runningMax: number;
  /** How often it looks for tasks that others made. */
  readonly pollMs: number;
  /** How often the progress of a task is stored, at most. */
  readonly progressMs: number;
  /** Wait before the second try of a task; twice as long before the third. */
  readonly retryWaitMs: number;
  /** How often it looks for files to delete. */
  readonly tidyMs: number;
  /** How long ended tasks are remembered. */
  readonly rememberedMs: number;
}

/**
 * The default settings: reports are kept for 7 days and tasks for 90. One report of a network is made at a time: two could both use all of
 * its remaining space.
 */
export const WORKER_LIMITS: WorkerLimits = {
  leaseMs: 20_000,
  attemptsMax: 3,
  runningPerNetworkMax: 1,
  keptMs: 7 * 86_400_000,
  runningMax: 2,
  pollMs: 1_000,
  progressMs: 1_000,
  retryWaitMs: 5_000,
  tidyMs: 60_000,
  rememberedMs: 90 * 86_400_000,
};

const TIDY_BATCH = 100;
const OLD_BATCH = 1_000;
/** Files without a task are deleted after this time without a write. */
const ORPHAN_MS = 3_600_000;

/** The dependencies of a worker. */
export interface TaskWorkerDeps {
  readonly sql: Kysely<Database>;
  readonly files: ReportFiles;
  readonly produce: (job: ReportJob) => Promise<ProducedReport>;
  readonly log: Log;
  readonly nowMs: () => number;
  /** Names this process among all that share the queue; never used twice. */
  readonly owner: string;
  readonly limits: WorkerLimits;
}

/**
 * Makes the reports of the queue. A worker leases a task and renews the lease while it works. When its process dies, the lease ends and
 * another process takes the task over. Writes of an owner that has lost its lease have no effect.
 */
export class TaskWorker {
  readonly #deps: TaskWorkerDeps;
  readonly #running = new Map<ClaimedTask, { readonly abort: AbortController; readonly done: Promise<void> }>();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #isStopped = true;
  #isWoken = false;
  #tidyAtMs = 0;
  #failure: string | null = null;

  constructor(deps: TaskWorkerDeps) {
    this.#deps = deps;
  }

  /** Why the queue cannot be read at the moment; null when it can. */
  get failure(): string | null {
    return this.#failure;
  }

  /** Begins to look for tasks. */
  start(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#look();
  }

  /** A task was made: look for it now. */
  wake(): void {
    if (this.#isStopped) return;
    if (this.#looking !== null) this.#isWoken = true;
    else this.#look();
  }

  /** Ends the running tasks and returns them to the queue, so that another process, or the next start, continues them at once. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
    for (const { abort } of this.#running.values()) abort.abort(new StopError());
    await Promise.all([...this.#running.values()].map(({ done }) => done));
    // Another process makes the reports from now on.
    this.#failure = null;
  }

  #look(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#isWoken = false;
    this.#looking = this.#lookOnce().then(
      () => {
        this.#failure = null;
      },
      (error: unknown) => {
        if (this.#failure === null) this.#deps.log.event('report_task.queue_unavailable', { err: error });
        this.#failure = String(error);
      },
    );
    void this.#looking.then(() => {
      this.#looking = null;
      if (this.#isStopped) return;
      if (this.#isWoken) this.#look();
      else this.#timer = setTimeout(() => this.#look(), this.#deps.limits.pollMs);
    });
  }

  async #lookOnce(): Promise<void> {
    const { sql, limits, owner, nowMs } = this.#deps;
    await endHopelessTasks(sql, limits.attemptsMax);
    while (!this.#isStopped && this.#running.size < limits.runningMax) {
      const task = await claimTask(sql, owner, limits);
      if (task === null) break;
      this.#begin(task);
    }
    if (nowMs() < this.#tidyAtMs) return;
    this.#tidyAtMs = nowMs() + limits.tidyMs;
    await this.#tidy();
  }

  #begin(task: ClaimedTask): void {
    const abort = new AbortController();
    const done = this.#work(task, abort).then(
      () => this.#end(task),
      (error: unknown) => {
        // Its lease ends by itself, and the task is taken again.
        this.#deps.log.event('report_task.state_unknown', { err: error, taskId: task.id });
        this.#end(task);
      },
    );
    this.#running.set(task, { abort, done });
  }

  #end(task: ClaimedTask): void {
    this.#running.delete(task);
    this.wake();
  }

  async #work(task: ClaimedTask, abort: AbortController): Promise<void> {
    const { sql, files, produce, log, owner, limits } = this.#deps;
    const lease: TaskLease = { workspaceId: task.workspaceId, id: task.id, owner };
    const file: ReportFileId = { token: task.token, attempt: task.attempt };
    const about = { taskId: task.id, workspaceId: task.workspaceId, attempt: task.attempt };
    const beat = this.#startRenewing(lease, abort);
    try {
      if (task.attempt > 1) await files.remove({ ...file, attempt: task.attempt - 1 });
      const made = await produce({
        plan: task.plan,
        tenant: { workspaceId: task.workspaceId, networkId: task.networkId },
        file,
        signal: abort.signal,
        onProgress: beat.record,
      });
      const isOurs = await finishTask(sql, lease, { ...made, keptMs: limits.keptMs });
      if (!isOurs) await files.remove(file);
      log.event('report_task.done', { ...about, ...made, isOurs });
    } catch (error) {
      await this.#endFailedTry(task, lease, error, abort.signal);
    } finally {
      beat.stop();
    }
  }

  /** The next state of a task after a failed try. */
  async #endFailedTry(task: ClaimedTask, lease: TaskLease, error: unknown, signal: AbortSignal): Promise<void> {
    const { sql, log, limits } = this.#deps;
    if (signal.reason instanceof LostError) return;
    if (signal.reason instanceof StopError) return releaseTask(sql, lease, { waitMs: 0, isCounted: false });
    const about = { err: error, taskId: task.id, workspaceId: task.workspaceId, attempt: task.attempt };
    if (!isWorthRetrying(error) || task.attempt >= limits.attemptsMax) {
      log.event('report_task.failed', about);
      await failTask(sql, lease, explain(error, task.id));
      return;
    }
    log.event('report_task.retry', about);
    await releaseTask(sql, lease, { waitMs: limits.retryWaitMs * 2 ** (task.attempt - 1), isCounted: true });
  }

  #startRenewing(lease: TaskLease, abort: AbortController): { record: (percent: number) => void; stop: () => void } {
    const { sql, log, limits } = this.#deps;
    let progress = 0;
    let sentProgress = -1;
    let renewedAtMs = performance.now();
    let renewing: Promise<void> | null = null;
    const renew = async (): Promise<void> => {
      const atMs = performance.now();
      try {
        const isHeld = await renewTask(sql, lease, { progress, leaseMs: limits.leaseMs });
        if (!isHeld) abort.abort(new LostError());
        renewedAtMs = atMs;
        sentProgress = progress;
      } catch (error) {
        log.event('report_task.lease_not_renewed', { err: error, taskId: lease.id });
        if (performance.now() - renewedAtMs > limits.leaseMs) abort.abort(new LostError());
      }
    };
    const everyMs = Math.min(limits.leaseMs / 4, limits.progressMs);
    const timer = setInterval(() => {
      const isDue = performance.now() - renewedAtMs >= limits.leaseMs / 4 || progress !== sentProgress;
      if (renewing !== null || !isDue) return;
      renewing = renew().finally(() => {
        renewing = null;
      });
    }, everyMs);
    return {
      record: (percent) => {
        progress = Math.max(progress, Math.min(99, percent));
      },
      stop: () => clearInterval(timer),
    };
  }

  /** Deletes expired files, files of failed tries, files that no task needs, and old tasks. */
  async #tidy(): Promise<void> {
    const { sql, files, limits, nowMs } = this.#deps;
    for (const task of [...(await listExpiredTasks(sql, TIDY_BATCH)), ...(await listFailedTasks(sql, TIDY_BATCH))]) {
      for (let attempt = 1; attempt <= task.attempts; attempt += 1) await files.remove({ token: task.token, attempt });
      await recordFilesDeleted(sql, task.workspace_id, task.id);
    }
    const old = await files.listOlder(nowMs() - ORPHAN_MS, OLD_BATCH);
    const needed = await listNeededFiles(sql, [...new Set(old.map(({ token }) => token))]);
    for (const file of old) if (!needed.has(`${file.token}.${file.attempt}`)) await files.remove(file);
    await deleteOldTasks(sql, limits.rememberedMs, OLD_BATCH);
  }
}

/** The server stops. */
class StopError extends Error {}
/** Another owner has the task, or it has ended. */
class LostError extends Error {}

function isWorthRetrying(error: unknown): boolean {
  if (error instanceof PlacardError) return error.code === 'unavailable';
  if (error instanceof OlapError) return error.retryable || error.code === 'timeout' || error.code === 'unreachable';
  return true;
}

/** A sentence for the network: what happened and what to do. */
function explain(error: unknown, taskId: number): string {
  if (error instanceof PlacardError) return error.message;
  if (error instanceof OlapError && error.code === 'timeout') {
    return 'The report took too long. Filter it, split it by less, or take a shorter date_range.';
  }
  if (error instanceof OlapError && error.code === 'too_large') {
    return 'The report needs more memory than one may take. Filter it, split it by less, or take a shorter date_range.';
  }
  return `The report could not be made because of a failure inside the service. Tell the operator its number, ${taskId}.`;
}
