import type { Kysely } from 'kysely';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { Log } from '../../domain/log/log.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { nextInstant } from './cron-rule.ts';
import { mailEndedRun, type ReportMailDeps } from './report-mail.sql.ts';
import { describeRun } from './schedule-service.ts';
import {
  claimDeliveries,
  type DueDelivery,
  findDueSchedule,
  findRun,
  lockSchedule,
  moveSchedule,
  recordDelivery,
} from './schedules.sql.ts';
import { planRun, startRun } from './start-run.ts';
import { deriveWebhookSecret, sendMessage, type WebhookSending } from '../../http/webhooks/webhook-message.ts';

/** The dependencies of the runner. Durations are in milliseconds. */
export interface ScheduleRunnerDeps {
  readonly sql: Kysely<Database>;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly pepper: Buffer;
  readonly publicUrl: string;
  readonly webhooks: WebhookSending;
  /** Null: no mail is sent. */
  readonly reportMail: ReportMailDeps | null;
  /** The quota of a workspace for all finished reports, in bytes. */
  readonly bytesMax: number;
  readonly onStarted: () => void;
  readonly pollMs: number;
  /** Waits before the second, third … try of a message; after the last one it is given up. */
  readonly retryWaitsMs: readonly number[];
}

const RUNS_A_LOOK_MAX = 100;
const MESSAGES_AT_ONCE = 5;
const MESSAGE_LEASE_MS = 60_000;
/** Missed instants that are skipped one by one; a schedule that slept for longer goes on from now. */
const MISSED_MAX = 10_000;

/** Starts what is due, and sends what has ended. Any number of processes may do it at once. */
export class ScheduleRunner extends RecurringJob {
  readonly #deps: ScheduleRunnerDeps;

  constructor(deps: ScheduleRunnerDeps) {
    super({ firstMs: 0, everyMs: deps.pollMs });
    this.#deps = deps;
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('schedules.check_failed', { err: error });
  }

  /** Starts the runs that are due, and sends their messages. @throws what the stores throw */
  async run(): Promise<void> {
    for (let count = 0; count < RUNS_A_LOOK_MAX && !this.isStopped; count += 1) {
      if (!(await this.#startOne())) break;
      this.#deps.onStarted();
    }
    if (this.isStopped) return;
    const { reportMail, sql, nowMs } = this.#deps;
    for (let count = 0; reportMail !== null && count < RUNS_A_LOOK_MAX && !this.isStopped; count += 1) {
      if (!(await mailEndedRun(sql, reportMail, new Date(nowMs())))) break;
    }
    const due = await claimDeliveries(this.#deps.sql, MESSAGES_AT_ONCE, MESSAGE_LEASE_MS);
    await Promise.all(due.map((delivery) => this.#deliver(delivery)));
  }

  /**
   * Starts the run and moves the schedule in one transaction: a run begins exactly once, even when a process dies. The query is read before,
   * because that may take long. Missed instants are one run. Returns whether there may be more.
   */
  async #startOne(): Promise<boolean> {
    const { sql, nowMs, bytesMax } = this.#deps;
    const now = nowMs();
    const due = await findDueSchedule(sql, new Date(now));
    if (due === undefined || due.next_run_at === null) return false;
    const { timezone, workspace_id: workspaceId, network_id: networkId, next_run_at: dueAt } = due;
    const start = {
      schedule: due,
      tenant: { workspaceId, networkId: String(networkId) },
      timezone,
      scheduledFor: lastMissed(due.cron, timezone, dueAt, now),
      createdBy: `schedule:${due.id}`,
      bytesMax,
    };
    const planned = await planRun(sql, start);
    await sql.transaction().execute(async (transaction) => {
      const held = await lockSchedule(transaction, workspaceId, due.id);
      // Another process started it meanwhile, or a member changed it.
      const isSame = held?.version === due.version && held.next_run_at?.getTime() === dueAt.getTime();
      if (!isSame) return;
      await startRun(transaction, start, planned);
      await moveSchedule(transaction, workspaceId, due.id, nextInstant(due.cron, timezone, now));
    });
    return true;
  }

  async #deliver(delivery: DueDelivery): Promise<void> {
    const { sql, log, nowMs, pepper, webhooks, retryWaitsMs } = this.#deps;
    const { workspace_id: workspaceId, id, webhook_url: url } = delivery;
    try {
      if (url === null) {
        await recordDelivery(sql, workspaceId, id, { status: 'NONE', error: null, retryMs: null });
        return;
      }
      const about = {
        scheduleName: delivery.name,
        networkId: String(delivery.network_id),
        environment: delivery.environment,
      };
      const body = describeRun(await findRun(sql, workspaceId, id), about, this.#deps);
      const secret = deriveWebhookSecret(pepper, workspaceId, delivery.webhook_salt);
      const message = { url, networkId: about.networkId, secret, id: String(id), body, nowMs: nowMs() };
      const error = await sendMessage(message, webhooks).then(
        () => null,
        (failure: unknown) => (failure instanceof Error ? failure.message : String(failure)).slice(0, 500),
      );
      const retryMs = error === null ? null : (retryWaitsMs[delivery.delivery_attempts - 1] ?? null);
      const status = error === null ? 'DELIVERED' : retryMs === null ? 'FAILED' : 'PENDING';
      await recordDelivery(sql, workspaceId, id, { status, error, retryMs });
    } catch (error) {
      // It is taken again when its lease ends.
      log.event('schedules.webhook_state_unknown', { err: error, runId: String(id) });
    }
  }
}

/** The last instant of a rule up to now, from one that has come. */
function lastMissed(rule: string, timezone: string, first: Date, nowMs: number): Date {
  let last = first;
  for (let step = 0; step < MISSED_MAX; step += 1) {
    const next = nextInstant(rule, timezone, last.getTime());
    if (next === null || next.getTime() > nowMs) return last;
    last = next;
  }
  return last;
}
