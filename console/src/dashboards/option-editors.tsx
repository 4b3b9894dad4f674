import { SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { LINE_ITEM_TABS, type ListSort } from '../api/bookings/desk-list.ts';
import { parseSearch, stringifySearch } from '../session/app-search.ts';
import { type DeskState, readDeskParams, writeDeskParams } from '../tables/desk-state.ts';
import { LINE_ITEM_COLUMNS } from '../desk/line-item-columns.tsx';
import { ObjectFilter } from '../pickers/object-filter.tsx';
import { isViewOf } from '../saved-views/view-page.ts';
import { type MessageKey, say } from '../messages/say.ts';
import type { WidgetOptions, KnownViews, OptionEditorProps } from './widgets.ts';

const ALL = 'all';

function choicesOf(views: KnownViews, table: string | null) {
  return views.filter((view) => isViewOf(view, table)).map(({ id, name }) => ({ value: id, label: name }));
}

/** Chooses a saved view of the Lens. */
export function ViewEditor({ options, views, onChange }: OptionEditorProps<WidgetOptions['view']>) {
  const choices = choicesOf(views, null);
  return (
    <Select
      label={say('widget_option.view')}
      description={choices.length === 0 ? say('widget_option.no_views') : undefined}
      data={choices}
      value={options?.viewId ?? null}
      searchable
      required
      onChange={(viewId) => onChange(viewId === null ? null : { viewId })}
    />
  );
}

/** Chooses whose needs are shown: the network's, or those of one campaign or advertiser. */
export function AttentionEditor({ options, onChange }: OptionEditorProps<WidgetOptions['attention']>) {
  const [kind, setKind] = useState<'campaign' | 'advertiser' | typeof ALL>(options?.about?.kind ?? ALL);
  return (
    <>
      <SegmentedControl
        aria-label={say('widget_option.of')}
        data={([ALL, 'advertiser', 'campaign'] as const).map((value) => ({
          value,
          label: say(`widget_option.of_${value}`),
        }))}
        value={kind}
        onChange={(next) => {
          setKind(next as typeof kind);
          onChange(next === ALL ? { about: null } : null);
        }}
      />
      {kind === ALL ? null : (
        <ObjectFilter
          key={kind}
          kind={`${kind}s`}
          size="sm"
          label={say(`desk.${kind}`)}
          value={options?.about?.id ?? null}
          onChange={(id) => onChange(id === null ? null : { about: { kind, id } })}
        />
      )}
    </>
  );
}

/** Chooses the line item or campaign whose delivery is drawn. */
export function DeliveryEditor({ options, onChange }: OptionEditorProps<WidgetOptions['delivery']>) {
  const [kind, setKind] = useState<'lineItem' | 'campaign'>(options?.about.kind ?? 'lineItem');
  return (
    <>
      <SegmentedControl
        aria-label={say('widget_option.of')}
        data={(['lineItem', 'campaign'] as const).map((value) => ({
          value,
          label: say(`widget_option.of_${value}`),
        }))}
        value={kind}
        onChange={(next) => {
          setKind(next as typeof kind);
          onChange(null);
        }}
      />
      <ObjectFilter
        key={kind}
        kind={`${kind}s`}
        size="sm"
        label={say(kind === 'lineItem' ? 'widget_option.lineItem' : 'desk.campaign')}
        value={options?.about.id ?? null}
        onChange={(id) => onChange(id === null ? null : { about: { kind, id } })}
      />
    </>
  );
}

/** The orders that are offered, by the field and direction of each. */
const SORTS: Readonly<Record<string, { readonly label: MessageKey; readonly sort: ListSort }>> = {
  pace: { label: 'widget_sort.pace', sort: { field: 'PACE', direction: 'ASC' } },
  ends: { label: 'widget_sort.ends', sort: { field: 'ENDS_AT', direction: 'ASC' } },
  spend: { label: 'widget_sort.spend', sort: { field: 'SPEND', direction: 'DESC' } },
  impressions: { label: 'widget_sort.impressions', sort: { field: 'IMPRESSIONS', direction: 'DESC' } },
  newest: { label: 'desk_sort.id', sort: { field: 'ID', direction: 'DESC' } },
  changed: { label: 'desk_sort.updated', sort: { field: 'UPDATED_AT', direction: 'DESC' } },
  name: { label: 'desk_sort.name', sort: { field: 'NAME', direction: 'ASC' } },
};

/** Chooses a saved view of the table of line items, or a filter of its own. */
export function LineItemsEditor({ options, views, onChange }: OptionEditorProps<WidgetOptions['lineItems']>) {
  const { viewId, search } = options ?? { viewId: null, search: '' };
  const state = readDeskParams(parseSearch(search), LINE_ITEM_COLUMNS);
  const change = (next: Partial<DeskState>): void =>
    onChange({ viewId: null, search: stringifySearch(writeDeskParams({ ...state, ...next })).replace(/^\?/, '') });
  return (
    <>
      <Select
        label={say('widget_option.source')}
        data={[{ value: ALL, label: say('widget_option.own') }, ...choicesOf(views, 'line-items')]}
        value={viewId ?? ALL}
        allowDeselect={false}
        onChange={(id) => onChange({ viewId: id === ALL ? null : id, search })}
      />
      {viewId === null ? <FilterFields state={state} change={change} /> : null}
    </>
  );
}

function FilterFields({ state, change }: { readonly state: DeskState; change: (next: Partial<DeskState>) => void }) {
  const { field, direction } = state.sort;
  const order = Object.entries(SORTS).find(([, { sort }]) => sort.field === field && sort.direction === direction);
  return (
    <Stack gap="sm">
      <Select
        label={say('widget_option.tab')}
        data={[ALL, ...LINE_ITEM_TABS].map((tab) => ({
          value: tab,
          label: say(tab === ALL ? 'tab.ALL' : `tab.${tab as (typeof LINE_ITEM_TABS)[number]}`),
        }))}
        value={state.tab ?? ALL}
        allowDeselect={false}
        onChange={(tab) => change({ tab: LINE_ITEM_TABS.find((one) => one === tab) ?? null })}
      />
      <TextInput
        type="search"
        label={say('desk.search')}
        value={state.search}
        maxLength={200}
        onChange={(event) => change({ search: event.currentTarget.value })}
      />
      <ObjectFilter
        kind="advertisers"
        size="sm"
        label={say('desk.advertiser')}
        value={state.advertiserId}
        onChange={(advertiserId) => change({ advertiserId })}
      />
      <ObjectFilter
        kind="campaigns"
        size="sm"
        label={say('desk.campaign')}
        value={state.campaignId}
        onChange={(campaignId) => change({ campaignId })}
      />
      <Select
        label={say('desk.sort')}
        data={Object.entries(SORTS).map(([value, { label }]) => ({ value, label: say(label) }))}
        value={order?.[0] ?? null}
        allowDeselect={false}
        onChange={(name) => change({ sort: SORTS[name ?? '']?.sort ?? state.sort })}
      />
    </Stack>
  );
}
