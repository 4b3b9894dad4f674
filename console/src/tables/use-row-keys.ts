import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { EditEnd } from './cell-editor.tsx';
import { type DeskTableProps, type NamedRow, toggled } from './desk-columns.ts';
import { actionOf, editedAfter, outcomeOf } from './row-keys.ts';

interface CellPosition {
  readonly index: number;
  readonly columnId: string;
}

/** Focuses a row, or one of its cells, once it is drawn: a row that is moved to may only then be there. @returns what aims at the active row */
function useFocusTarget(scroller: { readonly current: HTMLDivElement | null }, active: number) {
  const target = useRef<{ readonly columnId: string | null } | null>(null);
  const [, draw] = useState(0);
  useEffect(() => {
    if (target.current === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${active}"]`) ?? null;
    if (row === null) return;
    const { columnId } = target.current;
    const cell = columnId === null ? null : row.querySelector<HTMLElement>(`[data-column="${columnId}"]`);
    target.current = null;
    (cell ?? row).focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  return (columnId: string | null): void => {
    target.current = { columnId };
    draw((count) => count + 1);
  };
}

/** The column of the focused cell, null in a row; undefined: the focus is on something else of the table. */
function columnOf({ target }: KeyboardEvent<HTMLElement>): string | null | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  const columnId = target.dataset['column'] ?? null;
  return columnId === null && target.getAttribute('role') !== 'row' ? undefined : columnId;
}

/**
 * The keys of rows: one row of the table is in the order of tabs, the arrows move it; E edits its cells one after the other. The right arrow goes from a row to its
 * editable cells; there Enter edits, and the focus is on the cell again when that ends.
 */
export function useRowKeys<Row extends NamedRow>(
  { rows, columns, selection, onOpen, editing: cells }: DeskTableProps<Row>,
  scroller: { readonly current: HTMLDivElement | null },
  scrollTo: (index: number) => void,
) {
  const [chosen, setActive] = useState(0);
  const [editing, setEditing] = useState<CellPosition | null>(null);
  const active = Math.min(chosen, Math.max(rows.length - 1, 0));
  const aim = useFocusTarget(scroller, active);
  const move = (to: number, columnId: string | null): void => {
    aim(columnId);
    setActive(to);
    scrollTo(to);
  };
  const editableOf = (index: number): readonly string[] => {
    const row = rows[index];
    if (row === undefined || cells === null) return [];
    return columns.filter(({ editor }) => editor?.isOpen(row) === true).map(({ id }) => id);
  };
  /** Edits a cell; null ends it. */
  const edit = (at: CellPosition | null, how: EditEnd = 'stay'): void => {
    if (at !== null || editing === null) return setEditing(at);
    const { index, columnId } = editing;
    const next = editedAfter(editableOf(index), columnId, how);
    if (next !== undefined) return setEditing({ index, columnId: next });
    if (how !== 'left') aim(columnId);
    return setEditing(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const columnId = columnOf(event);
    const action = columnId === undefined ? null : actionOf(event, columnId);
    if (columnId === undefined || action === null) return;
    event.preventDefault();
    // Escape leaves the cell, and closes nothing.
    if (action === 'out') event.stopPropagation();
    const row = rows[active];
    const focus = { index: active, columnId, rows: rows.length, open: editableOf(active) };
    const outcome = outcomeOf(action, focus);
    if (outcome.does === 'move') move(outcome.index, outcome.columnId);
    else if (outcome.does === 'edit') setEditing({ index: active, columnId: outcome.columnId });
    else if (outcome.does === 'choose' && row !== undefined) selection?.change(toggled(selection.ids, row.id));
    else if (outcome.does === 'open' && row !== undefined) onOpen(row);
  };
  const onFocus = (event: { readonly target: EventTarget }): void => {
    const index =
      event.target instanceof Element ? event.target.closest('[data-index]')?.getAttribute('data-index') : null;
    if (index !== null && index !== undefined) setActive(Number(index));
  };
  return { active, editing, edit, onKeyDown, onFocus };
}
