/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows that come and go with scrolling need a grid of roles */
import { Checkbox } from '@mantine/core';
import { memo } from 'react';
import { say } from '../messages/say.ts';
import { type CellFault, CellInput, type EditEnd, FaultText } from './cell-editor.tsx';
import type { DeskColumn, NamedRow } from './desk-columns.ts';

/** What rows do; always the same functions. */
export interface RowHandlers<Row> {
  readonly toggle: (id: string) => void;
  readonly begin: (index: number, columnId: string) => void;
  readonly end: (how: EditEnd) => void;
  readonly save: (row: Row, column: DeskColumn<Row>, text: string) => void;
  readonly forget: (rowId: string, columnId: string) => void;
}

interface DeskRowProps<Row extends NamedRow> {
  /** undefined: not loaded yet. */
  readonly row: Row | undefined;
  readonly index: number;
  readonly startPx: number;
  readonly heightPx: number;
  readonly columns: readonly DeskColumn<Row>[];
  readonly gridTemplateColumns: string;
  readonly isActive: boolean;
  /** Null: rows cannot be chosen. */
  readonly isChosen: boolean | null;
  readonly isOpen: boolean;
  /** The column that is edited; null: none. */
  readonly editing: string | null;
  readonly canEdit: boolean;
  /** What was refused in its cells, by the id of the column. */
  readonly faults: ReadonlyMap<string, CellFault> | undefined;
  readonly handlers: RowHandlers<Row>;
}

/** One row of a table. It is drawn again only when something of it changes: scrolling a long list draws new rows alone. */
export const DeskRow = memo(Row) as typeof Row;

function Row<Kind extends NamedRow>(props: DeskRowProps<Kind>) {
  const { row, index, startPx, heightPx, columns, gridTemplateColumns, isActive, isChosen, handlers } = props;
  return (
    <div
      className={`report-row desk-row${props.isOpen ? ' desk-row-open' : ''}`}
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={isChosen ?? undefined}
      tabIndex={isActive ? 0 : -1}
      style={{ gridTemplateColumns, height: heightPx, transform: `translateY(${startPx}px)` }}
    >
      {isChosen === null ? null : (
        <div role="gridcell">
          {row === undefined ? null : (
            <Checkbox
              tabIndex={-1}
              aria-label={say('desk.select', { name: row.name })}
              checked={isChosen}
              onChange={() => handlers.toggle(row.id)}
            />
          )}
        </div>
      )}
      {columns.map((column, at) => (
        <Cell key={column.id} column={column} isHead={at === 0} {...props} />
      ))}
    </div>
  );
}

function Cell<Kind extends NamedRow>({
  row,
  index,
  column,
  isHead,
  editing,
  canEdit,
  faults,
  handlers,
}: DeskRowProps<Kind> & { readonly column: DeskColumn<Kind>; readonly isHead: boolean }) {
  const role = isHead ? 'rowheader' : 'gridcell';
  const { editor } = column;
  if (row === undefined)
    return (
      <div role={role}>
        <span className="desk-hole" />
      </div>
    );
  const fault = faults?.get(column.id) ?? null;
  if (editor !== undefined && editing === column.id)
    return (
      <div role={role} className={fault === null ? 'desk-editing' : 'desk-editing desk-fault'}>
        <CellInput
          editor={editor}
          row={row}
          label={column.title}
          fault={fault}
          onSave={(text) => handlers.save(row, column, text)}
          onDrop={() => handlers.forget(row.id, column.id)}
          onEnd={handlers.end}
        />
      </div>
    );
  const isEditable = canEdit && editor !== undefined && editor.isOpen(row);
  const names = [
    column.isNumber === true ? 'number-cell' : '',
    isEditable ? 'desk-editable' : '',
    fault === null ? '' : 'desk-fault',
  ].filter(Boolean);
  return (
    <div
      role={role}
      className={names.length === 0 ? undefined : names.join(' ')}
      {...(isEditable
        ? {
            title: say('desk.edit_hint'),
            tabIndex: -1,
            'data-column': column.id,
            onDoubleClick: () => handlers.begin(index, column.id),
          }
        : {})}
    >
      {column.render(row)}
      {fault === null ? null : <FaultText message={fault.message} />}
    </div>
  );
}
