import type { Kysely, Selectable } from 'kysely';
import type { ListPage } from '../../../domain/ids/list-page.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import type { AgentRequestsTable, AgentRequestState } from '../../../storage/sql/team-schema.ts';

export type AgentRequestRow = Selectable<AgentRequestsTable>;

/** Most outdated requests that one insert deletes. */
const SWEEP_MAX = 100;
const ITEMS_MAX = 1_000;

/** A request that begins. */
export interface NewAgentRequest {
  readonly workspaceId: number;
  readonly caller: string;
  readonly agent: string;
  readonly tool: string;
  readonly advertiserId: bigint | null;
  readonly idempotencyKey: string;
  readonly digest: string;
  readonly request: unknown;
  readonly noticeTarget: Buffer | null;
  readonly at: Date;
}

/** Stores a request; null when its key has one already. Waits for a transaction that inserts the same key. */
export async function insertRequest(db: Kysely<Database>, given: NewAgentRequest): Promise<AgentRequestRow | null> {
  const row = await db
    .insertInto('agent_requests')
    .values({
      workspace_id: given.workspaceId,
      caller: given.caller,
      agent: given.agent,
      tool: given.tool,
      advertiser_id: given.advertiserId,
      idempotency_key: given.idempotencyKey,
      digest: given.digest,
      state: 'RUNNING',
      request: JSON.stringify(given.request),
      notice_target: given.noticeTarget,
      notice_status: given.noticeTarget === null ? null : 'WAITING',
      created_at: given.at,
      updated_at: given.at,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'caller', 'idempotency_key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** The request of a key, locked until the transaction ends; absent where the caller no longer reaches its advertiser. */
export async function lockRequestOfKey(
  db: Kysely<Database>,
  { workspaceId, caller, idempotencyKey }: Pick<NewAgentRequest, 'workspaceId' | 'caller' | 'idempotencyKey'>,
): Promise<AgentRequestRow | undefined> {
  return db
    .selectFrom('agent_requests')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('caller', '=', caller)
    .where('idempotency_key', '=', idempotencyKey)
    .forUpdate()
    .executeTakeFirst();
}

/** One request, locked until the transaction ends. */
export async function lockRequest(db: Kysely<Database>, workspaceId: number, id: bigint) {
  return db
    .selectFrom('agent_requests')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Which requests a list has. */
export interface RequestFilter {
  readonly states: readonly AgentRequestState[] | null;
  readonly tools: readonly string[] | null;
  readonly campaignIds: readonly bigint[] | null;
}

/** A page of requests, newest first. */
export async function listRequests(
  db: Kysely<Database>,
  workspaceId: number,
  { states, tools, campaignIds }: RequestFilter,
  { limit, after }: ListPage,
): Promise<AgentRequestRow[]> {
  return db
    .selectFrom('agent_requests')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .$if(states !== null, (query) => query.where('state', 'in', states ?? []))
    .$if(tools !== null, (query) => query.where('tool', 'in', tools ?? []))
    .$if(campaignIds !== null, (query) => query.where('campaign_id', 'in', campaignIds ?? []))
    .$if(after !== null, (query) => query.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** One request. */
export async function findRequest(db: Kysely<Database>, workspaceId: number, id: bigint) {
  return db
    .selectFrom('agent_requests')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

interface RequestChange {
  readonly state?: AgentRequestState;
  readonly response?: string;
  readonly idempotency_key?: string;
  readonly terms?: string | null;
  readonly campaign_id?: bigint | null;
  readonly reason?: string | null;
  readonly decided_by?: string;
  readonly decided_at?: Date;
  readonly notice_target?: null;
  readonly notice_status?: 'PENDING' | null;
  readonly notice_next_at?: Date;
  readonly updated_at: Date;
}

/** Changes a request, and returns it. */
export async function updateRequest(
  db: Kysely<Database>,
  workspaceId: number,
  id: bigint,
  change: RequestChange,
): Promise<AgentRequestRow> {
  return db
    .updateTable('agent_requests')
    .set(change)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes some of the requests before `before` that booked nothing. */
export async function sweepRequests(db: Kysely<Database>, workspaceId: number, before: Date): Promise<void> {
  // Old requests of all buyers: the rows are not bound to the caller.
  const whole = db.withoutPlugins();
  const old = await whole
    .selectFrom('agent_requests')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('campaign_id', 'is', null)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(SWEEP_MAX)
    .execute();
  if (old.length === 0) return;
  await whole
    .deleteFrom('agent_requests')
    .where('workspace_id', '=', workspaceId)
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .execute();
}

/** The advertiser and status of a campaign. */
export async function findBooking(db: Kysely<Database>, workspaceId: number, campaignId: bigint) {
  return db
    .selectFrom('campaigns')
    .select(['advertiser_id', 'status'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', campaignId)
    .executeTakeFirst();
}

/** The line items of a campaign with their statuses. A booking of an agent has at most 50; a person may add more. */
export async function listBookedItems(db: Kysely<Database>, workspaceId: number, campaignId: bigint) {
  return db
    .selectFrom('line_items')
    .select(['id', 'status'])
    .where('workspace_id', '=', workspaceId)
    .where('campaign_id', '=', campaignId)
    .orderBy('id')
    .limit(ITEMS_MAX)
    .execute();
}

/** Whether a workspace has an advertiser. */
export async function hasAdvertiser(db: Kysely<Database>, workspaceId: number, id: bigint): Promise<boolean> {
  const row = await db
    .selectFrom('advertisers')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}
