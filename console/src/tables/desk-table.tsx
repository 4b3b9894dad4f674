/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows that come and go with scrolling need a grid of roles */
import { Checkbox, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import type { ListSort, SortField } from '../api/bookings/desk-list.ts';
import { say } from '../messages/say.ts';
import { Explained, Term } from '../ui/explained.tsx';
import { PRINTED_ROWS_MAX, usePrinting } from '../ui/use-printing.ts';
import type { EditEnd } from './cell-editor.tsx';
import { type DeskColumn, type DeskSelection, type DeskTableProps, type NamedRow, toggled } from './desk-columns.ts';
import { DeskRow, type RowHandlers } from './desk-row.tsx';
import { useRowKeys } from './use-row-keys.ts';

const SELECT_PX = 44;
/** How many rows before the end the next page is requested. */
const AHEAD_ROWS = 12;
const OVERSCAN_ROWS = 8;

/** A table of any length: rows are drawn when they come into view, and requested when the end comes near. Keys move, select, edit and open. */
export function DeskTable<Row extends NamedRow>(props: DeskTableProps<Row>) {
  const { label, columns, rows, total, rowHeightPx, selection, onMore, editing, openId = null } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useRowsInView(props, scroller);
  const keys = useRowKeys(props, scroller, (index) => virtual.scrollToIndex(index));
  const handlers = useHandlers(props, keys.edit);
  const hasSelection = selection !== null;
  const isPrinting = usePrinting();
  const { gridTemplateColumns, minWidth } = useMemo(
    () => (isPrinting ? measurePaper(columns, hasSelection) : measure(columns, hasSelection)),
    [columns, hasSelection, isPrinting],
  );
  const lead = selection === null ? 0 : 1;
  return (
    <div className="report-scroll desk-scroll" ref={scroller}>
      <div
        className="report-table desk-grid"
        role="grid"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length + lead}
        aria-multiselectable={selection === null ? undefined : true}
        tabIndex={rows.length === 0 ? 0 : -1}
        style={{ minWidth: `max(100%, ${minWidth}px)` }}
        onKeyDown={keys.onKeyDown}
        onFocus={keys.onFocus}
      >
        <div className="report-head" role="rowgroup">
          <div className="report-row" role="row" aria-rowindex={1} style={{ gridTemplateColumns }}>
            {selection === null ? null : <SelectAll rows={rows} selection={selection} />}
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
          </div>
        </div>
        <div className="report-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              <DeskRow
                key={row?.id ?? `hole-${item.index}`}
                row={row}
                index={item.index}
                startPx={item.start}
                heightPx={rowHeightPx}
                columns={columns}
                gridTemplateColumns={gridTemplateColumns}
                isActive={item.index === keys.active}
                isChosen={selection === null ? null : row !== undefined && selection.ids.has(row.id)}
                isOpen={row !== undefined && row.id === openId}
                editing={keys.editing !== null && keys.editing.index === item.index ? keys.editing.columnId : null}
                canEdit={editing !== null}
                faults={row === undefined ? undefined : editing?.faults.get(row.id)}
                handlers={handlers}
              />
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

/** The rows in view. The next page is requested when the end comes near, and lists that load by window are told the window. */
function useRowsInView<Row extends NamedRow>(
  { rows, rowHeightPx, onMore, onRange }: DeskTableProps<Row>,
  scroller: RefObject<HTMLDivElement | null>,
) {
  const isPrinting = usePrinting();
  // oxlint-disable-next-line react/incompatible-library -- the compiler is not used here
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: isPrinting ? PRINTED_ROWS_MAX : OVERSCAN_ROWS,
  });
  // A turned phone has rows of another height.
  useEffect(() => virtual.measure(), [virtual, rowHeightPx]);
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onMore !== null && last >= rows.length - AHEAD_ROWS) onMore();
  }, [last, rows.length, onMore]);
  useEffect(() => onRange?.(first, last), [first, last, onRange]);
  return virtual;
}

/** Handlers that stay the same, so that rows are drawn again only when they change. */
function useHandlers<Row extends NamedRow>(
  props: DeskTableProps<Row>,
  edit: ReturnType<typeof useRowKeys>['edit'],
): RowHandlers<Row> {
  const latest = useRef({ props, edit });
  useEffect(() => {
    latest.current = { props, edit };
  });
  const toggle = useCallback((id: string) => {
    const { selection } = latest.current.props;
    selection?.change(toggled(selection.ids, id));
  }, []);
  const begin = useCallback((index: number, columnId: string) => latest.current.edit({ index, columnId }), []);
  const end = useCallback((how: EditEnd) => latest.current.edit(null, how), []);
  const save = useCallback((row: Row, column: DeskColumn<Row>, text: string) => {
    latest.current.props.editing?.save(row, column, text);
  }, []);
  const forget = useCallback((rowId: string, columnId: string) => {
    latest.current.props.editing?.forget(rowId, columnId);
  }, []);
  return useMemo(() => ({ toggle, begin, end, save, forget }), [toggle, begin, end, save, forget]);
}

function measure(columns: readonly { readonly widthPx: number }[], hasSelection: boolean) {
  const lead = hasSelection ? [`${SELECT_PX}px`] : [];
  const tracks = columns.map(({ widthPx }, at) => `minmax(${widthPx}px, ${at === 0 ? 3 : 1}fr)`);
  return {
    gridTemplateColumns: [...lead, ...tracks].join(' '),
    minWidth: columns.reduce((width, column) => width + column.widthPx, hasSelection ? SELECT_PX : 0),
  };
}

/** On paper, columns share the width by what they have on the screen, and nothing can be chosen. */
function measurePaper(columns: readonly { readonly widthPx: number }[], hasSelection: boolean) {
  const tracks = columns.map(({ widthPx }) => `minmax(0, ${widthPx}fr)`);
  return { gridTemplateColumns: [...(hasSelection ? ['0'] : []), ...tracks].join(' '), minWidth: 0 };
}

function SelectAll({
  rows,
  selection,
}: {
  readonly rows: readonly ({ readonly id: string } | undefined)[];
  readonly selection: DeskSelection;
}) {
  // Holes are skipped: a long list is mostly holes.
  const loaded = useMemo(() => rows.filter((row) => row !== undefined).map(({ id }) => id), [rows]);
  const count = loaded.filter((id) => selection.ids.has(id)).length;
  return (
    <div role="columnheader">
      <Checkbox
        aria-label={say('desk.select_all')}
        checked={count > 0 && count === loaded.length}
        indeterminate={count > 0 && count < loaded.length}
        onChange={() => selection.change(new Set(count === loaded.length ? [] : loaded))}
      />
    </div>
  );
}

function Heading<Row>({
  column: { title, description, sortField, isNumber },
  sort,
  onSort,
}: {
  readonly column: DeskColumn<Row>;
  readonly sort: ListSort;
  onSort: (field: SortField) => void;
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
        <Term text={description}>{title}</Term>
      ) : (
        <Explained text={description}>
          <button type="button" className="sort-button" onClick={() => onSort(sortField)}>
            {title}
            <span aria-hidden="true">{isSorted ? (sort.direction === 'ASC' ? ' ↑' : ' ↓') : ''}</span>
          </button>
        </Explained>
      )}
    </div>
  );
}
