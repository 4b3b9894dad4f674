import { builder } from '../../kernel/builder.ts';

const DateRangeInput = builder.inputType('ReportTaskDateRangeInput', {
  description: 'What a report covers. Dates are local times in the time zone of the report, both inclusive.',
  fields: (t) => ({
    kind: t.string({
      description:
        '"static": both dates. "dynamic": both dates, or the name of a relative range in `date_from`. Default: static.',
    }),
    date_from: t.string({
      description: 'Start, as YYYY-MM-DD HH:MM:SS; in a dynamic range also a name such as last_7_days.',
    }),
    date_to: t.string({ description: 'End, as YYYY-MM-DD HH:MM:SS.' }),
  }),
});

const FilterValueInput = builder.inputType('ReportTaskFilterValueInput', {
  description: 'One value of a filter.',
  fields: (t) => ({ value: t.string({ description: 'The value.' }) }),
});

const FilterInput = builder.inputType('ReportTaskFilterInput', {
  description: 'A condition on the rows that are counted.',
  fields: (t) => ({
    dimension: t.string({ description: 'Name of a dimension, such as line_item_id.' }),
    type: t.string({ description: '"in", "not_in" or "contains". Default: in.' }),
    values: t.field({ type: [FilterValueInput], description: 'The values that are compared with.' }),
  }),
});

const AttributesInput = builder.inputType('ReportTaskAttrInput', {
  description: 'Parameters of a report; which of them apply, and their defaults, are in `report_definition_body`.',
  fields: (t) => ({
    date_range: t.field({ type: DateRangeInput, description: 'What the report covers. Required.' }),
    filters: t.field({ type: [FilterInput], description: 'Conditions, all of which must hold.' }),
    split: t.stringList({ description: 'Dimensions to split by.' }),
    metric: t.stringList({ description: 'Metrics to include, such as filled_emission and adclick.' }),
    granularity: t.string({ description: '"hour", "day", "week", "month" or "total".' }),
    timezone: t.string({
      description: 'IANA time zone that data is bucketed in; default: the time zone of the network.',
    }),
  }),
});

/** The input of `generate_report`, with exactly the variable types of the specification. */
export const ReportTaskInputRef = builder.inputType('ReportTaskInput', {
  description: 'The fields of a new report task.',
  fields: (t) => ({
    report_definition_name: t.id({ required: true, description: 'Name of the definition.' }),
    report_name: t.string({ required: true, description: 'Name of the report, 1…200 characters.' }),
    attributes: t.field({ type: AttributesInput, required: true, description: 'What it computes.' }),
    task_external_id: t.string({ description: 'Your own id, stored with the task and searchable.' }),
    task_external_type: t.string({ description: 'The kind of that id.' }),
  }),
});
