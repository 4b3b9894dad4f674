import { requirePermission } from '../../../access/permissions/permissions.ts';
import { PlacardError } from '../../../domain/errors.ts';
import type { Principal } from '../../../domain/tenancy/principal.ts';
import type {
  ReportTask,
  ReportTaskFilter,
  ReportTaskInput,
  ReportTasks,
} from '../../../domain/reporting/report-task.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';
import { builder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { refuseRequest } from '../../kernel/error-format.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import { ReportTaskInputRef } from './report-inputs.ts';
import { DefinitionListRef, ReportTaskRef, ReportTaskStatusRef } from './report-types.ts';

/** The deprecation reason of these fields: what to use instead (conformance R7). */
export const LEGACY_REPORT_DEPRECATION =
  'Report tasks receive no new features. Use the Reports API (POST /reports/<network>/v1/load) or the Reports Lens.';

interface ReportBranch {
  readonly kind: 'report';
}

const BRANCH: ReportBranch = { kind: 'report' };

function tasksOf(context: ManagementContext): ReportTasks<Kysely<Database>> {
  if (context.reportTasks === undefined) throw new PlacardError('unavailable', 'Report tasks are not served here.');
  return context.reportTasks;
}

/** Returns the header credentials of the caller (conformance H4). */
function callerOf(context: ManagementContext, operation: string): Principal {
  return requirePermission(context.caller, operation);
}

async function listDefinitions(context: ManagementContext) {
  const caller = callerOf(context, 'query.report_defs');
  return { edges: await tasksOf(context).definitions(queryableOf(context), caller) };
}

function findReportTask(context: ManagementContext, id: number): Promise<ReportTask | null> {
  return tasksOf(context).find(queryableOf(context), callerOf(context, 'query.report_task'), id);
}

function listReportTasks(context: ManagementContext, filter: ReportTaskFilter): Promise<ReportTask[]> {
  if (filter.limit < 1 || filter.limit > PAGE_SIZE_MAX) {
    throw new PlacardError('invalid_request', `limit must be 1 to ${PAGE_SIZE_MAX}.`);
  }
  return tasksOf(context).list(queryableOf(context), callerOf(context, 'query.report_tasks'), filter);
}

/** A task that cannot be made fails the whole request, so that its status is a 4xx whatever the media type (conformance R5). */
async function generateReport(context: ManagementContext, input: ReportTaskInput): Promise<ReportTask> {
  try {
    const caller = callerOf(context, 'mutation.generate_report');
    return await tasksOf(context).create(queryableOf(context), caller, input);
  } catch (error) {
    if (!(error instanceof PlacardError)) throw error;
    throw Object.assign(error, { extensions: refuseRequest(error, context.requestId).extensions });
  }
}

type InputShape = typeof ReportTaskInputRef.$inferInput;

function readInput(task: InputShape): ReportTaskInput {
  return {
    definitionName: String(task.report_definition_name),
    reportName: task.report_name,
    attributes: task.attributes,
    externalId: task.task_external_id ?? null,
    externalType: task.task_external_type ?? null,
  };
}

const TEXTS = {
  report_defs: 'The definitions that report tasks can be made from.',
  report_task: 'A report task by its number; null when there is none. Poll it until `task_status` is DONE or FAILED.',
  report_tasks: 'The report tasks of the network, newest first.',
  generate_report: 'Queues a report. Wrong attributes are named, and no task is made.',
  taskId: 'Its number.',
  externalId: 'Only tasks with this external id.',
  externalType: 'Only tasks with this external type.',
  status: 'Only tasks with this status.',
  before: 'Only tasks with a lower number: the last one of the page before.',
  limit: `How many, 1…${PAGE_SIZE_MAX}; default ${PAGE_SIZE_DEFAULT}.`,
  task: 'What is to be made.',
};

interface ListArguments {
  readonly task_external_id?: string | null | undefined;
  readonly task_external_type?: string | null | undefined;
  readonly task_status?: ReportTask['status'] | null | undefined;
  readonly before_task_id?: number | null | undefined;
  readonly limit?: number | null | undefined;
}

function readFilter(args: ListArguments): ReportTaskFilter {
  return {
    externalId: args.task_external_id ?? null,
    externalType: args.task_external_type ?? null,
    status: args.task_status ?? null,
    beforeId: args.before_task_id ?? null,
    limit: args.limit ?? PAGE_SIZE_DEFAULT,
  };
}

const QueryBranchRef = builder.objectRef<ReportBranch>('ReportQueries');
const MutationBranchRef = builder.objectRef<ReportBranch>('ReportMutations');
const deprecated = { deprecationReason: LEGACY_REPORT_DEPRECATION };

builder.objectType(QueryBranchRef, {
  description: 'Reading of report tasks. Opens with header credentials only.',
  fields: (t) => ({
    report_defs: t.field({
      type: DefinitionListRef,
      description: TEXTS.report_defs,
      ...deprecated,
      resolve: (_branch, _args, context) => listDefinitions(context),
    }),
    report_task: t.field({
      type: ReportTaskRef,
      nullable: true,
      description: TEXTS.report_task,
      ...deprecated,
      args: { task_id: t.arg.int({ required: true, description: TEXTS.taskId }) },
      resolve: (_branch, args, context) => findReportTask(context, args.task_id),
    }),
    report_tasks: t.field({
      type: [ReportTaskRef],
      description: TEXTS.report_tasks,
      ...deprecated,
      args: {
        task_external_id: t.arg.string({ description: TEXTS.externalId }),
        task_external_type: t.arg.string({ description: TEXTS.externalType }),
        task_status: t.arg({ type: ReportTaskStatusRef, description: TEXTS.status }),
        before_task_id: t.arg.int({ description: TEXTS.before }),
        limit: t.arg.int({ description: TEXTS.limit }),
      },
      resolve: (_branch, args, context) => listReportTasks(context, readFilter(args)),
    }),
  }),
});

builder.objectType(MutationBranchRef, {
  description: 'Making of report tasks. Opens with header credentials only.',
  fields: (t) => ({
    generate_report: t.field({
      type: ReportTaskRef,
      nullable: true,
      description: TEXTS.generate_report,
      ...deprecated,
      args: { task: t.arg({ type: ReportTaskInputRef, required: true, description: TEXTS.task }) },
      resolve: (_branch, args, context) => generateReport(context, readInput(args.task)),
    }),
  }),
});

// The specification allows both (conformance R0): fields below `report`, and fields on the roots themselves.
builder.queryFields((t) => ({
  report: t.field({
    type: QueryBranchRef,
    description: 'Report tasks; `report_defs` and `report_task` are also on the root.',
    ...deprecated,
    resolve: () => BRANCH,
  }),
  report_defs: t.field({
    type: DefinitionListRef,
    description: TEXTS.report_defs,
    ...deprecated,
    resolve: (_root, _args, context) => listDefinitions(context),
  }),
  report_task: t.field({
    type: ReportTaskRef,
    nullable: true,
    description: TEXTS.report_task,
    ...deprecated,
    args: { task_id: t.arg.int({ required: true, description: TEXTS.taskId }) },
    resolve: (_root, args, context) => findReportTask(context, args.task_id),
  }),
}));

builder.mutationFields((t) => ({
  report: t.field({
    type: MutationBranchRef,
    description: 'Report tasks; `generate_report` is also on the root.',
    ...deprecated,
    resolve: () => BRANCH,
  }),
  generate_report: t.field({
    type: ReportTaskRef,
    nullable: true,
    description: TEXTS.generate_report,
    ...deprecated,
    args: { task: t.arg({ type: ReportTaskInputRef, required: true, description: TEXTS.task }) },
    resolve: (_root, args, context) => generateReport(context, readInput(args.task)),
  }),
}));
