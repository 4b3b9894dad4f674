import { type FieldProblem, PlacardError } from '../../../domain/errors.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { type Columns, report, type StoredRow } from '../../kernel/field.ts';
import type { Resource } from '../../kernel/resource.ts';
import { listChildren } from '../../kernel/resource.sql.ts';
import { type InTransaction, insertCopy } from '../../kernel/write.ts';
import { CREATIVE } from '../creative/creative.ts';

/** The most creatives of one copy. */
const CREATIVES_MAX = 5_000;

/** The children of some parents that are not archived. @throws PlacardError `invalid_request` over `max` */
export async function readLiving(
  inner: InTransaction,
  resource: Resource,
  request: { readonly parentColumn: string; readonly parentIds: readonly bigint[]; readonly max: number },
): Promise<StoredRow[]> {
  const { parentColumn, parentIds, max } = request;
  if (parentIds.length === 0) return [];
  const query = { parentColumn, parentIds, conditions: [], limit: max + 1 };
  const rows = await listChildren(inner.transaction, inner.principal.workspaceId, resource.table, query);
  const living = rows.filter((row) => row['status'] !== 'ARCHIVED');
  if (living.length > max)
    throw new PlacardError('invalid_request', `There are over ${max} ${resource.plural}; copy in parts.`);
  return living;
}

/** Copies the living creatives of line items to their copies, flights moved. @returns how many were copied */
export async function copyCreatives(
  inner: InTransaction,
  newIds: ReadonlyMap<bigint, bigint>,
  shiftMs: number,
): Promise<number> {
  const creatives = await readLiving(inner, CREATIVE, {
    parentColumn: 'line_item_id',
    parentIds: [...newIds.keys()],
    max: CREATIVES_MAX,
  });
  const copies = new Map<bigint, bigint>();
  for (const row of creatives) {
    const masterId = row['master_creative_id'] as bigint | null;
    // A master has a smaller id than its companions, so it is copied before them. Companions of an archived master are not copied.
    if (masterId !== null && !copies.has(masterId)) continue;
    const changes = {
      ...shiftedFlight(row, shiftMs),
      line_item_id: newIds.get(row['line_item_id'] as bigint),
      master_creative_id: masterId === null ? null : copies.get(masterId),
    };
    copies.set(row.id, (await insertCopy(inner, CREATIVE, { row, changes })).id);
  }
  return copies.size;
}

const SHIFT_DAYS_MAX = 3_650;
const DAY_MS = 86_400_000;

/** The span by which copies are moved. @throws PlacardError `validation_failed` at `shiftDays` */
export function shiftMsOf(shiftDays: number): number {
  const problems: FieldProblem[] = [];
  if (Math.abs(shiftDays) > SHIFT_DAYS_MAX)
    report(problems, 'shiftDays', 'out_of_range', `Give -${SHIFT_DAYS_MAX} to ${SHIFT_DAYS_MAX} days.`);
  if (problems.length > 0) throw validationFailed(problems);
  return shiftDays * DAY_MS;
}

/** The flight of a row, moved by a span. */
export function shiftedFlight(row: StoredRow, shiftMs: number): Columns {
  const move = (value: unknown): unknown => (value instanceof Date ? new Date(value.getTime() + shiftMs) : value);
  return { starts_at: move(row['starts_at']), ends_at: move(row['ends_at']) };
}
