/** The rows that a person has chosen: some, or all that match. */
export interface Chosen {
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
}

/** No row. */
export const NONE_CHOSEN: Chosen = { ids: new Set(), isAll: false };

/** The most objects of one change. */
export const ALL_MAX = 10_000;
const IDS_A_REQUEST = 100;

/** How many rows a change of the chosen ones takes, of `total` that match. */
export function countChosen({ ids, isAll }: Chosen, total: number): number {
  return isAll ? Math.min(total, ALL_MAX) : ids.size;
}

/** How chosen rows are read. */
interface ChosenSource<Row> {
  /** Rows that the table has loaded. */
  readonly loaded: readonly Row[];
  loadAll: (max: number) => Promise<readonly Row[]>;
  /** Of some ids, at most a hundred. */
  loadIds: (ids: readonly string[]) => Promise<readonly Row[]>;
}

/** Reads the chosen rows; those that the table has loaded are not read again, unless all are chosen. */
export async function readChosen<Row extends { readonly id: string }>(
  { ids, isAll }: Chosen,
  { loaded, loadAll, loadIds }: ChosenSource<Row>,
): Promise<readonly Row[]> {
  if (isAll) return loadAll(ALL_MAX);
  const rows = loaded.filter(({ id }) => ids.has(id));
  const seen = new Set(rows.map(({ id }) => id));
  const missing = [...ids].filter((id) => !seen.has(id));
  for (let at = 0; at < missing.length; at += IDS_A_REQUEST)
    rows.push(...(await loadIds(missing.slice(at, at + IDS_A_REQUEST))));
  return rows;
}
