import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type LineItem, loadLineItems } from '../api/bookings/desk-list.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import type { DeskColumn } from '../tables/desk-columns.ts';
import { formatCount } from '../format/desk-format.ts';
import { type DeskState, toFilter, writeDeskParams } from '../tables/desk-state.ts';
import { DeskTable } from '../tables/desk-table.tsx';
import { compactLineItem, lineItemColumns } from './line-item-columns.tsx';
import { useRowExtras } from './row-extras.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { useIsCompact } from '../ui/use-is-compact.ts';

const ROWS = 10;
const COLUMNS = ['name', 'pacing', 'why', 'delivered', 'today'] as const;
const ROW_PX = 46;
const COMPACT_ROW_PX = 84;
const REFRESH_MS = 60_000;

/** The first line items of a table with their pace and reason, and a link to the whole table. */
export function TopLineItems({ state, label }: { readonly state: DeskState; readonly label: string }) {
  const scope = useDeskScope();
  const context = useCellContext();
  const navigate = useNavigate();
  const isCompact = useIsCompact();
  const { tab, sort } = state;
  const filter = useMemo(() => toFilter(state), [state]);
  const table = useQuery({
    queryKey: [...deskKey(scope), 'topLineItems', { filter, sort, tab }],
    queryFn: ({ signal }) => loadLineItems(scope, { tab, filter, sort, offset: 0, first: ROWS }, signal),
    refetchInterval: REFRESH_MS,
    enabled: scope.networkId !== '',
  });
  const rows = useMemo(() => table.data?.rows ?? [], [table.data]);
  const extras = useRowExtras(rows, COLUMNS, context);
  const columns = useMemo(() => {
    if (isCompact) return [fixed(compactLineItem(context, extras))];
    const all = lineItemColumns(context, extras);
    return COLUMNS.flatMap((id) => all.get(id) ?? []).map(fixed);
  }, [context, extras, isCompact]);
  const total = table.data?.total ?? 0;
  return (
    <>
      <ProblemAlert error={table.error} onRetry={() => void table.refetch()} />
      {table.isPending ? <Skeleton height={ROW_PX * (ROWS + 1)} /> : null}
      {table.data === undefined ? null : rows.length === 0 ? (
        <Text c="dimmed">{say('desk.no_match')}</Text>
      ) : (
        <DeskTable
          label={label}
          columns={columns}
          rows={rows}
          total={rows.length}
          rowHeightPx={isCompact ? COMPACT_ROW_PX : ROW_PX}
          sort={sort}
          onSort={() => {}}
          onOpen={({ id }) => void navigate({ to: '/desk/line-items/$id', params: { id }, search: {} })}
          selection={null}
          editing={null}
          onMore={null}
        />
      )}
      {table.data === undefined ? null : (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/desk/line-items" search={writeDeskParams(state)} {...props} />}
        >
          {say('desk.whole_table', { total: formatCount(total) })}
        </Anchor>
      )}
    </>
  );
}

/** A column without an order of its own: the order belongs to the state. */
function fixed({ sortField: _sortField, ...column }: DeskColumn<LineItem>): DeskColumn<LineItem> {
  return column;
}
