/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a filter is a group of fields inside a flex row */
import { ActionIcon, Button, Group, Paper, Select, Stack, TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useScope } from '../session/session.ts';
import { NumberField } from '../format/number-field.tsx';
import { exactOf, typedText } from '../format/typed-numbers.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { checkRange, resolveRange } from '../reports/date-range.ts';
import { formatDimension } from '../format/format-value.ts';
import { type CubeQuery, type LensMoment, needsNoValue } from '../reports/lens-query.ts';
import {
  FILTER_OPERATORS,
  type FilterOperator,
  type LensFilter,
  type LensState,
  TIME_MEMBER,
} from '../reports/lens-state.ts';
import { groupMembers } from '../reports/member-groups.ts';
import { titleOf } from '../charts/member-titles.ts';
import type { ReportModel } from '../reports/report-model.ts';
import { reportQuery } from '../api/reports/report-query.ts';

interface FiltersProps {
  readonly state: LensState;
  readonly model: ReportModel;
  readonly moment: LensMoment | null;
  onChange: (next: LensState) => void;
}

const DIMENSION_OPERATORS: readonly FilterOperator[] = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'set',
  'notSet',
];
const MEASURE_OPERATORS: readonly FilterOperator[] = ['gt', 'gte', 'lt', 'lte', 'equals', 'notEquals', 'set', 'notSet'];
const FILTERS_MAX = 20;

/** The conditions; all of them hold. */
export function LensFilters({ state, model, moment, onChange }: FiltersProps) {
  const replace = (index: number, filter: LensFilter | null): void => {
    const filters =
      filter === null
        ? state.filters.filter((_one, position) => position !== index)
        : state.filters.map((one, position) => (position === index ? filter : one));
    onChange({ ...state, filters });
  };
  const add = (): void => {
    const member =
      [...model.dimensions.keys()].find((name) => name.endsWith('.campaign_name')) ?? [...model.dimensions.keys()][0];
    if (member !== undefined)
      onChange({ ...state, filters: [...state.filters, { member, operator: 'equals', values: [] }] });
  };
  const addButton = (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="plus" size={14} />}
      onClick={add}
      disabled={state.filters.length >= FILTERS_MAX}
    >
      {say('filters.add')}
    </Button>
  );
  if (state.filters.length === 0) return <Group>{addButton}</Group>;
  return (
    <Paper className="screen-only" withBorder p="sm" component="section" aria-label={say('filters.title')}>
      <Stack gap="xs">
        {state.filters.map((filter, index) => (
          <FilterRow
            key={`${index} ${filter.member}`}
            {...{ state, model, moment, filter }}
            onChange={(next) => replace(index, next)}
          />
        ))}
        <Group>{addButton}</Group>
      </Stack>
    </Paper>
  );
}

function FilterRow({
  state,
  model,
  moment,
  filter,
  onChange,
}: Omit<FiltersProps, 'onChange'> & { readonly filter: LensFilter; onChange: (filter: LensFilter | null) => void }) {
  const isMeasure = model.measures.has(filter.member);
  const operators = isMeasure ? MEASURE_OPERATORS : DIMENSION_OPERATORS;
  const choose = (member: string | null): void => {
    if (member === null) return;
    const fitting = model.measures.has(member) ? MEASURE_OPERATORS : DIMENSION_OPERATORS;
    onChange({
      member,
      operator: fitting.includes(filter.operator) ? filter.operator : (fitting[0] ?? 'equals'),
      values: [],
    });
  };
  return (
    <Group gap="xs" align="flex-end" role="group" aria-label={titleOf(model, filter.member)}>
      <Select
        size="xs"
        w={190}
        aria-label={say('filters.member')}
        searchable
        allowDeselect={false}
        data={memberGroups(model)}
        value={filter.member}
        onChange={choose}
      />
      <Select
        size="xs"
        w={150}
        aria-label={say('filters.operator')}
        allowDeselect={false}
        data={FILTER_OPERATORS.filter((one) => operators.includes(one)).map((value) => ({
          value,
          label: say(`operator.${value}`),
        }))}
        value={filter.operator}
        onChange={(value) => onChange({ ...filter, operator: value as FilterOperator })}
      />
      {needsNoValue(filter.operator) ? null : isMeasure ? (
        <MeasureValue value={filter.values[0] ?? ''} onChange={(values) => onChange({ ...filter, values })} />
      ) : (
        <ValueInput {...{ state, model, moment, filter }} onChange={onChange} />
      )}
      <ActionIcon
        aria-label={say('filters.remove', { name: titleOf(model, filter.member) })}
        onClick={() => onChange(null)}
      >
        <Icon name="close" size={16} />
      </ActionIcon>
    </Group>
  );
}

/** All members, by what they are. */
function memberGroups({ dimensions, measures }: ReportModel) {
  const itemsOf = (members: ReportModel['measures']) =>
    groupMembers(members).flatMap((group) =>
      group.members.map((member) => ({ value: member.name, label: member.shortTitle })),
    );
  return [
    { group: say('lens.dimensions'), items: itemsOf(dimensions) },
    { group: say('lens.measures'), items: itemsOf(measures) },
  ];
}

/** The number that a measure is compared with. It takes effect when the field is left. */
function MeasureValue({ value, onChange }: { readonly value: string; onChange: (values: readonly string[]) => void }) {
  const [text, setText] = useState(typedText(value));
  return (
    <NumberField
      size="xs"
      w={140}
      aria-label={say('filters.value')}
      value={text}
      onChange={setText}
      onBlur={() => {
        const number = exactOf(text, false);
        onChange(number === null ? [] : [number]);
      }}
    />
  );
}

const SUGGESTIONS = 50;

/** Values, with those that occur in the range suggested, the most frequent first. */
function ValueInput({
  state,
  model,
  moment,
  filter,
  onChange,
}: Omit<FiltersProps, 'onChange'> & { readonly filter: LensFilter; onChange: (filter: LensFilter) => void }) {
  const scope = useScope();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 250);
  const member = model.dimensions.get(filter.member);
  const [measure] = model.measures.keys();
  const query =
    moment === null || member === undefined || measure === undefined
      ? null
      : suggestionQuery(state, moment, { member: filter.member, measure, search });
  const { data } = useQuery(reportQuery(scope, query));
  const values = (data?.rows ?? [])
    .map((row) => row[filter.member])
    .filter((value) => value !== null && value !== undefined)
    .map(String);
  return (
    <TagsInput
      size="xs"
      miw={200}
      style={{ flex: 1 }}
      aria-label={say('filters.values')}
      placeholder={filter.values.length === 0 ? say('filters.values_hint') : ''}
      data={[...new Set(values)]}
      value={[...filter.values]}
      onChange={(next) => onChange({ ...filter, values: next })}
      searchValue={typed}
      onSearchChange={setTyped}
      renderOption={({ option }) => (
        <span>{member === undefined ? option.value : formatDimension(member, option.value)}</span>
      )}
      maxTags={100}
      limit={SUGGESTIONS}
      acceptValueOnBlur
    />
  );
}

function suggestionQuery(
  state: LensState,
  moment: LensMoment,
  asked: { member: string; measure: string; search: string },
): CubeQuery | null {
  const range = resolveRange(state.range, moment.today);
  if (checkRange(range) !== null) return null;
  return {
    measures: [asked.measure],
    dimensions: [asked.member],
    timeDimensions: [{ dimension: TIME_MEMBER, dateRange: [range.from, range.to] }],
    filters:
      asked.search.trim() === '' ? [] : [{ member: asked.member, operator: 'contains', values: [asked.search.trim()] }],
    order: [
      [asked.measure, 'desc'],
      [asked.member, 'asc'],
    ],
    timezone: moment.timezone,
    limit: SUGGESTIONS,
  };
}
