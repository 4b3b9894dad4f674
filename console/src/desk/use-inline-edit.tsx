import { notifications } from '@mantine/notifications';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { LineItem, TableWindow } from '../api/desk-list.ts';
import { updateBooked } from '../api/desk-object.ts';
import { describeProblem } from '../api/problem.ts';
import type { Scope } from '../api/scope.ts';
import { decimalOf } from '../booking/booking-draft.ts';
import { instantOf } from '../booking/wall-time.ts';
import { say } from '../messages/say.ts';
import type { BothSides } from './conflict-dialog.tsx';
import type { DeskColumn } from './desk-columns.ts';
import { remarkOf } from './bulk-plan.ts';
import { offerUndo } from './undo.tsx';
import { deskKey, useDeskScope } from './use-desk-list.ts';

interface CellChange {
  readonly input: Partial<LineItem>;
  readonly undo: Partial<LineItem>;
}

/** What a text in a cell changes; null: it cannot be read. */
export function changeOfCell(row: LineItem, columnId: string, text: string, timezone: string): CellChange | null {
  switch (columnId) {
    case 'name':
      return { input: { name: text.trim() }, undo: { name: row.name } };
    case 'status':
      return { input: { status: text as LineItem['status'] }, undo: { status: row.status } };
    case 'dates': {
      const atMs = text === '' ? null : instantOf(text, row.timezone ?? timezone);
      if (text !== '' && atMs === null) return null;
      return { input: { endsAt: atMs === null ? null : new Date(atMs).toISOString() }, undo: { endsAt: row.endsAt } };
    }
    case 'price': {
      const price = decimalOf(text);
      return price === null ? null : { input: { price }, undo: { price: row.price } };
    }
    case 'goal': {
      const amount = Number(text.replaceAll(/[\s,.\u00a0]/g, ''));
      if (row.goal === null || !Number.isSafeInteger(amount) || amount < 1) return null;
      return { input: { goal: { ...row.goal, amount } }, undo: { goal: row.goal } };
    }
    default:
      return null;
  }
}

/** Saves what is typed into cells: shown at once, taken back when the server refuses it, and undone like any other change. */
export function useInlineEdit(timezone: string | undefined) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const [conflict, setConflict] = useState<BothSides | null>(null);
  // A person tabs from cell to cell: saves of one row follow each other, each at the version that the one before made.
  const [saves] = useState(() => new Map<string, Promise<number>>());
  const saver = { scope, client, key: [...deskKey(scope), 'lineItemTable'], onConflict: setConflict };
  const onEdit = (row: LineItem, column: DeskColumn<LineItem>, text: string): void => {
    const change = changeOfCell(row, column.id, text, timezone ?? 'UTC');
    if (change === null) return showFault(say('inline.unreadable', { text, column: column.title }));
    patchRow(saver, row.id, change.input);
    const before = saves.get(row.id) ?? Promise.resolve(0);
    const saving = before.then((version) =>
      saveCell(saver, { row: { ...row, version: Math.max(version, row.version) }, title: column.title, change }),
    );
    saves.set(row.id, saving);
  };
  return { onEdit, conflict, closeConflict: () => setConflict(null) };
}

interface Saver {
  readonly scope: Scope;
  readonly client: QueryClient;
  readonly key: readonly string[];
  onConflict: (sides: BothSides) => void;
}

/** Saves one cell. @returns the version after it */
async function saveCell(
  saver: Saver,
  { row, title, change }: { readonly row: LineItem; readonly title: string; readonly change: CellChange },
): Promise<number> {
  const { scope, client } = saver;
  const { id, name, version } = row;
  try {
    const update = { id, version, input: { ...change.input } };
    const [result] = await updateBooked(scope, 'lineItem', [update], { validateOnly: false });
    if (result?.code === 'conflict')
      saver.onConflict({ id, name, base: { ...change.undo }, mine: { ...change.input } });
    else if (result === undefined || result.code !== null) showFault(remarkOf(result) ?? say('error.unexpected'));
    if (result === undefined || result.code !== null) {
      patchRow(saver, id, change.undo);
      return version;
    }
    if (result.version === null) return version;
    patchRow(saver, id, { version: result.version });
    const undo = [{ id, version: result.version, input: { ...change.undo } }];
    offerUndo(client, { scope, kind: 'lineItem', text: say('inline.saved', { name, column: title }), updates: undo });
    void client.invalidateQueries({ queryKey: deskKey(scope) });
    return result.version;
  } catch (error) {
    patchRow(saver, id, change.undo);
    showFault(describeProblem(error));
    return version;
  }
}

function showFault(message: string): void {
  notifications.show({ color: 'red', message });
}

/** Changes a row in every window that shows it. */
function patchRow({ client, key }: Pick<Saver, 'client' | 'key'>, id: string, change: Partial<LineItem>): void {
  client.setQueriesData<TableWindow<LineItem>>({ queryKey: key }, (window) =>
    window === undefined || window.rows.every((row) => row.id !== id)
      ? window
      : { ...window, rows: window.rows.map((row) => (row.id === id ? { ...row, ...change } : row)) },
  );
}
