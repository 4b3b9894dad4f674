import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { type ObjectKind, updateObjects } from '../api/bookings/object-updates.ts';
import { describeProblem } from '../api/transport/problem.ts';
import type { Scope } from '../api/transport/scope.ts';
import { say } from '../messages/say.ts';
import type { CellChange, CellFault } from '../tables/cell-editor.tsx';
import type { BothSides } from './compare-sides.ts';
import type { CellEditing, DeskColumn, NamedRow } from '../tables/desk-columns.ts';
import { type CellFaults, refusalOf, withFault } from './inline-faults.ts';
import { offerUndo } from './undo.tsx';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

interface VersionedRow extends NamedRow {
  readonly version: number;
}

/**
 * Saves what is typed into the cells of a list: shown at once, undone when the server refuses it, with the reason at the cell, and undone like any other
 * change.
 * @param list the names in the key of the list's queries, after the scope
 */
export function useInlineEdit<Row extends VersionedRow>(kind: ObjectKind, list: readonly string[]) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const [conflict, setConflict] = useState<BothSides | null>(null);
  const [faults, setFaults] = useState<CellFaults>(new Map());
  // A person tabs from cell to cell: saves of one row follow each other, each at the version that the one before made.
  const saves = useRef(new Map<string, Promise<number>>());
  const key = list.join(' ');
  const actions: Omit<CellEditing<Row>, 'faults'> = useMemo(() => {
    const mark = (rowId: string, columnId: string, fault: CellFault | null): void =>
      setFaults((known) => withFault(known, rowId, columnId, fault));
    const saver: Saver = { scope, client, kind, key: [...deskKey(scope), ...key.split(' ')], onConflict: setConflict };
    const save = (row: Row, column: DeskColumn<Row>, text: string): void => {
      const { id, title, editor } = column;
      const change = editor?.change(row, text) ?? null;
      const unreadable = editor?.fault?.(text) ?? say('inline.unreadable', { text, column: title });
      mark(row.id, id, change === null ? { text, message: unreadable } : null);
      if (change === null) return;
      patchRow(saver, row.id, change.input);
      const before = saves.current.get(row.id) ?? Promise.resolve(0);
      const saving = before.then(async (version) => {
        const at = { ...row, version: Math.max(version, row.version) };
        const saved = await saveCell(saver, { row: at, title, change });
        if (saved.refusal !== null) mark(row.id, id, { text, message: saved.refusal });
        return saved.version;
      });
      saves.current.set(row.id, saving);
    };
    return { save, forget: (rowId, columnId) => mark(rowId, columnId, null) };
  }, [scope, client, kind, key]);
  return {
    editing: useMemo(() => ({ ...actions, faults }), [actions, faults]),
    conflict,
    closeConflict: () => setConflict(null),
  };
}

interface Saver {
  readonly scope: Scope;
  readonly client: QueryClient;
  readonly kind: ObjectKind;
  readonly key: readonly string[];
  onConflict: (sides: BothSides) => void;
}

interface CellSaving {
  readonly row: VersionedRow;
  readonly title: string;
  readonly change: CellChange;
}

/** Saves one cell. @returns the version after it, and why it was refused; null: it was not, or a dialog says it */
async function saveCell(
  saver: Saver,
  { row, title, change }: CellSaving,
): Promise<{ readonly version: number; readonly refusal: string | null }> {
  const { scope, client, kind } = saver;
  const { id, name, version } = row;
  const refuse = (refusal: string | null) => {
    patchRow(saver, id, change.undo);
    return { version, refusal };
  };
  try {
    const update = { id, version, input: change.input };
    const [result] = await updateObjects(scope, kind, [update], { validateOnly: false });
    if (result?.code === 'conflict') {
      const titles = Object.fromEntries(Object.keys(change.input).map((field) => [field, title]));
      saver.onConflict({ kind, id, name, base: change.undo, mine: change.input, titles });
      // The next edit begins with what the other person has saved.
      void client.invalidateQueries({ queryKey: deskKey(scope) });
      return refuse(null);
    }
    if (result === undefined || result.code !== null) return refuse(refusalOf(result));
    if (result.version === null) return { version, refusal: null };
    patchRow(saver, id, { version: result.version });
    const updates = [{ id, version: result.version, input: change.undo }];
    offerUndo(client, { scope, kind, text: say('inline.saved', { name, column: title }), updates });
    void client.invalidateQueries({ queryKey: deskKey(scope) });
    return { version: result.version, refusal: null };
  } catch (error) {
    return refuse(describeProblem(error));
  }
}

interface RowsOf {
  readonly rows: readonly { readonly id: string }[];
}

/** Changes a row in every window and page that shows it. */
function patchRow({ client, key }: Pick<Saver, 'client' | 'key'>, id: string, change: CellChange['input']): void {
  const patch = <Part extends RowsOf>(part: Part): Part =>
    part.rows.every((row) => row.id !== id)
      ? part
      : { ...part, rows: part.rows.map((row) => (row.id === id ? { ...row, ...change } : row)) };
  client.setQueriesData<RowsOf | InfiniteData<RowsOf>>({ queryKey: key }, (data) => {
    if (data === undefined) return data;
    return 'pages' in data ? { ...data, pages: data.pages.map((page) => patch(page)) } : patch(data);
  });
}
