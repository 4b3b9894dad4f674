import { SegmentedControl, Tabs } from '@mantine/core';
import { LINE_ITEM_TABS, type LineItemTab, type ListFilter } from '../api/bookings/desk-list.ts';
import { say } from '../messages/say.ts';
import { formatCount } from '../format/desk-format.ts';
import type { DeskState } from '../tables/desk-state.ts';
import { useTabCounts } from './use-line-item-table.ts';

const ALL = 'ALL';

/** The tabs of the table of line items, each with its count. */
export function TableTabs({
  state,
  narrow,
  change,
}: {
  readonly state: DeskState;
  readonly narrow?: ListFilter | undefined;
  change: (next: Partial<DeskState>) => void;
}) {
  const counts = useTabCounts(state, narrow);
  const whole = counts === undefined ? undefined : [...counts.values()].reduce((sum, count) => sum + count, 0);
  const title = (tab: LineItemTab | typeof ALL, count: number | undefined): string =>
    count === undefined ? say(`tab.${tab}`) : `${say(`tab.${tab}`)} ${formatCount(count)}`;
  return (
    <Tabs
      value={state.tab ?? ALL}
      onChange={(tab) => change({ tab: LINE_ITEM_TABS.find((one) => one === tab) ?? null })}
      className="desk-tabs"
    >
      <Tabs.List aria-label={say('tab.label')}>
        <Tabs.Tab value={ALL}>{title(ALL, whole)}</Tabs.Tab>
        {LINE_ITEM_TABS.map((tab) => (
          <Tabs.Tab key={tab} value={tab}>
            {title(tab, counts?.get(tab))}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}

/** The named sets of columns. */
export function SetSwitch({
  state,
  sets,
  change,
}: {
  readonly state: DeskState;
  readonly sets: readonly string[];
  change: (next: Partial<DeskState>) => void;
}) {
  const value = state.columns === null ? (state.set ?? 'usual') : 'own';
  const own = state.columns === null ? [] : [{ value: 'own', label: say('set.own') }];
  return (
    <SegmentedControl
      size="xs"
      aria-label={say('set.label')}
      value={value}
      data={[
        { value: 'usual', label: say('set.usual') },
        ...sets.map((set) => ({ value: set, label: say(`set.${set as 'delivery' | 'setup' | 'money'}`) })),
        ...own,
      ]}
      onChange={(set) => change({ set: set === 'usual' ? null : set, columns: null })}
    />
  );
}
