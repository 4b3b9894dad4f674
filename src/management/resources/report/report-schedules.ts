import type { Kysely } from 'kysely';
import { requireProof } from '../../../access/permissions/verification.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { plainIdOf } from '../../../domain/ids/global-ids.ts';
import {
  DELIVERY_STATUSES,
  type ReportRun,
  type ReportSchedule,
  type ReportScheduleChange,
  type ReportScheduleInput,
  type ReportSchedules,
  SCHEDULE_STATUSES,
} from '../../../domain/reporting/report-schedule.ts';
import {
  REPORT_FILE_FORMATS,
  REPORT_FILE_FORMS,
  type ReportFileFormat,
} from '../../../domain/reporting/report-file-formats.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import { builder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { NodeRef, PayloadRef } from '../../kernel/interfaces.ts';
import { AFTER_TEXT, firstText, readListPage } from '../../../domain/ids/list-page.ts';
import { idFields, registerNode } from '../../kernel/other-nodes.ts';
import { outcomeOf, outcomeRef } from '../../kernel/outcome.ts';
import { changeAll, queryableOf } from '../../kernel/transactions.sql.ts';
import { orRefused, RefusedPayload } from '../../kernel/user-errors.ts';
import { ReportTaskStatusRef } from './report-types.ts';

function schedulesOf(context: ManagementContext): ReportSchedules<Kysely<Database>> {
  if (context.reportSchedules === undefined) throw new PlacardError('unavailable', 'Schedules are not served here.');
  return context.reportSchedules;
}

const ScheduleStatusRef = builder.enumType('ReportScheduleStatus', {
  description: 'Whether a schedule runs.',
  values: {
    ACTIVE: { value: SCHEDULE_STATUSES[0], description: 'Runs by its rule.' },
    PAUSED: { value: SCHEDULE_STATUSES[1], description: 'Does not run by itself.' },
  },
});

const FileFormatRef = builder.enumType('ReportFileFormat', {
  description: 'The form of the files of a report.',
  values: Object.fromEntries(
    REPORT_FILE_FORMATS.map((format) => [
      format,
      { value: format, description: REPORT_FILE_FORMS[format].description },
    ]),
  ) as Record<ReportFileFormat, { value: ReportFileFormat; description: string }>,
});

const DeliveryStatusRef = builder.enumType('ReportDeliveryStatus', {
  description: 'The delivery state of the webhook message.',
  values: {
    NONE: { value: DELIVERY_STATUSES[0], description: 'The schedule has no webhook.' },
    PENDING: { value: DELIVERY_STATUSES[1], description: 'It waits to be sent or retried.' },
    DELIVERED: { value: DELIVERY_STATUSES[2], description: 'The receiver accepted it.' },
    FAILED: { value: DELIVERY_STATUSES[3], description: 'It failed after several tries.' },
  },
});

const RunRef = builder.objectRef<ReportRun>('ReportRun').implement({
  description: 'One run of a report schedule.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Decimal id.' }),
    scheduledFor: t.field({
      type: 'DateTime',
      description: 'The instant of the rule; relative dates of the query refer to it.',
      resolve: (run) => run.scheduledFor,
    }),
    status: t.field({ type: ReportTaskStatusRef, description: 'Its state.', resolve: (run) => run.status }),
    progress: t.exposeInt('progress', { description: 'Percent done, 0…100.' }),
    startedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When work on it began.',
      resolve: (run) => run.startedAt,
    }),
    endedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was DONE or FAILED.',
      resolve: (run) => run.endedAt,
    }),
    rowCount: t.field({
      type: 'Long',
      nullable: true,
      description: 'Rows of the finished report.',
      resolve: (run) => run.rowCount,
    }),
    errorMessage: t.exposeString('errorMessage', { nullable: true, description: 'Why it FAILED.' }),
    downloadUrl: t.exposeString('downloadUrl', {
      nullable: true,
      description:
        'In the form of the schedule, for 7 days; opens with a key of the REPORTS module or header credentials. `?format=raw`: JSON lines.',
    }),
    deliveryStatus: t.field({
      type: DeliveryStatusRef,
      description: 'The delivery state of the webhook message.',
      resolve: (run) => run.deliveryStatus,
    }),
    deliveryAttempts: t.exposeInt('deliveryAttempts', { description: 'How often the message was sent.' }),
    deliveryError: t.exposeString('deliveryError', {
      nullable: true,
      description: 'Why the last try of the message failed.',
    }),
  }),
});

const ScheduleRef = builder.objectRef<ReportSchedule>('ReportSchedule').implement({
  description: 'A saved query of the Reports API that runs by a rule; its results are kept as files.',
  interfaces: [NodeRef as never],
  fields: (t) => ({
    ...idFields<ReportSchedule>(t, 'ReportSchedule', ({ id }) => id),
    name: t.exposeString('name', { description: 'Name.' }),
    query: t.field({
      type: 'JSON',
      description: 'A query of the Reports API; relative dateRanges are read at each run.',
      resolve: (schedule) => schedule.query,
    }),
    cron: t.exposeString('cron', { description: 'Minute, hour, day of month, month, weekday.' }),
    timezone: t.exposeString('timezone', { description: 'Time zone of the rule: that of the network.' }),
    status: t.field({
      type: ScheduleStatusRef,
      description: 'Whether it runs.',
      resolve: (schedule) => schedule.status,
    }),
    fileFormat: t.field({
      type: FileFormatRef,
      description: 'The form of the files in mails and behind the links of its runs.',
      resolve: (schedule) => schedule.fileFormat,
    }),
    webhookUrl: t.exposeString('webhookUrl', {
      nullable: true,
      description: 'Where a signed message is sent when a run has ended.',
    }),
    mailTo: t.exposeStringList('mailTo', {
      description: 'Addresses of members who get each result by mail: attached up to 5 MB, else as a link.',
    }),
    nextRunAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it runs next; null while PAUSED.',
      resolve: (schedule) => schedule.nextRunAt,
    }),
    version: t.exposeInt('version', { description: 'Counts up with every change; give it back on update.' }),
    createdAt: t.field({ type: 'DateTime', description: 'When it was made.', resolve: (one) => one.createdAt }),
    updatedAt: t.field({ type: 'DateTime', description: 'When it was last changed.', resolve: (one) => one.updatedAt }),
    runs: t.field({
      type: [RunRef],
      description: 'Its latest runs, newest first.',
      args: {
        first: t.arg.int({ description: firstText(PAGE_SIZE_MAX, PAGE_SIZE_DEFAULT) }),
        after: t.arg.id({ description: AFTER_TEXT }),
      },
      resolve: (schedule, args, context) => {
        const page = readListPage('ReportRun', args, { sizeMax: PAGE_SIZE_MAX, usual: PAGE_SIZE_DEFAULT });
        return schedulesOf(context).runs(queryableOf(context), context.principal, { scheduleId: schedule.id, page });
      },
    }),
  }),
});

registerNode({
  type: 'ReportSchedule',
  description: 'A saved query that runs by a rule.',
  operation: 'query.reportSchedule',
  list: (context) => schedulesOf(context).list(queryableOf(context), context.principal),
});

const ChangeRef = builder.objectRef<ReportScheduleChange | RefusedPayload>('ReportSchedulePayload').implement({
  description: 'The result of a change of a schedule.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    schedule: t.field({
      type: ScheduleRef,
      nullable: true,
      description: 'The schedule; null when nothing was changed.',
      resolve: (change) => (change instanceof RefusedPayload ? null : change.after),
    }),
    saved: t.field({
      type: ScheduleRef,
      nullable: true,
      description: 'The schedule; null when nothing was changed.',
      resolve: (change) => (change instanceof RefusedPayload ? null : change.after),
    }),
    webhookSecret: t.string({
      nullable: true,
      description: 'The secret that signs messages, when it is new. It is shown once.',
      resolve: (change) => (change instanceof RefusedPayload ? null : change.webhookSecret),
    }),
  }),
});

const DeletePayloadRef = outcomeRef<ReportSchedule>(
  'DeleteReportSchedulePayload',
  'The result of deleting a schedule.',
  { name: 'schedule', type: ScheduleRef, description: 'The deleted schedule.' },
);

const RunPayloadRef = outcomeRef<ReportRun>('RunReportSchedulePayload', 'The result of running a schedule.', {
  name: 'run',
  type: RunRef,
  description: 'The run.',
});

const TEXTS = {
  name: 'Name, 1…200 characters.',
  query: 'A query of the Reports API, as /load accepts it. Without a limit it returns all rows.',
  cron: 'Five fields in the time zone of the network, such as "0 6 * * 1"; runs at least 15 minutes apart.',
  status: 'ACTIVE (default) or PAUSED.',
  fileFormat: 'The form of its files; default CSV. Runs before the change have it, too.',
  webhookUrl: 'https:// address of a public host. null: none.',
  mailTo: 'Addresses of members of the network who get each result by mail, at most 20; empty: nobody.',
  id: 'Its id.',
};

const CreateInput = builder.inputType('CreateReportScheduleInput', {
  description: 'The fields of a new schedule.',
  fields: (t) => ({
    name: t.string({ required: true, description: TEXTS.name }),
    query: t.field({ type: 'JSON', required: true, description: TEXTS.query }),
    cron: t.string({ required: true, description: TEXTS.cron }),
    status: t.field({ type: ScheduleStatusRef, description: TEXTS.status }),
    fileFormat: t.field({ type: FileFormatRef, description: TEXTS.fileFormat }),
    webhookUrl: t.string({ description: TEXTS.webhookUrl }),
    mailTo: t.stringList({ description: TEXTS.mailTo }),
  }),
});

const UpdateInput = builder.inputType('UpdateReportScheduleInput', {
  description: 'The fields to change; absent fields stay.',
  fields: (t) => ({
    name: t.string({ description: TEXTS.name }),
    query: t.field({ type: 'JSON', description: TEXTS.query }),
    cron: t.string({ description: TEXTS.cron }),
    status: t.field({ type: ScheduleStatusRef, description: TEXTS.status }),
    fileFormat: t.field({ type: FileFormatRef, description: TEXTS.fileFormat }),
    webhookUrl: t.string({ description: TEXTS.webhookUrl }),
    mailTo: t.stringList({ description: TEXTS.mailTo }),
    rotateSecret: t.boolean({ description: 'Makes a new webhook secret, which the response shows.' }),
  }),
});

type GivenInput = { readonly [Member in keyof ReportScheduleInput]?: ReportScheduleInput[Member] | null };

/** Null means "absent" for every field except the webhook: null removes it. */
function readInput(input: GivenInput): ReportScheduleInput {
  return {
    name: input.name ?? undefined,
    query: input.query ?? undefined,
    cron: input.cron ?? undefined,
    status: input.status ?? undefined,
    fileFormat: input.fileFormat ?? undefined,
    webhookUrl: input.webhookUrl,
    mailTo: input.mailTo ?? undefined,
    rotateSecret: input.rotateSecret ?? undefined,
  };
}

/** One change in a transaction, with its entry in the audit log. */
function change<T>(
  context: ManagementContext,
  verb: string,
  make: (
    db: Kysely<Database>,
  ) => Promise<{ outcome: T; id: string; before?: ReportSchedule | null; after?: ReportSchedule }>,
): Promise<T> {
  return changeAll(context, false, async (inner) => {
    const { outcome, id, before = null, after = null } = await make(inner.transaction);
    inner.audits.push({
      by: context.principal,
      action: `reportSchedule.${verb}`,
      objectKind: 'reportSchedule',
      objectId: id,
      before,
      after,
      more: { requestId: context.requestId },
    });
    return outcome;
  });
}

/** The secret of a webhook is shown when the webhook is set. @throws PlacardError `verification_required` */
function askAgainForSecret({ principal }: ManagementContext, input: GivenInput): void {
  const showsSecret = typeof input.webhookUrl === 'string' || input.rotateSecret === true;
  if (showsSecret) requireProof(principal, 'webhookSecret.create');
}

builder.queryFields((t) => ({
  reportSchedules: t.field({
    type: [ScheduleRef],
    description: 'The report schedules of the network by name, at most 100.',
    resolve: (_root, _args, context) => schedulesOf(context).list(queryableOf(context), context.principal),
  }),
  reportSchedule: t.field({
    type: ScheduleRef,
    nullable: true,
    description: 'A report schedule by its id; null when there is none.',
    args: { id: t.arg.id({ required: true, description: TEXTS.id }) },
    resolve: (_root, { id }, context) =>
      schedulesOf(context).find(queryableOf(context), context.principal, plainIdOf('ReportSchedule', id)),
  }),
}));

builder.mutationFields((t) => ({
  createReportSchedule: t.field({
    type: ChangeRef,
    nullable: true,
    description: 'Creates a schedule. The response shows the webhook secret once.',
    args: { input: t.arg({ type: CreateInput, required: true, description: 'The schedule.' }) },
    resolve: (_root, { input }, context, info) =>
      orRefused(context, info, () =>
        change(context, 'create', async (db) => {
          askAgainForSecret(context, input as GivenInput);
          const outcome = await schedulesOf(context).create(db, context.principal, readInput(input as GivenInput));
          return { outcome, id: outcome.after.id, after: outcome.after };
        }),
      ),
  }),
  updateReportSchedule: t.field({
    type: ChangeRef,
    nullable: true,
    description: 'Changes a schedule.',
    args: {
      id: t.arg.id({ required: true, description: TEXTS.id }),
      version: t.arg.int({ description: 'The version that was read; a newer version fails as `conflict`.' }),
      input: t.arg({ type: UpdateInput, required: true, description: 'What is to be changed.' }),
    },
    resolve: (_root, { id, version, input }, context, info) =>
      orRefused(context, info, () =>
        change(context, 'update', async (db) => {
          askAgainForSecret(context, input as GivenInput);
          const request = {
            id: plainIdOf('ReportSchedule', id),
            version: version ?? null,
            input: readInput(input as GivenInput),
          };
          const outcome = await schedulesOf(context).update(db, context.principal, request);
          return { outcome, id: outcome.after.id, before: outcome.before, after: outcome.after };
        }),
      ),
  }),
  deleteReportSchedule: t.field({
    type: DeletePayloadRef,
    nullable: true,
    description: 'Deletes a schedule with the list of its runs.',
    args: { id: t.arg.id({ required: true, description: TEXTS.id }) },
    resolve: (_root, { id }, context, info) =>
      outcomeOf(context, info, () =>
        change(context, 'delete', async (db) => {
          const outcome = await schedulesOf(context).remove(db, context.principal, plainIdOf('ReportSchedule', id));
          return { outcome, id: outcome.id, before: outcome };
        }),
      ),
  }),
  runReportSchedule: t.field({
    type: RunPayloadRef,
    nullable: true,
    description: 'Runs a schedule now, in addition to its rule.',
    args: { id: t.arg.id({ required: true, description: TEXTS.id }) },
    resolve: (_root, { id }, context, info) =>
      outcomeOf(context, info, () =>
        change(context, 'run', async (db) => {
          const outcome = await schedulesOf(context).run(db, context.principal, plainIdOf('ReportSchedule', id));
          return { outcome, id: outcome.scheduleId };
        }),
      ),
  }),
}));
