import type { ListPage } from '../../domain/ids/list-page.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { lockCount } from '../../storage/sql/count-lock.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { WebhookDeliveriesTable, WebhookMessageStatus, WebhooksTable } from '../../storage/sql/webhook-schema.ts';

/** A stored webhook. */
export type WebhookRow = Selectable<WebhooksTable>;

/** A stored message. */
export type DeliveryRow = Selectable<WebhookDeliveriesTable>;

/** Most messages of one webhook that wait to be sent; further changes wait in the log. */
export const PENDING_MAX = 1_000;

/** All of an environment, by name. */
export function listWebhooks(db: Kysely<Database>, workspaceId: number): Promise<WebhookRow[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

export function findWebhook(db: Kysely<Database>, workspaceId: number, id: bigint): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The same, locked until the end of the transaction. */
export function lockWebhook(db: Kysely<Database>, workspaceId: number, id: bigint): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** In a transaction they stay so many until it ends. */
export async function countWebhooks(db: Kysely<Database>, workspaceId: number): Promise<number> {
  await lockCount(db, `webhooks of ${workspaceId}`);
  const { count } = await db
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The fields of a webhook that a member sets. */
export type WebhookColumns = Pick<WebhookRow, 'name' | 'url' | 'types' | 'status' | 'salt'>;

export function insertWebhook(
  db: Kysely<Database>,
  workspaceId: number,
  columns: WebhookColumns & { readonly created_by: string; readonly position: bigint },
): Promise<WebhookRow> {
  return db
    .insertInto('webhooks')
    .values({ workspace_id: workspaceId, ...columns })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function updateWebhook(
  db: Kysely<Database>,
  workspaceId: number,
  id: bigint,
  columns: WebhookColumns,
): Promise<WebhookRow> {
  return db
    .updateTable('webhooks')
    .set({ ...columns, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteWebhook(db: Kysely<Database>, workspaceId: number, id: bigint): Promise<void> {
  await db.deleteFrom('webhooks').where('workspace_id', '=', workspaceId).where('id', '=', id).execute();
}

/** Messages are made again from the change after this number. */
export async function moveWebhook(
  db: Kysely<Database>,
  workspaceId: number,
  id: bigint,
  position: bigint,
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ position })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** The messages of a webhook, newest first. */
export function listDeliveries(
  db: Kysely<Database>,
  workspaceId: number,
  webhookId: bigint,
  filter: { readonly status: WebhookMessageStatus | null; readonly page: ListPage },
): Promise<DeliveryRow[]> {
  let query = db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', webhookId);
  if (filter.status !== null) query = query.where('status', '=', filter.status);
  const { limit, after } = filter.page;
  if (after !== null) query = query.where('id', '<', after);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** Puts a test into the queue. */
export function insertTest(
  db: Kysely<Database>,
  workspaceId: number,
  webhookId: bigint,
  type: string,
): Promise<DeliveryRow> {
  return db
    .insertInto('webhook_deliveries')
    .values({
      workspace_id: workspaceId,
      webhook_id: webhookId,
      sequence: null,
      type,
      status: 'PENDING',
      next_at: sql<Date>`now()`,
      error: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A message that is sent again gets all its tries again. */
const UNTRIED = {
  status: 'PENDING',
  attempts: 0,
  next_at: sql<Date>`now()`,
  error: null,
  response_status: null,
  tried_at: null,
  ended_at: null,
} as const;

/** Sends messages again; returns how many there are of those ids. */
export async function resendDeliveries(
  db: Kysely<Database>,
  workspaceId: number,
  webhookId: bigint,
  ids: readonly bigint[],
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set(UNTRIED)
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', webhookId)
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** A webhook that a process works on. */
export interface ClaimedWebhook extends Pick<WebhookRow, 'workspace_id' | 'id' | 'url' | 'salt' | 'failing_since'> {
  readonly network_id: bigint;
  readonly environment: Environment;
}

/** How many webhooks are claimed. */
export interface ClaimBounds {
  readonly max: number;
  /** Most webhooks of one network, with those that this process is serving. */
  readonly ofNetworkMax: number;
  /** The networks of the webhooks that this process is serving. */
  readonly serving: readonly bigint[];
}

/**
 * Claims webhooks that have something to do, those first that have waited longest. No other process claims them within `leaseMs`, even if
 * this process dies. Webhooks of suspended networks wait.
 */
export async function claimWebhooks(
  db: Kysely<Database>,
  { max, ofNetworkMax, serving }: ClaimBounds,
  leaseMs: number,
): Promise<ClaimedWebhook[]> {
  const { rows } = await sql<ClaimedWebhook>`
    WITH ready AS (
      SELECT h.workspace_id, h.id, w.network_id, w.environment,
        row_number() OVER (PARTITION BY w.network_id ORDER BY h.leased_until NULLS FIRST, h.workspace_id, h.id) AS turn
      FROM webhooks h JOIN workspaces w ON w.id = h.workspace_id JOIN networks n ON n.id = w.network_id
        LEFT JOIN audit_heads a ON a.network_id = w.network_id
      WHERE h.status = 'ACTIVE' AND n.status <> 'SUSPENDED' AND (h.leased_until IS NULL OR h.leased_until <= now())
        AND (a.sequence > h.position OR EXISTS (
          SELECT FROM webhook_deliveries d
          WHERE d.workspace_id = h.workspace_id AND d.webhook_id = h.id AND d.status = 'PENDING' AND d.next_at <= now()))),
    due AS (
      SELECT h.workspace_id, h.id, r.network_id, r.environment
      FROM ready r JOIN webhooks h ON h.workspace_id = r.workspace_id AND h.id = r.id
      WHERE h.status = 'ACTIVE' AND (h.leased_until IS NULL OR h.leased_until <= now())
        AND r.turn + (SELECT count(*) FROM unnest(${serving.map(String)}::bigint[]) AS s (id) WHERE s.id = r.network_id) <= ${ofNetworkMax}
      ORDER BY h.leased_until NULLS FIRST, h.workspace_id, h.id LIMIT ${max}
      FOR UPDATE OF h SKIP LOCKED)
    UPDATE webhooks h SET leased_until = now() + make_interval(secs => ${leaseMs / 1_000})
    FROM due WHERE h.workspace_id = due.workspace_id AND h.id = due.id
    RETURNING h.workspace_id, h.id, h.url, h.salt, h.failing_since, due.network_id, due.environment`.execute(db);
  return rows;
}

/** Ends the claim: other processes may claim the webhook after `pauseMs`. */
export async function releaseWebhook(
  db: Kysely<Database>,
  { workspace_id: workspaceId, id }: Pick<ClaimedWebhook, 'workspace_id' | 'id'>,
  pauseMs: number,
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ leased_until: sql<Date>`now() + make_interval(secs => ${pauseMs / 1_000})` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** How many messages wait, at most `max`. */
export async function countPending(
  db: Kysely<Database>,
  workspaceId: number,
  webhookId: bigint,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) AS count FROM (
      SELECT FROM webhook_deliveries
      WHERE workspace_id = ${workspaceId} AND webhook_id = ${webhookId} AND status = 'PENDING' LIMIT ${max}) pending`.execute(
    db,
  );
  return Number(rows[0]?.count ?? 0);
}

/** Makes messages for changes. A change that has one, because it is sent again, gets all its tries again. */
export async function insertDeliveries(
  db: Kysely<Database>,
  workspaceId: number,
  webhookId: bigint,
  changes: readonly { readonly sequence: bigint; readonly type: string }[],
): Promise<void> {
  if (changes.length === 0) return;
  await db
    .insertInto('webhook_deliveries')
    .values(
      changes.map(({ sequence, type }) => ({
        workspace_id: workspaceId,
        webhook_id: webhookId,
        sequence,
        type,
        status: 'PENDING' as const,
        next_at: sql<Date>`now()`,
        error: null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['workspace_id', 'webhook_id', 'sequence']).doUpdateSet(UNTRIED))
    .execute();
}

/** Messages whose time has come, the oldest first. */
export function listDue(
  db: Kysely<Database>,
  workspaceId: number,
  webhookId: bigint,
  limit: number,
): Promise<DeliveryRow[]> {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'PENDING')
    .where('next_at', '<=', sql<Date>`now()`)
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The result of one try; with `retryMs` null there is no further one. */
export interface DeliveryOutcome {
  readonly id: bigint;
  readonly status: WebhookMessageStatus;
  readonly error: string | null;
  /** Null when there was no response. */
  readonly responseStatus: number | null;
  readonly retryMs: number | null;
}

/** Records tries, and whether the receiver fails: it does when the newest try failed. */
export async function recordTries(
  db: Kysely<Database>,
  workspaceId: number,
  webhookId: bigint,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> {
  for (const { id, status, error, responseStatus, retryMs } of outcomes) {
    await db
      .updateTable('webhook_deliveries')
      .set({
        status,
        error,
        response_status: responseStatus,
        tried_at: sql<Date>`now()`,
        attempts: sql<number>`attempts + 1`,
        next_at: retryMs === null ? null : sql<Date>`now() + make_interval(secs => ${retryMs / 1_000})`,
        ended_at: status === 'PENDING' ? null : sql<Date>`now()`,
      })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute();
  }
  const isFailing = outcomes.every(({ status }) => status !== 'DELIVERED');
  await db
    .updateTable('webhooks')
    .set({ failing_since: isFailing ? sql<Date>`coalesce(failing_since, now())` : null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', webhookId)
    .execute();
}

/** The receiver is back: what waited for another try is tried now. */
export async function hastenDeliveries(db: Kysely<Database>, workspaceId: number, webhookId: bigint): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ next_at: sql<Date>`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'PENDING')
    .where('attempts', '>', 0)
    .execute();
}

/** How many of the oldest messages a deletion looks at: more than are made between two. */
const OLDEST_LOOKED_AT = 2_000;

/** Deletes ended messages that are older than `days`, or beyond the newest `kept`, among the oldest 2,000. */
export async function deleteOldDeliveries(
  db: Kysely<Database>,
  workspaceId: number,
  webhookId: bigint,
  { days, kept }: { readonly days: number; readonly kept: number },
): Promise<void> {
  await sql`
    DELETE FROM webhook_deliveries WHERE workspace_id = ${workspaceId} AND id IN (
      SELECT id FROM (
        SELECT id, status, ended_at FROM webhook_deliveries
        WHERE workspace_id = ${workspaceId} AND webhook_id = ${webhookId} ORDER BY id LIMIT ${OLDEST_LOOKED_AT}) oldest
      WHERE status <> 'PENDING' AND (ended_at < now() - make_interval(days => ${days}) OR id <= (
        SELECT id FROM webhook_deliveries WHERE workspace_id = ${workspaceId} AND webhook_id = ${webhookId}
        ORDER BY id DESC OFFSET ${kept} LIMIT 1)))`.execute(db);
}
