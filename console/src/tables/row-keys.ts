import type { EditEnd } from './cell-editor.tsx';

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

/** A key, and what is held beside it. */
export type PressedKey = Readonly<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> & { readonly key: string };

/** Where the focus is. */
export interface FocusState {
  readonly index: number;
  /** The focused cell; null: the row itself. */
  readonly columnId: string | null;
  /** How many rows the table has. */
  readonly rows: number;
  /** The editable columns of the row, in their order. */
  readonly open: readonly string[];
}

/** What comes of a key: the focus moves to a row or a cell, a cell is edited, or the row is opened or chosen. */
export type KeyOutcome =
  | { readonly does: 'move'; readonly index: number; readonly columnId: string | null }
  | { readonly does: 'edit'; readonly columnId: string }
  | { readonly does: 'open' | 'choose' | 'nothing' };

/** What a key does, in a row (`columnId` null) or in one of its cells; null: the key is not of the table. */
export function actionOf(pressed: PressedKey, columnId: string | null): Action | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null;
  const known = columnId === null ? ROW_ACTIONS : CELL_ACTIONS;
  return Object.hasOwn(known, pressed.key) ? (known[pressed.key] ?? null) : null;
}

/** What comes of an action. A row that is moved to exists; a cell stays in its column from row to row. */
export function outcomeOf(action: Action, { index, columnId, rows, open }: FocusState): KeyOutcome {
  const cell = columnId ?? open[0] ?? null;
  const move = (to: number, column: string | null = null): KeyOutcome => {
    return { does: 'move', index: Math.max(0, Math.min(to, rows - 1)), columnId: column };
  };
  const outcomes: Readonly<Record<Action, () => KeyOutcome>> = {
    down: () => move(index + 1, columnId),
    up: () => move(index - 1, columnId),
    first: () => move(0),
    last: () => move(rows - 1),
    into: () => move(index, cell),
    next: () => move(index, neighbour(open, columnId ?? '', 1) ?? columnId),
    previous: () => move(index, neighbour(open, columnId ?? '', -1) ?? null),
    out: () => move(index),
    choose: () => ({ does: 'choose' }),
    open: () => ({ does: 'open' }),
    edit: () => (cell === null ? { does: 'nothing' } : { does: 'edit', columnId: cell }),
  };
  return outcomes[action]();
}

/** The cell that is edited once the editing of another one has ended; undefined: none. */
export function editedAfter(open: readonly string[], columnId: string, how: EditEnd): string | undefined {
  if (how !== 'next' && how !== 'previous') return undefined;
  return neighbour(open, columnId, how === 'next' ? 1 : -1);
}

/** The editable column before or after another one; undefined: there is none. */
function neighbour(open: readonly string[], columnId: string, step: 1 | -1): string | undefined {
  return open[open.indexOf(columnId) + step];
}
