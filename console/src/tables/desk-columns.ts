import type { ReactNode } from 'react';
import type { ListSort, SortField } from '../api/bookings/desk-list.ts';
import type { CellEditor, CellFault } from './cell-editor.tsx';

/** One column of a table. */
export interface DeskColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** The meaning of its values, for people. */
  readonly description?: string;
  readonly isNumber?: boolean;
  readonly widthPx: number;
  /** What the server sorts by; absent: it cannot. */
  readonly sortField?: SortField;
  /** How its cells are edited in place; absent: they are not. */
  readonly editor?: CellEditor<Row>;
  render: (row: Row) => ReactNode;
}

/** The rows that a person has chosen. */
export interface DeskSelection {
  readonly ids: ReadonlySet<string>;
  change: (ids: ReadonlySet<string>) => void;
}

/** What every row of a table has. */
export interface NamedRow {
  readonly id: string;
  readonly name: string;
}

/** How the cells of a table are edited in place. */
export interface CellEditing<Row> {
  /** Saves what was typed into a cell. */
  save: (row: Row, column: DeskColumn<Row>, text: string) => void;
  /** What was refused, by the id of the row and of the column. */
  readonly faults: ReadonlyMap<string, ReadonlyMap<string, CellFault>>;
  /** Forgets what was refused in a cell. */
  forget: (rowId: string, columnId: string) => void;
}

/** The properties of a table. */
export interface DeskTableProps<Row extends NamedRow> {
  readonly label: string;
  readonly columns: readonly DeskColumn<Row>[];
  /** A hole is a row that is not loaded yet. */
  readonly rows: readonly (Row | undefined)[];
  readonly total: number;
  readonly rowHeightPx: number;
  readonly sort: ListSort;
  onSort: (field: SortField) => void;
  onOpen: (row: Row) => void;
  /** Null: nothing can be chosen. */
  readonly selection: DeskSelection | null;
  /** Asks for the next page; null at the end. */
  readonly onMore: (() => void) | null;
  /** Told which rows are in view, for lists that load by window. */
  readonly onRange?: (first: number, last: number) => void;
  /** Null: cells are not edited. */
  readonly editing: CellEditing<Row> | null;
  /** The row whose panel is open. */
  readonly openId?: string | null;
}

/** A set with one id more or less. */
export function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
