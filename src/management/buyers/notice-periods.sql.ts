import { type Kysely, sql } from 'kysely';
import type { FieldProblem } from '../../domain/errors.ts';
import type { Database } from '../../storage/sql/schema.ts';

type Columns = Readonly<Record<string, unknown>>;

/** An object that a buyer changes, as it is stored, and the change. */
export interface BuyerChange {
  readonly type: string;
  readonly row: Columns & { readonly id: bigint };
  readonly input: Columns;
}

/** The fields of a change that could stop what is booked. */
const MAY_STOP: Readonly<Record<string, readonly string[]>> = {
  Campaign: ['status', 'startsAt', 'endsAt', 'caps'],
  LineItem: ['status'],
};

/** Whether a change has to be looked at before it is made. */
export function mayStop(type: string, input: Columns): boolean {
  return (MAY_STOP[type] ?? []).some((name) => input[name] !== undefined);
}

/**
 * What is guaranteed stops only with the notice of its product: a pause, a shorter flight or a cap of its campaign would be a cancellation.
 * @returns each field that stops a live guaranteed booking too late
 */
export async function noticeProblems(
  db: Kysely<Database>,
  by: { readonly workspaceId: number; readonly nowMs: number },
  change: BuyerChange,
): Promise<FieldProblem[]> {
  const fields = (MAY_STOP[change.type] ?? []).filter((name) => stops(name, change));
  if (fields.length === 0) return [];
  const days = await boundDays(db, by, change);
  if (days === null) return [];
  const message = `A guaranteed booking stops at the latest ${days} days before its start; ask the publisher.`;
  return fields.map((name) => ({ path: `input.${name}`, code: 'not_allowed', message }));
}

function stops(name: string, { row, input }: BuyerChange): boolean {
  const given = input[name];
  if (given === undefined) return false;
  if (name === 'status') return row['status'] === 'ACTIVE' && given !== 'ACTIVE';
  if (name === 'startsAt') return instantOf(given) > instantOf(row['starts_at']);
  if (name === 'endsAt')
    return given !== null && (row['ends_at'] === null || instantOf(given) < instantOf(row['ends_at']));
  return Object.values(given ?? {}).some((cap) => cap !== null && cap !== undefined);
}

function instantOf(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'string' ? Date.parse(value) : 0;
}

/** The longest notice period of the bookings that a change concerns and that are within it; null where none is. */
async function boundDays(
  db: Kysely<Database>,
  { workspaceId, nowMs }: { readonly workspaceId: number; readonly nowMs: number },
  { type, row }: BuyerChange,
): Promise<number | null> {
  const column = sql.ref(type === 'Campaign' ? 'items.campaign_id' : 'items.id');
  const now = new Date(nowMs);
  // A product that is offered no more still binds: the rows of the buyer would leave it out.
  const { rows } = await sql<{ days: number | null }>`
    SELECT max(products.cancellation_notice_days) AS days
    FROM ${sql.table('line_items')} AS items
    JOIN ${sql.table('campaigns')} AS campaigns ON campaigns.workspace_id = items.workspace_id AND campaigns.id = items.campaign_id
    JOIN ${sql.table('advertising_products')} AS products
      ON products.workspace_id = items.workspace_id AND products.id = items.advertising_product_id
    WHERE items.workspace_id = ${workspaceId} AND ${column} = ${row.id} AND items.status = 'ACTIVE' AND items.type <> 'PRICE'
      AND products.cancellation_notice_days > 0
      AND coalesce(items.starts_at, campaigns.starts_at, ${now}::timestamptz)
        < ${now}::timestamptz + make_interval(days => products.cancellation_notice_days)`.execute(db.withoutPlugins());
  return rows[0]?.days ?? null;
}
