import type { Kysely } from 'kysely';
import { DEFAULT_FILE_FORMAT, type ReportFileFormat } from '../../domain/reporting/report-file-formats.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { type ConvertedReports, openReport } from './converted-report.ts';
import type { StoredPlan } from './report-plan.ts';
import { findTaskOfFile } from './report-tasks.sql.ts';

/** The file that a mail names. */
export interface FileOfMail {
  readonly token: string;
  readonly attempt: number;
  /** Absent: CSV. */
  readonly format?: ReportFileFormat;
}

/** A stalled disk or a long queue of conversions must not hold up the other mails. */
const READ_MS_MAX = 60_000;

/** The file in the form that the mail names; null when it is not there (any more), and when it is over `bytesMax`. */
export async function readForMail(
  { sql, reports }: { readonly sql: Kysely<Database>; readonly reports: ConvertedReports },
  { token, attempt, format = DEFAULT_FILE_FORMAT }: FileOfMail,
  bytesMax: number,
): Promise<Buffer | null> {
  const task = await findTaskOfFile(sql, token);
  if (task === undefined) return null;
  const signal = AbortSignal.timeout(READ_MS_MAX);
  const report = {
    plan: task.plan as StoredPlan,
    tenant: { workspaceId: task.workspace_id, networkId: String(task.network_id) },
    file: { token, attempt },
    madeAtMs: task.created_at.getTime(),
  };
  const file = await openReport(reports, report, format);
  if (file === null || (file.sizeBytes ?? 0) > bytesMax) return null;
  const bytes = await file.read(null, signal);
  if (bytes === null) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > bytesMax) return null;
  }
  return Buffer.concat(chunks);
}
