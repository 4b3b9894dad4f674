import type { ReportFileFormat } from '../../../../sdk/client/src/schema.ts';
import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';

export type { ReportFileFormat };

/** One run of a schedule. */
export interface ScheduleRun {
  readonly id: string;
  readonly scheduledFor: string;
  readonly status: string;
  readonly rowCount: number | null;
  readonly errorMessage: string | null;
  readonly deliveryStatus: string;
}

/** A report that runs by a rule. */
export interface ReportSchedule {
  readonly id: string;
  readonly name: string;
  readonly cron: string;
  readonly fileFormat: ReportFileFormat;
  readonly mailTo: readonly string[];
  readonly webhookUrl: string | null;
  readonly nextRunAt: string | null;
  readonly runs: readonly ScheduleRun[];
}

/** All schedules with their latest runs. */
export async function loadSchedules(scope: Scope, signal: AbortSignal): Promise<readonly ReportSchedule[]> {
  const query = `query LensSchedules { reportSchedules { id name cron fileFormat mailTo webhookUrl nextRunAt
    runs(first: 5) { id scheduledFor status rowCount errorMessage deliveryStatus } } }`;
  return (await askGraphql<{ reportSchedules: readonly ReportSchedule[] }>(scope, query, {}, signal)).reportSchedules;
}

/** The fields of a new schedule. */
export interface NewSchedule {
  readonly name: string;
  readonly query: unknown;
  readonly cron: string;
  readonly fileFormat: ReportFileFormat;
  readonly mailTo: readonly string[];
  readonly webhookUrl: string | null;
}

/** Makes a schedule; returns the secret of its webhook, which is shown once. */
export async function createSchedule(scope: Scope, input: NewSchedule): Promise<string | null> {
  const query = `mutation LensSchedule($input: CreateReportScheduleInput!) {
    createReportSchedule(input: $input) { webhookSecret } }`;
  const { createReportSchedule: made } = await askGraphql<{
    createReportSchedule: { webhookSecret: string | null } | null;
  }>(scope, query, { input });
  return made?.webhookSecret ?? null;
}

/** Runs a schedule now. */
export async function runSchedule(scope: Scope, id: string): Promise<void> {
  await askGraphql(scope, 'mutation LensSendNow($id: ID!) { runReportSchedule(id: $id) { id } }', { id });
}

/** Deletes a schedule. */
export async function deleteSchedule(scope: Scope, id: string): Promise<void> {
  await askGraphql(scope, 'mutation LensUnschedule($id: ID!) { deleteReportSchedule(id: $id) { id } }', { id });
}
