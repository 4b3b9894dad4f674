import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type FieldProblem, PlacardError } from '../../domain/errors.ts';
import { addressInFormat, DEFAULT_FILE_FORMAT } from '../../domain/reporting/report-file-formats.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import { quotaExceeded, QUOTAS } from '../../domain/tenancy/quota.ts';
import type {
  ReportRun,
  ReportSchedule,
  ReportScheduleChange,
  ReportScheduleInput,
  ReportSchedules,
} from '../../domain/reporting/report-schedule.ts';
import { pathPrefix } from '../../domain/tenancy/workspace.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { readTimezone } from '../legacy/report-tasks.sql.ts';
import { findRuleProblem, nextInstant } from './cron-rule.ts';
import type { MemberIndex } from '../model/member-index.ts';
import { readNetworkIndex } from '../model/network-indexes.ts';
import { planSavedQuery } from './saved-query.ts';
import {
  countSchedules,
  deleteSchedule,
  findRun,
  findSchedule,
  insertSchedule,
  listRuns,
  listSchedules,
  lockSchedule,
  type RunRow,
  type ScheduleColumns,
  type ScheduleRow,
  updateSchedule,
} from './schedules.sql.ts';
import { findMembers, readMemberAddresses } from './report-mail.sql.ts';
import { planRun, startRun } from './start-run.ts';
import { deriveWebhookSecret } from '../../http/webhooks/webhook-message.ts';
import { findUrlProblem, type WebhookPolicy } from '../../http/webhooks/webhook-target.ts';

/** The dependencies of the service. */
export interface ScheduleServiceDeps {
  /** The quota of a workspace for all finished reports, in bytes. */
  readonly bytesMax: number;
  readonly nowMs: () => number;
  readonly publicUrl: string;
  /** The installation's secret that webhook secrets are derived from. */
  readonly pepper: Buffer;
  readonly webhooks: WebhookPolicy;
  /** Whether reports can be mailed here. */
  readonly isMailSent: boolean;
  /** Called when a run was put into the queue. */
  readonly onStarted: () => void;
}

const SCHEDULES_MAX = QUOTAS.schedules.fixed;
const RECIPIENTS_MAX = 20;
const NAME_LENGTH_MAX = 200;

/** The scheduled reports of every workspace. */
export function createScheduleService(deps: ScheduleServiceDeps): ReportSchedules<Kysely<Database>> {
  return {
    list: async (db, caller) => {
      const timezone = await readTimezone(db, caller.workspaceId);
      const rows = await listSchedules(db, caller.workspaceId, SCHEDULES_MAX);
      return Promise.all(rows.map((row) => describe(db, caller, row, timezone)));
    },
    find: async (db, caller, id) => {
      const row = isDecimalId(id) ? await findSchedule(db, caller.workspaceId, BigInt(id)) : undefined;
      return row === undefined ? null : describe(db, caller, row, await readTimezone(db, caller.workspaceId));
    },
    runs: async (db, caller, { scheduleId, page }) => {
      if (!isDecimalId(scheduleId)) return [];
      const rows = await listRuns(db, caller.workspaceId, BigInt(scheduleId), page);
      return rows.map((row) => toRun(row, deps, caller));
    },
    create: (db, caller, input) => createSchedule(db, deps, caller, input),
    update: (db, caller, change) => changeSchedule(db, deps, caller, change),
    remove: async (db, caller, id) => {
      const row = isDecimalId(id) ? await deleteSchedule(db, caller.workspaceId, BigInt(id)) : undefined;
      if (row === undefined) throw missing();
      return describe(db, caller, row, await readTimezone(db, caller.workspaceId));
    },
    run: async (db, caller, id) => {
      const schedule = isDecimalId(id) ? await lockSchedule(db, caller.workspaceId, BigInt(id)) : undefined;
      if (schedule === undefined) throw missing();
      const timezone = await readTimezone(db, caller.workspaceId);
      const scheduledFor = new Date(deps.nowMs());
      const start = {
        schedule,
        tenant: caller,
        timezone,
        scheduledFor,
        createdBy: caller.actor,
        bytesMax: deps.bytesMax,
      };
      const runId = await startRun(db, start, await planRun(db, start));
      deps.onStarted();
      return toRun(await findRun(db, caller.workspaceId, runId), deps, caller);
    },
  };
}

function missing(): PlacardError {
  return new PlacardError('not_found', 'There is no schedule with this id.');
}

async function createSchedule(
  db: Kysely<Database>,
  deps: ScheduleServiceDeps,
  caller: Principal,
  input: ReportScheduleInput,
): Promise<ReportScheduleChange> {
  const timezone = await readTimezone(db, caller.workspaceId);
  const index = await readNetworkIndex(db, caller.workspaceId);
  const members = await readRecipients(db, deps, caller, input);
  const columns = readColumns(input, null, { deps, caller, timezone, index, members });
  const used = await countSchedules(db, caller.workspaceId);
  if (used >= SCHEDULES_MAX) throw quotaExceeded('schedules', { used, limit: SCHEDULES_MAX }, 'Delete one first.');
  const row = await insertSchedule(db, caller.workspaceId, { ...columns, createdBy: caller.actor });
  const secret = columns.webhookUrl === null ? null : secretOf(deps, caller, columns);
  return { before: null, after: await describe(db, caller, row, timezone), webhookSecret: secret };
}

async function changeSchedule(
  db: Kysely<Database>,
  deps: ScheduleServiceDeps,
  caller: Principal,
  { id, version, input }: { readonly id: string; readonly version: number | null; readonly input: ReportScheduleInput },
): Promise<ReportScheduleChange> {
  const before = isDecimalId(id) ? await lockSchedule(db, caller.workspaceId, BigInt(id)) : undefined;
  if (before === undefined) throw missing();
  if (version !== null && version !== before.version) {
    const message = `The schedule is at version ${before.version}, not ${version}. Read it again.`;
    throw new PlacardError('conflict', message, { details: { currentVersion: before.version } });
  }
  const timezone = await readTimezone(db, caller.workspaceId);
  const index = await readNetworkIndex(db, caller.workspaceId);
  const members = await readRecipients(db, deps, caller, input);
  const columns = readColumns(input, before, { deps, caller, timezone, index, members });
  const after = await updateSchedule(db, caller.workspaceId, before.id, columns);
  const isSecretNew =
    columns.webhookUrl !== null && (before.webhook_url === null || columns.webhookSalt !== before.webhook_salt);
  return {
    before: await describe(db, caller, before, timezone),
    after: await describe(db, caller, after, timezone),
    webhookSecret: isSecretNew ? secretOf(deps, caller, columns) : null,
  };
}

function secretOf(deps: ScheduleServiceDeps, caller: Principal, { webhookSalt }: ScheduleColumns): string {
  return deriveWebhookSecret(deps.pepper, caller.workspaceId, webhookSalt);
}

interface ReadingContext {
  readonly deps: ScheduleServiceDeps;
  readonly caller: Principal;
  readonly timezone: string;
  /** The members that the network can query. */
  readonly index: MemberIndex;
  /** Who gets mail, as the input names them; null: the input has no such field. */
  readonly members: Recipients | null;
}

interface Recipients {
  readonly userIds: readonly bigint[];
  readonly problem: string | null;
}

/** Only members get a network's figures by mail, at the address that they sign in with. */
async function readRecipients(
  db: Kysely<Database>,
  { isMailSent }: ScheduleServiceDeps,
  { networkId }: Principal,
  { mailTo }: ReportScheduleInput,
): Promise<Recipients | null> {
  if (mailTo === undefined) return null;
  const emails = [...new Set(mailTo.map((email) => email.trim().toLowerCase()))];
  if (emails.length > RECIPIENTS_MAX) return { userIds: [], problem: `Name at most ${RECIPIENTS_MAX} members.` };
  if (emails.length > 0 && !isMailSent) {
    return { userIds: [], problem: 'This installation sends no mail; the operator sets PLACARD_SMTP_URL.' };
  }
  const found = await findMembers(
    db,
    networkId,
    emails.filter((email) => !email.includes('\0')),
  );
  const missing = emails.filter((email) => !found.some((member) => member.email === email));
  const problem =
    missing.length === 0 ? null : `Not addresses of members of this network: ${missing.join(', ').slice(0, 200)}`;
  return { userIds: found.map(({ id }) => id), problem };
}

async function describe(
  db: Kysely<Database>,
  { networkId }: Principal,
  row: ScheduleRow,
  timezone: string,
): Promise<ReportSchedule> {
  const members = await readMemberAddresses(db, networkId, row.mail_user_ids);
  return toSchedule(
    row,
    timezone,
    members.map(({ email }) => email),
  );
}

/** The fields to store: those of the input over the stored ones. */
function readColumns(input: ReportScheduleInput, before: ScheduleRow | null, context: ReadingContext): ScheduleColumns {
  const { deps, timezone, members } = context;
  const fields: FieldProblem[] = [];
  const name = (input.name ?? before?.name ?? '').trim();
  const query = input.query ?? before?.query ?? null;
  const cron = (input.cron ?? before?.cron ?? '').trim();
  const status = input.status ?? before?.status ?? 'ACTIVE';
  const webhookUrl = input.webhookUrl === undefined ? (before?.webhook_url ?? null) : input.webhookUrl;
  const isRotated = before === null || input.rotateSecret === true || before.webhook_url === null;
  if (name === '' || name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name)) {
    const message = `Give a name of 1 to ${NAME_LENGTH_MAX} characters without line breaks.`;
    fields.push({ path: 'input.name', code: 'invalid_name', message });
  }
  const rule = findRuleProblem(cron, timezone, deps.nowMs());
  if (rule !== null) fields.push({ path: 'input.cron', code: 'invalid_cron', message: rule });
  const address = webhookUrl === null ? null : findUrlProblem(webhookUrl, deps.webhooks);
  if (address !== null) fields.push({ path: 'input.webhookUrl', code: 'invalid_webhook_url', message: address });
  const mailProblem = members?.problem ?? null;
  if (mailProblem !== null) fields.push({ path: 'input.mailTo', code: 'not_a_member', message: mailProblem });
  const unusable = findQueryProblem(query, context);
  if (unusable !== null) fields.push({ path: 'input.query', code: 'invalid_query', message: unusable });
  if (fields.length > 0) {
    throw new PlacardError('validation_failed', fields.map(({ path, message }) => `${path}: ${message}`).join(' '), {
      fields,
    });
  }
  return {
    name,
    query,
    cron,
    status,
    fileFormat: input.fileFormat ?? before?.file_format ?? DEFAULT_FILE_FORMAT,
    webhookUrl,
    webhookSalt: isRotated ? randomBytes(16).toString('hex') : before.webhook_salt,
    mailUserIds: members?.userIds ?? before?.mail_user_ids ?? [],
    nextRunAt: status === 'ACTIVE' ? nextInstant(cron, timezone, deps.nowMs()) : null,
  };
}

function findQueryProblem(query: unknown, { deps, caller, timezone, index }: ReadingContext): string | null {
  try {
    planSavedQuery(query, { nowMs: deps.nowMs(), timezoneDefault: timezone, tenant: caller, index });
    return null;
  } catch (error) {
    if (error instanceof PlacardError) return error.message;
    throw error;
  }
}

function toSchedule(row: ScheduleRow, timezone: string, mailTo: readonly string[]): ReportSchedule {
  return {
    id: String(row.id),
    name: row.name,
    query: row.query,
    cron: row.cron,
    timezone,
    status: row.status,
    fileFormat: row.file_format,
    webhookUrl: row.webhook_url,
    mailTo,
    nextRunAt: row.next_run_at,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toRun(
  row: RunRow,
  { publicUrl, nowMs }: Pick<ScheduleServiceDeps, 'publicUrl' | 'nowMs'>,
  { environment }: Pick<Principal, 'environment'>,
): ReportRun {
  const address = `${publicUrl}${pathPrefix(environment)}/reports/runs/${row.token}/`;
  const isThere = row.status === 'DONE' && row.files_deleted_at === null && (row.expires_at?.getTime() ?? 0) > nowMs();
  return {
    id: String(row.id),
    scheduleId: String(row.schedule_id),
    scheduledFor: row.scheduled_for,
    status: row.status,
    progress: row.progress,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    rowCount: row.row_count === null ? null : Number(row.row_count),
    errorMessage: row.error_message,
    downloadUrl: isThere ? addressInFormat(address, row.file_format) : null,
    deliveryStatus: row.delivery_status,
    deliveryAttempts: row.delivery_attempts,
    deliveryError: row.delivery_error,
  };
}

/** The message that tells a webhook of an ended run, as JSON. */
export function describeRun(
  row: RunRow,
  about: { readonly scheduleName: string; readonly networkId: string; readonly environment: Principal['environment'] },
  deps: Pick<ScheduleServiceDeps, 'publicUrl' | 'nowMs'>,
): string {
  const run = toRun(row, deps, about);
  return JSON.stringify({
    type: 'report.finished',
    networkId: about.networkId,
    environment: about.environment,
    scheduleId: run.scheduleId,
    scheduleName: about.scheduleName,
    runId: run.id,
    scheduledFor: run.scheduledFor.toISOString(),
    status: run.status,
    endedAt: run.endedAt?.toISOString() ?? null,
    rowCount: run.rowCount,
    downloadUrl: run.downloadUrl,
    errorMessage: run.errorMessage,
  });
}
