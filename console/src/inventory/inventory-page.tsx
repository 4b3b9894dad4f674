import { Button, Table, Text } from '@mantine/core';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { loadInventoryFigures, loadSiteInventory, loadSites, type SiteInventory } from '../api/inventory/inventory.ts';
import type { AppSearch } from '../session/app-search.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { addDays, dateIn } from '../reports/calendar.ts';
import { say } from '../messages/say.ts';
import { Term } from '../ui/explained.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { EmptyState, LoadingPage } from '../ui/state-pages.tsx';
import { buildRows, keyInTree, type TreeRow } from './inventory-tree.ts';
import { TreeRowCells } from './tree-row.tsx';

/** The days of the figures, today left out. */
const DAYS = 7;
const OPEN_MAX = 50;
const KEY = /^(site|area) \d{1,19}$/;

/** Sites, their areas and ad units as a tree, with what they earned in a week and floors to change. */
export function InventoryPage() {
  const { open, toggle } = useOpenRows();
  const tree = useTree(open);
  const { rows } = tree;
  return (
    <Page title={say('nav.inventory_tree')} lead={say('inventory.lead', { days: DAYS })}>
      <ProblemAlert error={tree.error} onRetry={tree.refetch} />
      {tree.isPending ? <LoadingPage /> : null}
      {!tree.isPending && rows.length === 0 ? (
        <EmptyState text={say('inventory.empty')}>
          <Button renderRoot={(props) => <Link to="/desk/sites" search={{ open: 'new' }} {...props} />}>
            {say('inventory.first')}
          </Button>
        </EmptyState>
      ) : null}
      {rows.length === 0 ? null : <TreeGrid rows={rows} isBusy={tree.isFetching} toggle={toggle} />}
      {tree.isCut ? <Text c="dimmed">{say('inventory.cut')}</Text> : null}
      <Text className="screen-only" size="sm" c="dimmed" visibleFrom="sm">
        {say('inventory.keys')}
      </Text>
    </Page>
  );
}

/** Which rows are open; the address holds it. */
function useOpenRows() {
  const search = useSearch({ strict: false }) as AppSearch;
  const navigate = useNavigate();
  const text = search['open'] ?? '';
  const open = useMemo(
    () =>
      new Set(
        text
          .split(',')
          .map(readKey)
          .filter((key) => KEY.test(key))
          .slice(0, OPEN_MAX),
      ),
    [text],
  );
  const toggle = (key: string): void => {
    const next = open.has(key) ? [...open].filter((one) => one !== key) : [...open, key];
    void navigate({
      to: '.',
      search: (previous: AppSearch) => ({ ...previous, open: next.map((one) => one.replace(' ', '-')).join(',') }),
      replace: true,
      resetScroll: false,
    });
  };
  return { open, toggle };
}

function readKey(text: string): string {
  return text.replace('-', ' ');
}

function useTree(open: ReadonlySet<string>) {
  const scope = useDeskScope();
  const { nowMs, timezone } = useCellContext();
  const today = timezone === undefined ? null : dateIn(timezone, nowMs);
  const enabled = scope.networkId !== '';
  const sites = useQuery({
    queryKey: [...deskKey(scope), 'inventory-sites'],
    queryFn: ({ signal }) => loadSites(scope, signal),
    enabled,
  });
  const figures = useQuery({
    queryKey: [...deskKey(scope), 'inventory-figures', today, timezone],
    queryFn: ({ signal }) => {
      const days = { from: addDays(today ?? '', -DAYS), to: addDays(today ?? '', -1), timezone: timezone ?? 'UTC' };
      return loadInventoryFigures(scope, days, signal);
    },
    placeholderData: keepPreviousData,
    staleTime: 300_000,
    enabled: enabled && today !== null,
  });
  const siteIds = [...open].filter((key) => key.startsWith('site ')).map((key) => key.slice('site '.length));
  const below = useQueries({
    queries: siteIds.map((siteId) => ({
      queryKey: [...deskKey(scope), 'inventory-site', siteId],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => loadSiteInventory(scope, siteId, signal),
      enabled,
    })),
  });
  const read = new Map<string, SiteInventory>();
  for (const [at, siteId] of siteIds.entries()) {
    const data = below[at]?.data;
    if (data !== undefined) read.set(siteId, data);
  }
  const rows = buildRows({ sites: sites.data ?? [], below: read, figures: figures.data ?? new Map(), open });
  const failed = [sites, figures, ...below].find(({ error }) => error !== null);
  return {
    rows,
    error: failed?.error ?? null,
    isPending: sites.isPending,
    isFetching: figures.isFetching || below.some(({ isFetching }) => isFetching),
    isCut: [...read.values()].some(({ isCut }) => isCut),
    refetch: () => void failed?.refetch(),
  };
}

const NUMBERS = ['requests', 'fill', 'price', 'ecpm', 'floor'] as const;

function TreeGrid({
  rows,
  isBusy,
  toggle,
}: {
  readonly rows: readonly TreeRow[];
  readonly isBusy: boolean;
  toggle: (key: string) => void;
}) {
  const [focused, setFocused] = useState(rows[0]?.key ?? '');
  const body = useRef<HTMLTableSectionElement>(null);
  const onKey = (event: KeyboardEvent<HTMLTableRowElement>, at: number): void => {
    // Keys in a field or on a link are its own.
    if (event.target !== event.currentTarget) return;
    const row = rows[at];
    if (event.key === 'Enter' && row !== undefined) {
      event.preventDefault();
      if (row.isOpen !== null) toggle(row.key);
      else event.currentTarget.querySelector('input')?.focus();
      return;
    }
    const done = keyInTree(rows, at, event.key);
    if (done === null) return;
    event.preventDefault();
    if (done.toggle !== undefined) toggle(done.toggle);
    if (done.focus !== undefined) body.current?.querySelectorAll<HTMLElement>(':scope > tr')[done.focus]?.focus();
  };
  const tabKey = rows.some(({ key }) => key === focused) ? focused : rows[0]?.key;
  return (
    <Table.ScrollContainer minWidth={640} type="native" tabIndex={-1}>
      <Table role="treegrid" aria-label={say('nav.inventory_tree')} aria-busy={isBusy} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{say('inventory.name')}</Table.Th>
            {NUMBERS.map((name) => (
              <Table.Th key={name} scope="col" ta="right">
                <Term text={say(`inventory.${name}_hint`)}>{say(`inventory.${name}`)}</Term>
              </Table.Th>
            ))}
            <Table.Th scope="col">{say('inventory.more')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body}>
          {rows.map((row, at) => (
            <Table.Tr
              key={row.key}
              tabIndex={row.key === tabKey ? 0 : -1}
              aria-level={row.level}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              {...(row.isOpen === null ? {} : { 'aria-expanded': row.isOpen })}
              onFocus={() => setFocused(row.key)}
              onKeyDown={(event) => onKey(event, at)}
            >
              <TreeRowCells row={row} toggle={() => toggle(row.key)} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
