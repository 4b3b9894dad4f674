import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { ReportTasks } from '../../domain/report-task.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { type DownloadDeps, registerDownload } from './download.routes.ts';
import { produceReport } from './produce-report.ts';
import { ReportFiles } from './report-files.ts';
import { createReportTaskService } from './report-task-service.ts';
import { TaskWorker, WORKER_LIMITS, type WorkerLimits } from './task-worker.ts';

/** What the legacy reports of one core process work with. */
export interface LegacyReportsDeps {
  readonly sql: Kysely<Database>;
  readonly olap: Olap;
  /** Finished reports lie in `<dataDir>/reports`. */
  readonly dataDir: string;
  /** Base address of the core, without a slash at its end. */
  readonly publicUrl: string;
  readonly log: Logger;
  readonly nowMs: () => number;
  readonly limits?: Partial<WorkerLimits>;
}

/** The deprecated asynchronous reports: tasks, their worker, the download (checklist R). */
export interface LegacyReports {
  /** For the management API. */
  readonly tasks: ReportTasks<Kysely<Database>>;
  /** Adds the download. */
  register(app: FastifyInstance, access: Pick<DownloadDeps, 'authenticate'>): void;
  /** Begins to make reports; needs the migrations done. */
  start(): void;
  /** Gives running tasks back to the queue. */
  stop(): Promise<void>;
  readiness(): Promise<{ readonly name: string; readonly ok: boolean; readonly detail?: string }[]>;
}

/** Builds them; nothing runs before `start`. */
export function createLegacyReports(deps: LegacyReportsDeps): LegacyReports {
  const { sql, olap, log, nowMs } = deps;
  const files = new ReportFiles(join(deps.dataDir, 'reports'));
  const worker = new TaskWorker({
    sql,
    files,
    produce: (job) => produceReport({ olap, files, nowMs }, job),
    log,
    nowMs,
    owner: `${process.pid}:${randomUUID()}`,
    limits: { ...WORKER_LIMITS, ...deps.limits },
  });
  return {
    tasks: createReportTaskService({ nowMs, publicUrl: deps.publicUrl, onCreated: () => worker.wake() }),
    register: (app, { authenticate }) => registerDownload(app, { sql, files, nowMs, authenticate }),
    start: () => worker.start(),
    stop: () => worker.stop(),
    readiness: () => {
      const { failure } = worker;
      const detail = failure === null ? {} : { detail: failure };
      return Promise.resolve([{ name: 'report tasks', ok: failure === null, ...detail }]);
    },
  };
}
