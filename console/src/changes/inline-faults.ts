import type { ObjectResult } from '../api/bookings/object-updates.ts';
import { say } from '../messages/say.ts';
import type { CellFault } from '../tables/cell-editor.tsx';

/** What was refused in the cells of a table, by the id of the row and of the column. */
export type CellFaults = ReadonlyMap<string, ReadonlyMap<string, CellFault>>;

/** The faults with one cell changed; null: it has none. Rows that are not changed stay the same object. */
export function withFault(faults: CellFaults, rowId: string, columnId: string, fault: CellFault | null): CellFaults {
  const before = faults.get(rowId);
  if (fault === null && before?.has(columnId) !== true) return faults;
  const cells = new Map(before);
  if (fault === null) cells.delete(columnId);
  else cells.set(columnId, fault);
  const next = new Map(faults);
  if (cells.size === 0) next.delete(rowId);
  else next.set(rowId, cells);
  return next;
}

/** Why one field was refused: what is wrong with the field, else with the object. */
export function refusalOf(result: ObjectResult | undefined): string {
  if (result === undefined) return say('error.unexpected');
  const said = result.problems.length > 0 ? result.problems.map(({ message }) => message) : [result.message];
  const text = said.filter((one) => one !== null && one !== '').join(' ');
  return text === '' ? say('error.unexpected') : text;
}
