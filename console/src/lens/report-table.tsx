/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex -- rows that come and go with scrolling need a grid of roles */
import { type ColumnDef, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useMemo, useRef } from 'react';
import { say } from '../messages/say.ts';
import { Explained, Term } from '../ui/explained.tsx';
import { PRINTED_ROWS_MAX, usePrinting } from '../ui/use-printing.ts';

/** One column of a report. */
export interface ReportColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** The heading above several columns, as in a pivot. */
  readonly group?: string;
  readonly description?: string;
  readonly isNumber: boolean;
  readonly widthPx: number;
  /** The member that a click on the heading sorts by; null when it cannot be sorted by. */
  readonly sortMember: string | null;
  render: (row: Row, index: number) => ReactNode;
  readonly total?: ReactNode;
}

/** The input of a report table. Rows may be many: only those in view are drawn. */
export interface ReportTableProps<Row extends object> {
  readonly label: string;
  readonly columns: readonly ReportColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowHeightPx: number;
  readonly order: { readonly member: string; readonly descending: boolean } | null;
  onSort: (member: string) => void;
}

const FEATURES = tableFeatures({});
type Definition<Row extends object> = ColumnDef<typeof FEATURES, Row>;

/** A table of up to 50,000 rows: headings and totals stay in view, every heading sorts on the server. */
export function ReportTable<Row extends object>({
  label,
  columns,
  rows,
  rowHeightPx,
  order,
  onSort,
}: ReportTableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const definitions = useMemo(() => defineColumns(columns), [columns]);
  const table = useTable({ features: FEATURES, columns: definitions, data: rows as Row[] });
  const virtual = useRowsInView(rows.length, rowHeightPx, scroller);
  const grid = { gridTemplateColumns: columns.map(trackOf).join(' ') };
  const minWidth = columns.reduce((width, column) => width + column.widthPx, 0);
  const headings = table.getHeaderGroups();
  const model = table.getRowModel().rows;
  const hasTotals = columns.some((column) => column.total !== undefined);
  return (
    <div className="report-scroll" ref={scroller} tabIndex={0} role="region" aria-label={label}>
      <div
        className="report-table"
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + headings.length + (hasTotals ? 1 : 0)}
        aria-colcount={columns.length}
        style={{ minWidth: `max(100%, ${minWidth}px)` }}
      >
        <div className="report-head" role="rowgroup">
          {headings.map((heading, line) => (
            <div key={heading.id} className="report-row" role="row" aria-rowindex={line + 1} style={grid}>
              {heading.headers.map((header) => {
                const column = header.isPlaceholder ? undefined : byId.get(header.column.id);
                if (column !== undefined)
                  return <Heading key={header.id} column={column} order={order} onSort={onSort} />;
                const title = header.isPlaceholder ? '' : String(header.column.columnDef.header ?? '');
                return <GroupHeading key={header.id} title={title} columnCount={header.colSpan} />;
              })}
            </div>
          ))}
        </div>
        <div className="report-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = model[item.index];
            if (row === undefined) return null;
            return (
              <div
                key={item.key}
                className="report-row"
                role="row"
                aria-rowindex={item.index + headings.length + 1}
                style={{ ...grid, height: rowHeightPx, transform: `translateY(${item.start}px)` }}
              >
                <Cells columns={columns} row={row.original} index={item.index} />
              </div>
            );
          })}
        </div>
        {hasTotals ? (
          <div className="report-foot" role="rowgroup">
            <div className="report-row" role="row" aria-rowindex={rows.length + headings.length + 1} style={grid}>
              <TotalCells columns={columns} />
            </div>
          </div>
        ) : null}
      </div>
    </div>
  );
}

function trackOf({ widthPx, isNumber }: { readonly widthPx: number; readonly isNumber: boolean }): string {
  return `minmax(${widthPx}px, ${isNumber ? 1 : 2}fr)`;
}

/** The rows in view with some around them; for paper, all. */
function useRowsInView(rowCount: number, rowHeightPx: number, scroller: RefObject<HTMLDivElement | null>) {
  const isPrinting = usePrinting();
  // oxlint-disable-next-line react/incompatible-library -- the compiler is not used here
  return useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: isPrinting ? PRINTED_ROWS_MAX : 12,
  });
}

function Cells<Row>({
  columns,
  row,
  index,
}: {
  readonly columns: readonly ReportColumn<Row>[];
  readonly row: Row;
  readonly index: number;
}) {
  return columns.map((column) => (
    <div key={column.id} role="cell" className={column.isNumber ? 'number-cell' : undefined}>
      {column.render(row, index)}
    </div>
  ));
}

/** The heading above several columns; without a title, a word for those who hear the table. */
function GroupHeading({ title, columnCount }: { readonly title: string; readonly columnCount: number }) {
  return (
    <div
      role="columnheader"
      aria-colspan={columnCount}
      className={title === '' ? undefined : 'report-group'}
      style={{ gridColumn: `span ${columnCount}`, fontWeight: 600 }}
    >
      {title === '' ? <span className="visually-hidden">{say('table.no_heading')}</span> : title}
    </div>
  );
}

function TotalCells<Row>({ columns }: { readonly columns: readonly ReportColumn<Row>[] }) {
  return columns.map((column, index) => (
    <div
      key={column.id}
      role={index === 0 ? 'rowheader' : 'cell'}
      className={column.isNumber ? 'number-cell' : undefined}
    >
      {column.total ?? (index === 0 ? say('table.total') : '')}
    </div>
  ));
}

function Heading<Row>({
  column,
  order,
  onSort,
}: {
  readonly column: ReportColumn<Row>;
  readonly order: ReportTableProps<never>['order'];
  onSort: (member: string) => void;
}) {
  const { sortMember } = column;
  const sorted =
    sortMember !== null && order?.member === sortMember ? (order.descending ? 'descending' : 'ascending') : 'none';
  return (
    <div
      role="columnheader"
      aria-sort={sortMember === null ? undefined : sorted}
      className={column.isNumber ? 'number-cell' : undefined}
    >
      {sortMember === null ? (
        <Term text={column.description}>{column.title}</Term>
      ) : (
        <Explained text={column.description}>
          <button type="button" className="sort-button" onClick={() => onSort(sortMember)}>
            {column.title}
            <span aria-hidden="true">{sorted === 'none' ? '' : sorted === 'descending' ? ' ↓' : ' ↑'}</span>
          </button>
        </Explained>
      )}
    </div>
  );
}

/** Neighbours with the same group share a heading. */
function defineColumns<Row extends object>(columns: readonly ReportColumn<Row>[]): Definition<Row>[] {
  const definitions: Definition<Row>[] = [];
  let open: { title: string; columns: Definition<Row>[] } | null = null;
  for (const column of columns) {
    const leaf = { id: column.id, header: column.title, accessorFn: () => null } as Definition<Row>;
    if (column.group === undefined) {
      open = null;
      definitions.push(leaf);
    } else if (open !== null && open.title === column.group) open.columns.push(leaf);
    else {
      open = { title: column.group, columns: [leaf] };
      definitions.push({
        id: `group ${definitions.length} ${column.group}`,
        header: column.group,
        columns: open.columns,
      } as Definition<Row>);
    }
  }
  return definitions;
}
