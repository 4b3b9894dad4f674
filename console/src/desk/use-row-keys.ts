import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type DeskTableProps, type NamedRow, toggled } from './desk-columns.ts';

interface CellPosition {
  readonly index: number;
  readonly columnId: string;
}

/** What a key does with a row. */
type RowAction = 'down' | 'up' | 'first' | 'last' | 'open' | 'choose' | 'edit';

const ACTIONS: Readonly<Record<string, RowAction>> = {
  ArrowDown: 'down',
  j: 'down',
  ArrowUp: 'up',
  k: 'up',
  Home: 'first',
  End: 'last',
  Enter: 'open',
  ' ': 'choose',
  x: 'choose',
  F2: 'edit',
  e: 'edit',
};

/** The keys of rows: one row of the table is in the order of tabs, the arrows move it; E edits its cells one after the other. */
export function useRowKeys<Row extends NamedRow>(
  { rows, columns, selection, onOpen, onEdit }: DeskTableProps<Row>,
  scroller: { readonly current: HTMLDivElement | null },
  scrollTo: (index: number) => void,
) {
  const [chosen, setActive] = useState(0);
  const [editing, setEditing] = useState<CellPosition | null>(null);
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
  /** Edits a cell; null ends it, and `step` goes on with a neighbour. */
  const edit = (at: CellPosition | null, step?: 1 | -1): void => {
    if (at !== null) return setEditing(at);
    const open = editableOf(editing?.index ?? active);
    const next = step === undefined ? undefined : open[open.indexOf(editing?.columnId ?? '') + step];
    if (editing !== null && next !== undefined) return setEditing({ ...editing, columnId: next });
    isMoving.current = true;
    return setEditing(null);
  };
  const editableOf = (index: number): readonly string[] => {
    const row = rows[index];
    if (row === undefined || onEdit === undefined) return [];
    return columns.filter(({ editor }) => editor?.isOpen(row) === true).map(({ id }) => id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const action = Object.hasOwn(ACTIONS, event.key) ? ACTIONS[event.key] : undefined;
    if (event.ctrlKey || event.metaKey || event.altKey || action === undefined || !isRow(event.target)) return;
    event.preventDefault();
    const row = rows[active];
    const moves = { down: active + 1, up: active - 1, first: 0, last: rows.length - 1 } as const;
    if (action in moves) return move(moves[action as keyof typeof moves]);
    if (row === undefined) return;
    if (action === 'open') onOpen(row);
    else if (action === 'choose') selection?.change(toggled(selection.ids, row.id));
    else {
      const [columnId] = editableOf(active);
      if (columnId !== undefined) setEditing({ index: active, columnId });
    }
  };
  const onFocus = (event: { readonly target: EventTarget }): void => {
    const index =
      event.target instanceof Element ? event.target.closest('[data-index]')?.getAttribute('data-index') : null;
    if (index !== null && index !== undefined) setActive(Number(index));
  };
  return { active, editing, edit, onKeyDown, onFocus };
}

function isRow(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.getAttribute('role') === 'row';
}
