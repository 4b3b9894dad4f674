import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';
import { userOfActor } from './approvals.sql.ts';

/** How many keys may be made by keys, one by the other, until nobody is known to have made the last one. */
const KEYS_DEEP_MAX = 10;

/** The booking whose writers are asked for. */
export interface Booking {
  readonly networkId: string;
  readonly workspaceId: number;
  readonly lineItemId: bigint;
  /** Its campaign, where its flight is that of the campaign; null: it has dates of its own. */
  readonly campaignId: bigint | null;
  /** When its approval was given last. */
  readonly since: Date | null;
}

/** The members who wrote something, themselves or by their keys. */
export interface Writers {
  readonly userIds: ReadonlySet<string>;
  /** Somebody wrote it who is not known to be a member, such as a key that the operator made. */
  readonly hasUnknown: boolean;
}

/** Who wrote a line item, or the flight that it has of its campaign, since its last approval, or asked for its approval. */
export async function findWriters(db: Kysely<Database>, of: Booking, requestedBy: string | null): Promise<Writers> {
  const actors = await listWriters(db, of);
  if (of.campaignId !== null) actors.push(...(await listFlightWriters(db, of, of.campaignId)));
  if (requestedBy !== null) actors.push(requestedBy);
  return resolveActors(db, of.networkId, actors);
}

function changesOf(db: Kysely<Database>, of: Booking, object: { readonly kind: string; readonly id: bigint }) {
  return db
    .selectFrom('audit_log')
    .where('network_id', '=', BigInt(of.networkId))
    .where('workspace_id', '=', of.workspaceId)
    .where('object_kind', '=', object.kind)
    .where('object_id', '=', String(object.id));
}

async function listWriters(db: Kysely<Database>, of: Booking): Promise<string[]> {
  const { since } = of;
  const rows = await changesOf(db, of, { kind: 'lineItem', id: of.lineItemId })
    .select('actor')
    .distinct()
    .where('action', 'in', ['lineItem.create', 'lineItem.update'])
    .$if(since !== null, (query) => query.where('at', '>', since as Date))
    .execute();
  return rows.map(({ actor }) => actor);
}

/** Who changed the flight of its campaign after it was booked in it. */
async function listFlightWriters(db: Kysely<Database>, of: Booking, campaignId: bigint): Promise<string[]> {
  const { since } = of;
  const booked = changesOf(db, of, { kind: 'lineItem', id: of.lineItemId })
    .select(({ fn }) => fn.min('at').as('at'))
    .where('action', '=', 'lineItem.create');
  const rows = await changesOf(db, of, { kind: 'campaign', id: campaignId })
    .select('actor')
    .distinct()
    .where('action', '=', 'campaign.update')
    .where(sql<boolean>`details -> 'after' ?| ARRAY['startsAt', 'endsAt']`)
    .where('at', '>', (eb) => eb.fn.coalesce(booked, sql<Date>`'-infinity'::timestamptz`))
    .$if(since !== null, (query) => query.where('at', '>', since as Date))
    .execute();
  return rows.map(({ actor }) => actor);
}

/** The users behind actors: of a key, the member who made it, also by another key. Where no key leads to a user, the writer is unknown. */
async function resolveActors(db: Kysely<Database>, networkId: string, actors: readonly string[]): Promise<Writers> {
  const userIds = new Set<string>();
  let hasUnknown = false;
  let open = [...actors];
  for (let depth = 0; open.length > 0; depth += 1) {
    const keyIds = new Set<string>();
    for (const actor of open) {
      const userId = userOfActor(actor);
      const keyId = /^key:(\d{1,18})(?: |$)/.exec(actor)?.[1];
      if (userId !== null) userIds.add(String(userId));
      else if (keyId === undefined || depth === KEYS_DEEP_MAX) hasUnknown = true;
      else keyIds.add(keyId);
    }
    const makers = await findMakers(db, networkId, keyIds);
    if (makers.size < keyIds.size) hasUnknown = true;
    open = [...makers.values()].flat();
  }
  return { userIds, hasUnknown };
}

/** The makers of keys of a network, in any of its environments. */
async function findMakers(
  db: Kysely<Database>,
  networkId: string,
  keyIds: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  if (keyIds.size === 0) return new Map();
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .select(['api_keys.id', 'api_keys.created_by'])
    .where('workspaces.network_id', '=', BigInt(networkId))
    .where('api_keys.id', 'in', [...keyIds].map(BigInt))
    .execute();
  const byKey = Map.groupBy(rows, ({ id }) => String(id));
  return new Map([...byKey].map(([id, found]) => [id, found.map(({ created_by }) => created_by)]));
}
