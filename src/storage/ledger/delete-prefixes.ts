import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ByteTable, TABLE_PARTS } from './byte-table.ts';
import { COUNTER, LIST, VALUE } from './entries.ts';
import { toByteText } from './stored-entry.ts';

/** Parts of the table that are looked at without a pause. */
const PARTS_TOGETHER = 32;
/** Removals that wait for the log together. */
const REMOVALS_TOGETHER = 10_000;
const KINDS: ReadonlySet<number> = new Set([VALUE, COUNTER, LIST]);

/**
 * Removes every value, counter and list whose key begins with one of the prefixes. Looks at all entries, in steps.
 * @param written resolves when what was removed is in the log
 * @returns how many there were of each prefix; a key counts for the first that it begins with
 */
export async function deletePrefixes(
  table: ByteTable,
  prefixes: readonly string[],
  written: () => Promise<void>,
): Promise<readonly number[]> {
  const find = prefixFinder(prefixes.map(toByteText));
  const deleted = prefixes.map(() => 0);
  let waiting = 0;
  for (let part = 0; part < TABLE_PARTS; part += 1) {
    table.visitPart(part, (position) => {
      const found = KINDS.has(table.kindOf(position)) ? find(table.keyOf(position)) : -1;
      if (found === -1) return;
      table.remove(position, false);
      deleted[found] = (deleted[found] ?? 0) + 1;
      waiting += 1;
    });
    if (waiting >= REMOVALS_TOGETHER) {
      waiting = 0;
      await written();
    } else if (part % PARTS_TOGETHER === 0) await nextTurn();
  }
  await written();
  return deleted;
}

/** Finds the first prefix that a key begins with: one look for each length of a prefix. */
function prefixFinder(prefixes: readonly string[]): (key: string) => number {
  const byLength = new Map<number, Map<string, number>>();
  for (const [at, prefix] of prefixes.entries()) {
    const same = byLength.get(prefix.length) ?? new Map<string, number>();
    if (!same.has(prefix)) same.set(prefix, at);
    byLength.set(prefix.length, same);
  }
  return (key) => {
    let first = -1;
    for (const [length, same] of byLength) {
      const at = same.get(key.slice(0, length)) ?? -1;
      if (at !== -1 && (first === -1 || at < first)) first = at;
    }
    return first;
  };
}
