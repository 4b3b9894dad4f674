import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Log } from '../domain/log/log.ts';
import type { ReportSchedules } from '../domain/reporting/report-schedule.ts';
import type { ReportTasks } from '../domain/reporting/report-task.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { Olap } from '../storage/olap/olap.ts';
import type { Database } from '../storage/sql/schema.ts';
import { ScheduleRunner } from './schedule/schedule-runner.ts';
import { createScheduleService } from './schedule/schedule-service.ts';
import type { WebhookSending } from '../http/webhooks/webhook-message.ts';
import { type DownloadDeps, registerDownload } from './legacy/download.routes.ts';
import { EXPORT_SLOT_LIMITS } from './load/export-rows.ts';
import { QuerySlots } from './load/query-slots.ts';
import type { MemberIndex } from './model/member-index.ts';
import { readNetworkIndex } from './model/network-indexes.ts';
import { produceReport } from './legacy/produce-report.ts';
import { BucketReportFiles } from './legacy/bucket-report-files.ts';
import { type FileOfMail, readForMail } from './legacy/report-in-mail.ts';
import { LocalReportFiles, type ReportFiles } from './legacy/report-files.ts';
import { reportBytesLeft } from './legacy/report-space.ts';
import { Bucket, type BucketOptions } from '../storage/bucket.ts';
import { SharedReportFiles } from './legacy/shared-report-files.ts';
import { createReportTaskService } from './legacy/report-task-service.ts';
import { TaskWorker, WORKER_LIMITS, type WorkerLimits } from './legacy/task-worker.ts';

/** Dependencies of the legacy reports of one core process. */
export interface LegacyReportsDeps {
  readonly sql: Kysely<Database>;
  readonly olap: Olap;
  /** Finished reports lie in `<dataDir>/reports`, in the folder `reports` of the bucket, or in PostgreSQL. */
  readonly dataDir: string;
  readonly bucket?: BucketOptions | null;
  /** Whether other nodes use the same PostgreSQL: without a bucket, finished reports then lie there. Default false. */
  readonly isShared?: boolean;
  /** The quota of a workspace for all finished reports, in bytes. */
  readonly bytesMax: number;
  /** Asked before a report is accepted and while it is written; default: there is always space. @throws PlacardError `disk_space_low` */
  readonly requireSpace?: (bytes: number) => Promise<void>;
  /** Base address of the core, without a slash at its end. */
  readonly publicUrl: string;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly limits?: Partial<WorkerLimits>;
  /** The installation's secret that webhook secrets are derived from. */
  readonly pepper: Buffer;
  readonly webhooks?: Partial<WebhookSending>;
  /** Absent or null: no mail is sent. */
  readonly mail?: MailQueue | null;
  readonly scheduling?: { readonly pollMs: number; readonly retryWaitsMs: readonly number[] };
}

/** A larger report is not attached to a mail, which then holds the link alone. */
const MAIL_BYTES_MAX = 5_000_000;

const WEBHOOKS: WebhookSending = { allowedRanges: [], timeoutMs: 10_000 };
const SCHEDULING = { pollMs: 5_000, retryWaitsMs: [30_000, 120_000, 600_000, 3_600_000, 10_800_000] };

/** Reports that are made in the background: legacy tasks (conformance R) and schedules, their worker, the downloads. */
export interface LegacyReports {
  /** For the management API. */
  readonly tasks: ReportTasks<Kysely<Database>>;
  readonly schedules: ReportSchedules<Kysely<Database>>;
  /** Adds the download. */
  register(app: FastifyInstance, access: Pick<DownloadDeps, 'authenticate'>): void;
  /** Begins to make reports; needs the migrations done. */
  start(): void;
  /** Gives running tasks back to the queue. */
  stop(): Promise<void>;
  /** The file of a finished report, for a mail; null when it is not there (any more) or too large. */
  readForMail(file: FileOfMail): Promise<Buffer | null>;
  readiness(): Promise<{ readonly name: string; readonly ok: boolean; readonly detail?: string }[]>;
}

/** Builds them; nothing runs before `start`. */
export function createLegacyReports(deps: LegacyReportsDeps): LegacyReports {
  const { sql, olap, log, nowMs, mail = null } = deps;
  const indexOf = (workspaceId: number): Promise<MemberIndex> => readNetworkIndex(sql, workspaceId);
  const files = openReportFiles(deps);
  const reports = { files, indexOf, slots: new QuerySlots(EXPORT_SLOT_LIMITS) };
  const requireSpace = deps.requireSpace ?? (() => Promise.resolve());
  const bytesLeft = (workspaceId: number, reportBytes: number): Promise<number> =>
    reportBytesLeft(sql, { workspaceId, bytesMax: deps.bytesMax }, reportBytes);
  const worker = new TaskWorker({
    sql,
    files,
    produce: (job) => produceReport({ olap, files, bytesLeft, requireSpace, indexOf, nowMs }, job),
    log,
    nowMs,
    owner: `${process.pid}:${randomUUID()}`,
    limits: { ...WORKER_LIMITS, ...deps.limits },
  });
  const webhooks = { ...WEBHOOKS, ...deps.webhooks };
  const shared = {
    nowMs,
    bytesMax: deps.bytesMax,
    pepper: deps.pepper,
    publicUrl: deps.publicUrl,
    webhooks,
    isMailSent: mail !== null,
    onStarted: () => worker.wake(),
  };
  const reportMail = mail === null ? null : { mail, publicUrl: deps.publicUrl, attachedBytesMax: MAIL_BYTES_MAX };
  const runner = new ScheduleRunner({ sql, log, reportMail, ...shared, ...(deps.scheduling ?? SCHEDULING) });
  return {
    schedules: createScheduleService(shared),
    tasks: createReportTaskService({
      nowMs,
      bytesMax: deps.bytesMax,
      requireSpace,
      publicUrl: deps.publicUrl,
      onCreated: () => worker.wake(),
    }),
    register: (app, { authenticate }) => registerDownload(app, { sql, reports, nowMs, authenticate }),
    start: () => {
      worker.start();
      runner.start();
    },
    stop: async () => {
      await runner.stop();
      await worker.stop();
    },
    readForMail: (file) => readForMail({ sql, reports }, file, MAIL_BYTES_MAX),
    readiness: () => {
      const { failure } = worker;
      const detail = failure === null ? {} : { detail: failure };
      return Promise.resolve([{ name: 'report tasks', ok: failure === null, ...detail }]);
    },
  };
}

function openReportFiles({ sql, dataDir, bucket = null, isShared = false }: LegacyReportsDeps): ReportFiles {
  const local = new LocalReportFiles(join(dataDir, 'reports'));
  if (bucket === null) return isShared ? new SharedReportFiles(sql, local) : local;
  return new BucketReportFiles(new Bucket({ ...bucket, url: `${bucket.url.replace(/\/+$/, '')}/reports` }), local);
}
