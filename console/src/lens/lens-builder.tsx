import {
  Button,
  Group,
  MultiSelect,
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { useNetwork } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { type Granularity, isCalendarDate } from '../reports/calendar.ts';
import {
  checkRange,
  COMPARISONS,
  type Comparison,
  type DateRange,
  RANGE_PRESETS,
  type RangePreset,
  resolveRange,
} from '../reports/date-range.ts';
import { useLaterOptions } from '../ui/later-options.ts';
import { describeRange } from './lens-results.tsx';
import { type Chart, CHARTS, type LensState, TIME_MEMBER } from '../reports/lens-state.ts';
import { groupMembers, type MemberGroup } from '../reports/member-groups.ts';
import { titleOf } from '../charts/member-titles.ts';
import type { Member, ReportModel } from '../reports/report-model.ts';
import { useMoment } from './use-lens.ts';

interface BuilderProps {
  readonly state: LensState;
  readonly model: ReportModel;
  onChange: (next: LensState) => void;
}

const GRANULARITIES = ['none', 'hour', 'day', 'week', 'month'] as const;

function optionsOf(groups: readonly MemberGroup[]) {
  return groups.map(({ group, members }) => ({
    group: say(`member_group.${group}`),
    items: members.map((member) => ({ value: member.name, label: member.shortTitle })),
  }));
}

/** The controls of the query. On a phone they fold into what is asked, so that the result is in sight. */
export function LensBuilder(props: BuilderProps & { readonly filters: ReactNode }) {
  const { state, model, filters, onChange } = props;
  const isPhone = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  const [isOpen, setOpen] = useState(state.measures.length === 0);
  const controls = useId();
  const charts = <ChartSelect value={state.chart} onChange={(chart) => onChange({ ...state, chart })} />;
  if (!isPhone)
    return (
      <>
        <Controls {...props} />
        <Group justify="space-between" align="flex-start" gap="sm" className="screen-only">
          <div style={{ flex: '1 1 auto' }}>{filters}</div>
          {charts}
        </Group>
      </>
    );
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        justify="space-between"
        fullWidth
        h="auto"
        mih={44}
        aria-expanded={isOpen}
        aria-controls={controls}
        onClick={() => setOpen(!isOpen)}
        rightSection={<span aria-hidden="true">{isOpen ? '▴' : '▾'}</span>}
        py={8}
        styles={{ label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4, overflow: 'visible' } }}
      >
        {say(isOpen ? 'lens.fold' : 'lens.unfold', { query: summarize(state, model) })}
      </Button>
      <div id={controls} hidden={!isOpen}>
        {isOpen ? (
          <Stack gap="xs">
            <Controls {...props} />
            {charts}
            {filters}
          </Stack>
        ) : null}
      </div>
      {isOpen || state.filters.length === 0 ? null : filters}
    </Stack>
  );
}

/** `Impressions, Revenue by Country, Day; Last 7 days`. */
function summarize(state: LensState, model: ReportModel): string {
  const measures = state.measures.map((name) => titleOf(model, name)).join(', ');
  const groups = [
    ...state.dimensions.map((name) => titleOf(model, name)),
    ...(state.granularity === null ? [] : [say(`granularity.${state.granularity}`)]),
  ].join(', ');
  const range =
    typeof state.range === 'string' ? say(`range.${state.range}`) : `${state.range.from} – ${state.range.to}`;
  return groups === '' ? say('lens.summary', { measures, range }) : say('lens.summary_by', { measures, groups, range });
}

/** Metrics, dimensions, dates, comparison, granularity, time zone, pivot, chart. */
function Controls({ state, model, onChange }: BuilderProps) {
  const set = (change: Partial<LensState>): void => onChange(dropStalePivot({ ...state, ...change }));
  const measures = useMemo(() => optionsOf(groupMembers(model.measures)), [model]);
  const dimensions = useMemo(() => optionsOf(groupMembers(model.dimensions)), [model]);
  return (
    <Paper className="screen-only" withBorder p="md" component="section" aria-label={say('lens.builder')}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <MembersSelect
            label={say('lens.measures')}
            data={measures}
            members={model.measures}
            value={state.measures}
            maxValues={12}
            onChange={(value) => set({ measures: value })}
          />
          <MembersSelect
            label={say('lens.dimensions')}
            placeholder={state.dimensions.length === 0 ? say('lens.dimensions_hint') : ''}
            data={dimensions}
            members={model.dimensions}
            value={state.dimensions}
            maxValues={8}
            onChange={(value) => set({ dimensions: value })}
          />
        </SimpleGrid>
        <div className="lens-choices">
          <RangeSelect state={state} onChange={onChange} />
          <Select
            {...useLaterOptions()}
            label={say('lens.comparison')}
            data={COMPARISONS.map((value) => ({ value, label: say(`comparison.${value}`) }))}
            value={state.comparison}
            allowDeselect={false}
            onChange={(value) => set({ comparison: value as Comparison })}
          />
          <Select
            {...useLaterOptions()}
            label={say('lens.granularity')}
            data={GRANULARITIES.map((value) => ({ value, label: say(`granularity.${value}`) }))}
            value={state.granularity ?? 'none'}
            allowDeselect={false}
            onChange={(value) => set({ granularity: value === 'none' ? null : (value as Granularity) })}
          />
          <Select
            {...useLaterOptions()}
            label={say('lens.pivot')}
            data={pivotOptions(state, model)}
            value={state.pivot ?? ''}
            allowDeselect={false}
            onChange={(value) => set({ pivot: value === '' ? null : value })}
          />
          <div className="lens-timezone">
            <TimezoneSelect state={state} onChange={(timezone) => set({ timezone })} />
          </div>
        </div>
      </Stack>
    </Paper>
  );
}

function MembersSelect({
  value,
  members,
  ...props
}: {
  readonly label: string;
  readonly placeholder?: string;
  readonly data: ReturnType<typeof optionsOf>;
  readonly members: ReadonlyMap<string, Member>;
  readonly value: readonly string[];
  readonly maxValues: number;
  onChange: (value: string[]) => void;
}) {
  return (
    <MultiSelect
      {...useLaterOptions()}
      {...props}
      value={[...value]}
      searchable
      hidePickedOptions
      renderOption={({ option }) => <MemberOption member={members.get(option.value)} label={option.label} />}
      nothingFoundMessage={say('palette.nothing')}
      clearable
      clearButtonProps={{ 'aria-label': say('action.clear') }}
    />
  );
}

/** A metric or dimension with its meaning. */
function MemberOption({ member, label }: { readonly member: Member | undefined; readonly label: string }) {
  return (
    <div>
      {label}
      {member === undefined || member.description === '' ? null : (
        // The name of an option is its title alone; heads of columns read the meaning out.
        <Text size="xs" c="dimmed" aria-hidden="true">
          {member.description}
        </Text>
      )}
    </div>
  );
}

/** Removes the pivot when its member is no longer in the state. */
function dropStalePivot(state: LensState): LensState {
  const stands =
    state.pivot === TIME_MEMBER
      ? state.granularity !== null
      : state.pivot !== null && state.dimensions.includes(state.pivot);
  return stands ? state : { ...state, pivot: null };
}

function pivotOptions(state: LensState, model: ReportModel): { value: string; label: string }[] {
  const time =
    state.granularity === null ? [] : [{ value: TIME_MEMBER, label: say(`granularity.${state.granularity}`) }];
  return [
    { value: '', label: say('pivot.none') },
    ...time,
    ...state.dimensions.map((name) => ({ value: name, label: titleOf(model, name) })),
  ];
}

function ChartSelect({ value, onChange }: { readonly value: Chart; onChange: (chart: Chart) => void }) {
  return (
    <div className="scroll-x" style={{ maxWidth: '100%' }}>
      <SegmentedControl
        aria-label={say('lens.chart')}
        size="sm"
        value={value}
        onChange={(next) => onChange(next as Chart)}
        data={CHARTS.map((chart) => ({ value: chart, label: say(`chart.${chart}`) }))}
      />
    </div>
  );
}

function RangeSelect({ state, onChange }: Omit<BuilderProps, 'model'>) {
  const moment = useMoment(state);
  const options = useLaterOptions();
  if (moment === null) return null;
  const range = resolveRange(state.range, moment.today);
  const isCustom = typeof state.range !== 'string';
  const choose = (value: string | null): void => {
    onChange({ ...state, range: value === 'custom' || value === null ? range : (value as RangePreset) });
  };
  return (
    <Stack gap={6}>
      <Select
        {...options}
        label={say('lens.range')}
        data={[
          ...RANGE_PRESETS.map((value) => ({ value, label: say(`range.${value}`) })),
          { value: 'custom', label: say('range.custom') },
        ]}
        value={isCustom ? 'custom' : (state.range as string)}
        allowDeselect={false}
        onChange={choose}
      />
      {isCustom ? (
        <CustomRange
          key={`${range.from} ${range.to}`}
          range={range}
          onChange={(next) => onChange({ ...state, range: next })}
        />
      ) : null}
    </Stack>
  );
}

/** Two native date fields: they use the browser's locale and work with keyboard, touch and screen reader. */
function CustomRange({ range, onChange }: { readonly range: DateRange; onChange: (range: DateRange) => void }) {
  const [draft, setDraft] = useState(range);
  const problem = checkRange(draft);
  const edit = (change: Partial<DateRange>): void => {
    const next = { ...draft, ...change };
    setDraft(next);
    if (isCalendarDate(next.from) && isCalendarDate(next.to) && next.from <= next.to) onChange(next);
  };
  return (
    <Group gap="xs" grow align="flex-start">
      <TextInput
        type="date"
        size="xs"
        label={say('value.from')}
        value={draft.from}
        onChange={(event) => edit({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        size="xs"
        label={say('value.to')}
        value={draft.to}
        onChange={(event) => edit({ to: event.currentTarget.value })}
        error={problem === null ? undefined : describeRange(problem)}
      />
    </Group>
  );
}

function TimezoneSelect({
  state,
  onChange,
}: {
  readonly state: LensState;
  onChange: (timezone: string | null) => void;
}) {
  const network = useNetwork();
  const own = network?.timezone;
  const data = useMemo(() => {
    const names = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
    return [
      {
        value: '',
        label: own === undefined ? say('lens.timezone_network') : say('lens.timezone_own', { timezone: own }),
      },
      ...names.map((name) => ({ value: name, label: name })),
    ];
  }, [own]);
  return (
    <Select
      {...useLaterOptions()}
      label={say('value.timezone')}
      data={data}
      value={state.timezone ?? ''}
      searchable
      allowDeselect={false}
      limit={60}
      onChange={(value) => onChange(value === '' ? null : value)}
    />
  );
}
