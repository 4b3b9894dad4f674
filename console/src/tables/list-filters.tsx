import { Button, Group, MultiSelect, Paper, Select, Stack, TextInput } from '@mantine/core';
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { type ChoiceKind, DELIVERY_STATUSES, type DeliveryStatus, LINE_ITEM_TYPES } from '../api/bookings/desk-list.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { ColumnMenu } from './column-menu.tsx';
import {
  type DeskState,
  type DeskTargets,
  FILTERED_DIMENSIONS,
  countFilters,
  isFiltered,
  type KnownColumns,
  LEVELS,
  shownColumns,
  UNFILTERED,
} from './desk-state.ts';
import { ObjectFilter } from '../pickers/object-filter.tsx';

const TYPING_MS = 250;

interface ListFiltersProps {
  readonly state: DeskState;
  change: (next: Partial<DeskState>, replace?: boolean) => void;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  /** All columns besides the name, and those that are shown. */
  readonly columns: KnownColumns;
  /** Whether the list can be filtered by campaign. */
  readonly hasCampaigns: boolean;
  /** Whether rows are cells of their own, so that there are no columns to choose. */
  readonly isCompact: boolean;
  /** Further tools of the table, in the same line. */
  readonly tools: ReactNode;
}

/** The search, the tools of a table and its filters, which fold. What is chosen goes into the address at once. */
export function ListFilters(props: ListFiltersProps) {
  const { state, change, searchRef, columns, isCompact, tools } = props;
  const count = countFilters(state);
  const [isOpen, setOpen] = useState(count > 0);
  const fields = useId();
  return (
    <Stack gap="xs" component="search" aria-label={say('desk.filters')}>
      <Group gap="xs" className="desk-tools">
        <SearchField
          search={state.search}
          change={(search) => change({ search }, true)}
          searchRef={searchRef}
          isInline
        />
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          aria-controls={fields}
          onClick={() => setOpen(!isOpen)}
          rightSection={<span aria-hidden="true">{isOpen ? '▴' : '▾'}</span>}
        >
          {count === 0 ? say('desk.filters') : `${say('desk.filters')} (${count})`}
        </Button>
        {tools}
        {isCompact ? (
          <SortSelect state={state} change={change} />
        ) : (
          <ColumnMenu
            shown={shownColumns(state, columns)}
            all={columns.all}
            onChange={(next) => change({ columns: next })}
          />
        )}
        {isFiltered(state) ? (
          <Button size="xs" variant="subtle" onClick={() => change(UNFILTERED)}>
            {say('desk.clear')}
          </Button>
        ) : null}
      </Group>
      <div id={fields} hidden={!isOpen}>
        {isOpen ? (
          <Paper withBorder p="sm" className="desk-filters">
            <FilterFields {...props} />
          </Paper>
        ) : null}
      </div>
    </Stack>
  );
}

function FilterFields({ state, change, columns, hasCampaigns }: ListFiltersProps) {
  return (
    <>
      <MultiSelect
        size="xs"
        label={say('desk.statuses')}
        placeholder={state.statuses.length === 0 ? say('desk.statuses_any') : ''}
        data={DELIVERY_STATUSES.map((status) => ({ value: status, label: say(`status.${status}`) }))}
        value={[...state.statuses]}
        onChange={(statuses) =>
          change({ statuses: DELIVERY_STATUSES.filter((one: DeliveryStatus) => statuses.includes(one)) })
        }
      />
      {columns.all.includes('type') ? (
        <MultiSelect
          size="xs"
          label={say('desk_column.type')}
          placeholder={state.types.length === 0 ? say('desk.types_any') : ''}
          data={LINE_ITEM_TYPES.map((type) => ({ value: type, label: say(`line_item_type.${type}`) }))}
          value={[...state.types]}
          onChange={(types) => change({ types: LINE_ITEM_TYPES.filter((one) => types.includes(one)) })}
        />
      ) : null}
      {columns.all.includes('type') ? <BookedFilters state={state} change={change} /> : null}
      <ObjectFilter
        kind="advertisers"
        label={say('desk.advertiser')}
        value={state.advertiserId}
        onChange={(advertiserId) => change({ advertiserId })}
      />
      {hasCampaigns ? (
        <ObjectFilter
          kind="campaigns"
          label={say('desk.campaign')}
          value={state.campaignId}
          onChange={(campaignId) => change({ campaignId })}
        />
      ) : null}
    </>
  );
}

/** The filters that only line items have: by level, and by what their targeting tests. */
function BookedFilters({ state: { level, targets }, change }: Pick<ListFiltersProps, 'state' | 'change'>) {
  return (
    <>
      <Select
        size="xs"
        label={say('desk_column.level')}
        placeholder={say('value.any')}
        clearable
        data={LEVELS.map(String)}
        value={level === null ? null : String(level)}
        onChange={(chosen) => change({ level: chosen === null ? null : Number(chosen) })}
      />
      <Select
        size="xs"
        label={say('desk.targets')}
        placeholder={say('value.any')}
        clearable
        data={FILTERED_DIMENSIONS.map((value) => ({ value, label: say(`desk.targets_${value}`) }))}
        value={targets?.dimension ?? null}
        onChange={(chosen) => {
          const dimension = FILTERED_DIMENSIONS.find((one) => one === chosen);
          change({ targets: dimension === undefined ? null : { dimension, value: '' } });
        }}
      />
      {targets === null ? null : (
        <TargetsValue
          key={targets.dimension}
          targets={targets}
          onChange={(value) => change({ targets: { ...targets, value } }, true)}
        />
      )}
    </>
  );
}

/** The value of the targeting: an object by its name, anything else as it is typed. */
function TargetsValue({
  targets: { dimension, value },
  onChange,
}: {
  readonly targets: DeskTargets;
  onChange: (value: string) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const kind = OBJECTS_OF[dimension];
  if (kind !== undefined)
    return (
      <ObjectFilter
        kind={kind}
        label={say('desk.targets_value')}
        value={value === '' ? null : value}
        onChange={(id) => onChange(id ?? '')}
      />
    );
  return <SearchField label={say('desk.targets_value')} search={value} change={onChange} searchRef={field} />;
}

/** The dimensions whose values are objects. */
const OBJECTS_OF: Partial<Readonly<Record<DeskTargets['dimension'], ChoiceKind>>> = {
  SITE: 'sites',
  AD_UNIT: 'adUnits',
  SEGMENT: 'segments',
};

/** Typing is quick and the server is asked once it pauses; the field keeps what is typed meanwhile. */
export function SearchField({
  search,
  change,
  searchRef,
  label = say('desk.search'),
  isInline = false,
}: {
  readonly search: string;
  /** The label is in the empty field. */
  readonly isInline?: boolean;
  readonly label?: string;
  change: (search: string) => void;
  readonly searchRef: RefObject<HTMLInputElement | null>;
}) {
  const [typed, setTyped] = useState(search);
  const [seen, setSeen] = useState(search);
  const [timer, setTimer] = useState<ReturnType<typeof setTimeout> | null>(null);
  // The address changed by itself, as by the back button or a cleared filter.
  if (search !== seen) {
    setSeen(search);
    if (timer === null) setTyped(search);
  }
  const type = (text: string): void => {
    setTyped(text);
    if (timer !== null) clearTimeout(timer);
    const ask = (): void => {
      setTimer(null);
      change(text);
    };
    setTimer(setTimeout(ask, TYPING_MS));
  };
  return (
    <TextInput
      size="xs"
      type="search"
      className="desk-search"
      {...(isInline ? { 'aria-label': label, placeholder: label } : { label })}
      leftSection={<Icon name="search" size={14} />}
      ref={searchRef}
      value={typed}
      maxLength={200}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

const SORTS = {
  'ID DESC': 'desk_sort.id',
  'ID ASC': 'desk_sort.id_up',
  'NAME ASC': 'desk_sort.name',
  'NAME DESC': 'desk_sort.name_down',
  'UPDATED_AT DESC': 'desk_sort.updated',
  'UPDATED_AT ASC': 'desk_sort.updated_up',
} as const;

/** Where there are no headings to click. */
function SortSelect({ state: { sort }, change }: Pick<ListFiltersProps, 'state' | 'change'>) {
  return (
    <Select
      size="xs"
      aria-label={say('desk.sort')}
      data={Object.entries(SORTS).map(([value, key]) => ({ value, label: say(key) }))}
      value={`${sort.field} ${sort.direction}`}
      allowDeselect={false}
      onChange={(value) => {
        const [field = 'ID', direction = 'DESC'] = (value ?? '').split(' ');
        change({ sort: { field, direction } as DeskState['sort'] });
      }}
    />
  );
}
