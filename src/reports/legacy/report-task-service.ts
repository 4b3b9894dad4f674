import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { PlacardError, type FieldProblem } from '../../domain/errors.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import type { ReportTask, ReportTaskInput, ReportTasks } from '../../domain/reporting/report-task.ts';
import { type Environment, pathPrefix } from '../../domain/tenancy/workspace.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { CAMPAIGN_OVERVIEW } from '../model/campaign-overview.olap.ts';
import type { CubeDefinition } from '../model/cube.ts';
import type { MemberIndex } from '../model/member-index.ts';
import { readNetworkIndex } from '../model/network-indexes.ts';
import { describeDefinition, findDefinition, LEGACY_DEFINITIONS } from './definitions.ts';
import { readPlan } from './report-plan.ts';
import { reportBytesLeft } from './report-space.ts';
import { compilePlan } from './report-query.ts';
import {
  countOpenTasks,
  findTask,
  insertTask,
  listTasks,
  readTimezone,
  type ReportTaskRow,
} from './report-tasks.sql.ts';

/** The dependencies of the service. */
export interface ReportTaskServiceDeps {
  readonly nowMs: () => number;
  /** The quota of a workspace for all finished reports, in bytes. */
  readonly bytesMax: number;
  /** @throws PlacardError `disk_space_low` */
  readonly requireSpace: (bytes: number) => Promise<void>;
  /** Base address that downloads are reached under, without a slash at its end. */
  readonly publicUrl: string;
  /** Called when a task was put into the queue. */
  readonly onCreated: () => void;
}

/** Tasks of one workspace that may wait or run at a time. */
const OPEN_MAX = 200;
const NAME_LENGTH_MAX = 200;

/** The legacy report tasks of every workspace (conformance R1–R5). */
export function createReportTaskService(deps: ReportTaskServiceDeps): ReportTasks<Kysely<Database>> {
  const shown = (row: ReportTaskRow, environment: Environment): ReportTask => toReportTask(row, deps, environment);
  return {
    definitions: async (db, caller) => {
      const cube = cubeOf(await readNetworkIndex(db, caller.workspaceId));
      return LEGACY_DEFINITIONS.map((definition) => describeDefinition(definition, cube));
    },
    create: async (db, caller, input) => {
      const task = await createTask(db, deps, caller, input);
      deps.onCreated();
      return shown(task, caller.environment);
    },
    find: async (db, caller, id) => {
      const row = await findTask(db, caller.workspaceId, id);
      return row === undefined ? null : shown(row, caller.environment);
    },
    list: async (db, caller, filter) => {
      const rows = await listTasks(db, caller.workspaceId, filter);
      return rows.map((row) => shown(row, caller.environment));
    },
  };
}

async function createTask(
  db: Kysely<Database>,
  { nowMs, bytesMax, requireSpace }: ReportTaskServiceDeps,
  caller: Principal,
  input: ReportTaskInput,
): Promise<ReportTaskRow> {
  checkTexts(input);
  const definition = findDefinition(input.definitionName);
  if (definition === null) {
    const path = 'task.report_definition_name';
    const known = LEGACY_DEFINITIONS.map(({ name }) => name).join(', ');
    const message = `Unknown report_definition_name ${JSON.stringify(input.definitionName.slice(0, 100))}: there are ${known}.`;
    throw new PlacardError('validation_failed', message, { fields: [{ path, code: 'unknown_definition', message }] });
  }
  const timezoneDefault = await readTimezone(db, caller.workspaceId);
  const index = await readNetworkIndex(db, caller.workspaceId);
  const plan = readPlan(definition, input.attributes, { nowMs: nowMs(), timezoneDefault, cube: cubeOf(index) });
  // The model refuses a task now rather than in the worker.
  compilePlan(plan, { tenant: caller, index, nowMs: nowMs() });
  if ((await countOpenTasks(db, caller.workspaceId)) >= OPEN_MAX) {
    throw new PlacardError(
      'overloaded',
      `The network has ${OPEN_MAX} reports waiting; create more when some are done.`,
      {
        details: { retryAfterSeconds: 30 },
      },
    );
  }
  await requireSpace(0);
  await reportBytesLeft(db, { workspaceId: caller.workspaceId, bytesMax });
  return insertTask(db, caller.workspaceId, {
    token: randomBytes(24).toString('base64url'),
    definitionName: definition.name,
    name: input.reportName,
    plan,
    externalId: input.externalId,
    externalType: input.externalType,
    createdBy: caller.actor,
  });
}

function cubeOf({ model }: MemberIndex): CubeDefinition {
  return model.cubes[0] ?? CAMPAIGN_OVERVIEW;
}

function checkTexts(input: ReportTaskInput): void {
  const fields: FieldProblem[] = [];
  const check = (path: string, text: string | null, isRequired: boolean): void => {
    const isMissing = isRequired && (text ?? '').trim() === '';
    // A database text cannot hold the character 0.
    if (!isMissing && (text ?? '').length <= NAME_LENGTH_MAX && !(text ?? '').includes('\0')) return;
    const message = `${path} must have ${isRequired ? 1 : 0} to ${NAME_LENGTH_MAX} characters.`;
    fields.push({ path: `task.${path}`, code: 'invalid_length', message });
  };
  check('report_name', input.reportName, true);
  check('task_external_id', input.externalId, false);
  check('task_external_type', input.externalType, false);
  if (fields.length > 0) {
    throw new PlacardError('validation_failed', fields.map(({ message }) => message).join(' '), { fields });
  }
}

function toReportTask(
  row: ReportTaskRow,
  { publicUrl, nowMs }: ReportTaskServiceDeps,
  environment: Environment,
): ReportTask {
  const isThere =
    row.status === 'DONE' &&
    row.files_deleted_at === null &&
    row.expires_at !== null &&
    row.expires_at.getTime() > nowMs();
  return {
    id: row.id,
    token: row.token,
    name: row.name,
    definitionName: row.definition_name,
    status: row.status,
    progress: row.progress,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    errorMessage: row.error_message,
    rowCount: row.row_count === null ? null : Number(row.row_count),
    downloadUrl: isThere ? `${publicUrl}${pathPrefix(environment)}/reports/download/${row.token}/` : null,
    externalId: row.external_id,
    externalType: row.external_type,
  };
}
