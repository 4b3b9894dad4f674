import type { ReportDefinition, ReportTask, ReportTaskStatus } from '../../../domain/reporting/report-task.ts';
import { builder } from '../../kernel/builder.ts';

/** The enum of task statuses. */
export const ReportTaskStatusRef = builder.enumType('ReportTaskStatus', {
  description: 'The state of a report task.',
  values: {
    PENDING: { value: 'PENDING' as const, description: 'Created, waits to start.' },
    PROCESSING: { value: 'PROCESSING' as const, description: 'Is being made.' },
    DONE: { value: 'DONE' as const, description: 'Can be downloaded.' },
    FAILED: { value: 'FAILED' as const, description: 'Could not be made; `task_error_message` says why.' },
  } satisfies Record<ReportTaskStatus, unknown>,
});

const DefinitionRef = builder.objectRef<ReportDefinition>('ReportDefinition').implement({
  description: 'A template that report tasks are made from.',
  fields: (t) => ({
    report_definition_name: t.id({
      description: 'Its name, for `generate_report`.',
      resolve: (definition) => definition.name,
    }),
    report_definition_description: t.exposeString('description', { description: 'What its reports show.' }),
    report_definition_body: t.field({
      type: 'JSON',
      description: 'Its parameters, each with type, default and allowed values.',
      resolve: (definition) => definition.body,
    }),
  }),
});

/** `report_defs`: the edges hold the fields themselves (specification, operation 3). */
export const DefinitionListRef = builder
  .objectRef<{ readonly edges: readonly ReportDefinition[] }>('ReportDefinitionList')
  .implement({
    description: 'The report definitions.',
    fields: (t) => ({
      edges: t.field({
        type: [DefinitionRef],
        description: 'The definitions; their fields are on the edge itself.',
        resolve: (list) => [...list.edges],
      }),
    }),
  });

/** A report task under the field names of the specification. */
export const ReportTaskRef = builder.objectRef<ReportTask>('ReportTask').implement({
  description: 'A report that is made in the background.',
  fields: (t) => ({
    task_id: t.id({
      description: 'Its number, as text; `report_task` takes it as an Int.',
      resolve: (task) => String(task.id),
    }),
    task_token: t.exposeString('token', { description: 'Last segment of the download address.' }),
    task_name: t.exposeString('name', { description: 'Name of the report.' }),
    task_status: t.field({
      type: ReportTaskStatusRef,
      description: 'Its state.',
      resolve: (task) => task.status,
    }),
    task_progress: t.exposeInt('progress', { description: 'Percent done, 0…100; 100 when DONE.' }),
    task_start_time: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When work on it began; null before.',
      resolve: (task) => task.startedAt,
    }),
    task_end_time: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was DONE or FAILED; null before.',
      resolve: (task) => task.endedAt,
    }),
    task_duration: t.float({
      nullable: true,
      description: 'Seconds from start to end; null before the end.',
      resolve: durationSeconds,
    }),
    task_download_url: t.exposeString('downloadUrl', {
      nullable: true,
      description:
        'Where it can be downloaded with the header credentials; null unless DONE, and after it has expired.',
    }),
    task_error_message: t.exposeString('errorMessage', {
      nullable: true,
      description: 'Why it FAILED; null otherwise.',
    }),
    task_row_count: t.field({
      type: 'Long',
      nullable: true,
      description: 'Rows of the finished report.',
      resolve: (task) => task.rowCount,
    }),
    report_definition_name: t.id({
      description: 'Definition that it was made from.',
      resolve: (task) => task.definitionName,
    }),
    task_external_id: t.exposeString('externalId', { nullable: true, description: 'Your own id of it.' }),
    task_external_type: t.exposeString('externalType', { nullable: true, description: 'The kind of that id.' }),
  }),
});

function durationSeconds({ startedAt, endedAt }: ReportTask): number | null {
  return startedAt === null || endedAt === null ? null : (endedAt.getTime() - startedAt.getTime()) / 1_000;
}
