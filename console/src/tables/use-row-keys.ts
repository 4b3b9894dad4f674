import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { EditEnd } from './cell-editor.tsx';
import { type DeskTableProps, type NamedRow, toggled } from './desk-columns.ts';

interface CellPosition {
  readonly index: number;
  readonly columnId: string;
}

/** What a key does with a row, or with one of its cells. */
type Action = 'down' | 'up' | 'first' | 'last' | 'into' | 'next' | 'previous' | 'out' | 'open' | 'choose' | 'edit';

const BOTH: Readonly<Record<string, Action>> = {
  ArrowDown: 'down',
  j: 'down',
  ArrowUp: 'up',
  k: 'up',
  ' ': 'choose',
  x: 'choose',
  F2: 'edit',
  e: 'edit',
};
const ROW_ACTIONS: Readonly<Record<string, Action>> = {
  ...BOTH,
  Home: 'first',
  End: 'last',
  ArrowRight: 'into',
  Enter: 'open',
};
const CELL_ACTIONS: Readonly<Record<string, Action>> = {
  ...BOTH,
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  Escape: 'out',
  Enter: 'edit',
};

/** The editable column that is so many after one; undefined: there is none. */
function neighbour(open: readonly string[], columnId: string, step: 1 | -1): string | undefined {
  return open[open.indexOf(columnId) + step];
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

/** What a key does, in a row or in one of its cells; null: nothing. */
function actionOf(event: KeyboardEvent<HTMLElement>) {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return null;
  const columnId = event.target.dataset['column'] ?? null;
  if (columnId === null && event.target.getAttribute('role') !== 'row') return null;
  const known = columnId === null ? ROW_ACTIONS : CELL_ACTIONS;
  const action = Object.hasOwn(known, event.key) ? known[event.key] : undefined;
  return action === undefined ? null : { columnId, action };
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
  const move = (to: number, columnId: string | null = null): void => {
    const next = Math.min(Math.max(to, 0), rows.length - 1);
    aim(columnId);
    setActive(next);
    scrollTo(next);
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
    const step = how === 'next' ? 1 : how === 'previous' ? -1 : null;
    const next = step === null ? undefined : neighbour(editableOf(index), columnId, step);
    if (next !== undefined) return setEditing({ index, columnId: next });
    if (how !== 'left') aim(columnId);
    return setEditing(null);
  };
  const act = (action: Action, columnId: string | null): void => {
    const row = rows[active];
    const open = editableOf(active);
    const cell = columnId ?? open[0] ?? null;
    const does: Readonly<Record<Action, () => void>> = {
      down: () => move(active + 1, columnId),
      up: () => move(active - 1, columnId),
      first: () => move(0),
      last: () => move(rows.length - 1),
      into: () => move(active, cell),
      next: () => move(active, neighbour(open, columnId ?? '', 1) ?? columnId),
      previous: () => move(active, neighbour(open, columnId ?? '', -1) ?? null),
      out: () => move(active),
      choose: () => (row === undefined ? undefined : selection?.change(toggled(selection.ids, row.id))),
      open: () => (row === undefined ? undefined : onOpen(row)),
      edit: () => (cell === null ? undefined : setEditing({ index: active, columnId: cell })),
    };
    does[action]();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const found = actionOf(event);
    if (found === null) return;
    event.preventDefault();
    // Escape leaves the cell, and closes nothing.
    if (found.action === 'out') event.stopPropagation();
    act(found.action, found.columnId);
  };
  const onFocus = (event: { readonly target: EventTarget }): void => {
    const index =
      event.target instanceof Element ? event.target.closest('[data-index]')?.getAttribute('data-index') : null;
    if (index !== null && index !== undefined) setActive(Number(index));
  };
  return { active, editing, edit, onKeyDown, onFocus };
}
