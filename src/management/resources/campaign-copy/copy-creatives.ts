import { type FieldProblem, PlacardError } from '../../../domain/errors.ts';
import { moveOnClock } from '../../../domain/time/time-zone.ts';
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

/** A line item that was copied, and the id of its copy. */
export interface CopiedLineItem {
  readonly source: StoredRow;
  readonly newId: bigint;
}

/** Copies the living creatives of line items to their copies, flights moved. @returns how many were copied */
export async function copyCreatives(
  inner: InTransaction,
  copied: readonly CopiedLineItem[],
  shift: FlightShift,
): Promise<number> {
  const parents = new Map(copied.map((one) => [one.source.id, one]));
  const creatives = await readLiving(inner, CREATIVE, {
    parentColumn: 'line_item_id',
    parentIds: [...parents.keys()],
    max: CREATIVES_MAX,
  });
  const copies = new Map<bigint, bigint>();
  for (const row of creatives) {
    const masterId = row['master_creative_id'] as bigint | null;
    // A master has a smaller id than its companions, so it is copied before them. Companions of an archived master are not copied.
    if (masterId !== null && !copies.has(masterId)) continue;
    const parent = parents.get(row['line_item_id'] as bigint);
    const changes = {
      ...shiftedFlight(row, shift, parent?.source['timezone']),
      line_item_id: parent?.newId,
      master_creative_id: masterId === null ? null : copies.get(masterId),
    };
    copies.set(row.id, (await insertCopy(inner, CREATIVE, { row, changes })).id);
  }
  return copies.size;
}

const SHIFT_DAYS_MAX = 3_650;
const DAY_MS = 86_400_000;

/** By how much the flights of copies are moved, on the clocks of their time zone: a flight from midnight stays one. */
export interface FlightShift {
  readonly clockMs: number;
  /** Of campaigns, and of line items without one of their own. */
  readonly timezone: string;
}

/** The span of some days. @throws PlacardError `validation_failed` at `shiftDays` */
export function clockMsOf(shiftDays: number): number {
  const problems: FieldProblem[] = [];
  if (Math.abs(shiftDays) > SHIFT_DAYS_MAX)
    report(problems, 'shiftDays', 'out_of_range', `Give -${SHIFT_DAYS_MAX} to ${SHIFT_DAYS_MAX} days.`);
  if (problems.length > 0) throw validationFailed(problems);
  return shiftDays * DAY_MS;
}

/** The flight of a row, moved. @param own the time zone of its line item, if any */
export function shiftedFlight(row: StoredRow, { clockMs, timezone }: FlightShift, own?: unknown): Columns {
  const zone = typeof own === 'string' ? own : timezone;
  const move = (value: unknown): unknown =>
    clockMs !== 0 && value instanceof Date ? new Date(moveOnClock(zone, value.getTime(), clockMs)) : value;
  return { starts_at: move(row['starts_at']), ends_at: move(row['ends_at']) };
}
