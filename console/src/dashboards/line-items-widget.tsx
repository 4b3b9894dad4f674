import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { readDeskParams } from '../tables/desk-state.ts';
import { LINE_ITEM_COLUMNS } from '../desk/line-item-columns.tsx';
import { TopLineItems } from '../desk/top-line-items.tsx';
import { say } from '../messages/say.ts';
import { tableSearch, type WidgetOptions, type WidgetBodyProps } from './widgets.ts';

/** The first line items of a saved view of their table, or of a filter of its own. */
export function LineItemsWidget({ options, title, views }: WidgetBodyProps<WidgetOptions['lineItems']>) {
  const state = useMemo(() => {
    const search = tableSearch(options, views);
    return search === null ? null : readDeskParams(search, LINE_ITEM_COLUMNS);
  }, [options, views]);
  return state === null ? (
    <Text c="dimmed">{say('dashboards.gone')}</Text>
  ) : (
    <TopLineItems state={state} label={title} />
  );
}
