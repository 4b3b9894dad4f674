/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows that come and go with scrolling stand in a grid of roles */
import { Checkbox, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ListSort } from '../api/desk-list.ts';
import { say } from '../messages/say.ts';

/** One column of a table. */
export interface DeskColumn<Row> {
  readonly id: string;
  readonly title: string;
  readonly isNumber?: boolean;
  readonly widthPx: number;
  /** What the server sorts by; absent: it cannot. */
  readonly sortField?: ListSort['field'];
  render: (row: Row) => ReactNode;
}

/** The rows that a person has chosen. */
export interface DeskSelection {
  readonly ids: ReadonlySet<string>;
  change: (ids: ReadonlySet<string>) => void;
}

interface DeskTableProps<Row extends { readonly id: string; readonly name: string }> {
  readonly label: string;
  readonly columns: readonly DeskColumn<Row>[];
  readonly rows: readonly Row[];
  readonly total: number;
  readonly rowHeightPx: number;
  readonly sort: ListSort;
  onSort: (field: ListSort['field']) => void;
  onOpen: (row: Row) => void;
  /** Null: nothing can be chosen. */
  readonly selection: DeskSelection | null;
  /** Asks for the next page; null at the end. */
  readonly onMore: (() => void) | null;
}

const SELECT_PX = 44;
/** How many rows before the end the next page is asked for. */
const AHEAD_ROWS = 12;

/** A table of any length: rows are drawn when they come into view, and asked for when the end comes near. Keys move, select and open. */
export function DeskTable<Row extends { readonly id: string; readonly name: string }>(props: DeskTableProps<Row>) {
  const { label, columns, rows, total, rowHeightPx, selection, onMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the compiler is not used here
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onMore !== null && last >= rows.length - AHEAD_ROWS) onMore();
  }, [last, rows.length, onMore]);
  const { active, onKeyDown, onFocus } = useRowKeys(props, scroller, (index) => virtual.scrollToIndex(index));
  const lead = selection === null ? [] : [`${SELECT_PX}px`];
  const tracks = columns.map(({ widthPx }, at) => `minmax(${widthPx}px, ${at === 0 ? 3 : 1}fr)`);
  const grid = { gridTemplateColumns: [...lead, ...tracks].join(' ') };
  const minWidth = columns.reduce((width, column) => width + column.widthPx, selection === null ? 0 : SELECT_PX);
  return (
    <div className="report-scroll desk-scroll" ref={scroller}>
      <div
        className="report-table"
        role="grid"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length + lead.length}
        aria-multiselectable={selection === null ? undefined : true}
        tabIndex={rows.length === 0 ? 0 : -1}
        style={{ minWidth: `max(100%, ${minWidth}px)` }}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
      >
        <div className="report-head" role="rowgroup">
          <div className="report-row" role="row" aria-rowindex={1} style={grid}>
            {selection === null ? null : <SelectAll rows={rows} selection={selection} />}
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
          </div>
        </div>
        <div className="report-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            const isChosen = selection?.ids.has(row.id);
            return (
              <div
                key={row.id}
                className="report-row desk-row"
                role="row"
                data-index={item.index}
                aria-rowindex={item.index + 2}
                aria-selected={isChosen}
                tabIndex={item.index === active ? 0 : -1}
                style={{ ...grid, height: rowHeightPx, transform: `translateY(${item.start}px)` }}
              >
                {selection === null ? null : (
                  <div role="gridcell">
                    <Checkbox
                      tabIndex={-1}
                      aria-label={say('desk.select', { name: row.name })}
                      checked={isChosen === true}
                      onChange={() => selection.change(toggle(selection.ids, row.id))}
                    />
                  </div>
                )}
                {columns.map((column, at) => (
                  <div
                    key={column.id}
                    role={at === 0 ? 'rowheader' : 'gridcell'}
                    className={column.isNumber === true ? 'number-cell' : undefined}
                  >
                    {column.render(row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      {onMore === null ? null : (
        <Text size="sm" c="dimmed" p="xs">
          {say('desk.loading_more')}
        </Text>
      )}
    </div>
  );
}

/** The keys of rows: one row of the table is in the order of tabs, the arrows move it. */
function useRowKeys<Row extends { readonly id: string; readonly name: string }>(
  { rows, selection, onOpen }: DeskTableProps<Row>,
  scroller: { readonly current: HTMLDivElement | null },
  scrollTo: (index: number) => void,
) {
  const [chosen, setActive] = useState(0);
  const active = Math.min(chosen, Math.max(rows.length - 1, 0));
  const isMoving = useRef(false);
  // After every draw: the row that was moved to may only now be there.
  useEffect(() => {
    const row = isMoving.current ? scroller.current?.querySelector<HTMLElement>(`[data-index="${active}"]`) : null;
    if (row === null || row === undefined) return;
    isMoving.current = false;
    row.focus({ preventScroll: true });
  });
  const move = (to: number): void => {
    const next = Math.min(Math.max(to, 0), rows.length - 1);
    isMoving.current = true;
    setActive(next);
    scrollTo(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const row = rows[active];
    if (event.ctrlKey || event.metaKey || event.altKey || row === undefined || !isRow(event.target)) return;
    if (event.key === 'ArrowDown') move(active + 1);
    else if (event.key === 'ArrowUp') move(active - 1);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(rows.length - 1);
    else if (event.key === 'Enter') onOpen(row);
    else if (event.key === ' ' && selection !== null) selection.change(toggle(selection.ids, row.id));
    else return;
    event.preventDefault();
  };
  const onFocus = (event: { readonly target: EventTarget }): void => {
    const index =
      event.target instanceof Element ? event.target.closest('[data-index]')?.getAttribute('data-index') : null;
    if (index !== null && index !== undefined) setActive(Number(index));
  };
  return { active, onKeyDown, onFocus };
}

function isRow(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.getAttribute('role') === 'row';
}

function toggle(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

function SelectAll({
  rows,
  selection,
}: {
  readonly rows: readonly { readonly id: string }[];
  readonly selection: DeskSelection;
}) {
  const count = rows.filter(({ id }) => selection.ids.has(id)).length;
  return (
    <div role="columnheader">
      <Checkbox
        aria-label={say('desk.select_all')}
        checked={count > 0 && count === rows.length}
        indeterminate={count > 0 && count < rows.length}
        onChange={() => selection.change(new Set(count === rows.length ? [] : rows.map(({ id }) => id)))}
      />
    </div>
  );
}

function Heading<Row>({
  column: { title, sortField, isNumber },
  sort,
  onSort,
}: {
  readonly column: DeskColumn<Row>;
  readonly sort: ListSort;
  onSort: (field: ListSort['field']) => void;
}) {
  const isSorted = sortField !== undefined && sort.field === sortField;
  const direction = sort.direction === 'ASC' ? 'ascending' : 'descending';
  return (
    <div
      role="columnheader"
      aria-sort={sortField === undefined ? undefined : isSorted ? direction : 'none'}
      className={isNumber === true ? 'number-cell' : undefined}
    >
      {sortField === undefined ? (
        <span style={{ fontWeight: 600 }}>{title}</span>
      ) : (
        <button type="button" className="sort-button" onClick={() => onSort(sortField)}>
          {title}
          <span aria-hidden="true">{isSorted ? (sort.direction === 'ASC' ? ' ↑' : ' ↓') : ''}</span>
        </button>
      )}
    </div>
  );
}
