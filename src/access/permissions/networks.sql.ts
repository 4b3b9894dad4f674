import { type Kysely, sql } from 'kysely';
import { isTimeZone } from '../../domain/time/calendar.ts';
import { fieldError, PlacardError } from '../../domain/errors.ts';
import { inNfc } from '../../domain/text/one-form.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import {
  ENVIRONMENTS,
  type Environment,
  NETWORK_STATUSES,
  type NetworkStatus,
} from '../../domain/tenancy/workspace.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { type AuditActor, recordAudit } from '../audit/audit.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';
import { isNoProbe } from '../networks/probe-network.sql.ts';

/** The first id that a network gets when its operator names none. 1000 is the demo's, 999 the probe's. */
const FIRST_ID = 1_001n;
/** Held while an id is chosen, so that two commands never choose the same one. */
const CHOOSE_ID_LOCK = 'networks/choose-id';

/** The fields of a new network. */
export interface NewNetwork {
  /** 1…200 characters. */
  readonly name: string;
  /** Decimal id, 1 or more; absent: the next free one from 1001 on. */
  readonly id?: string;
  /** IANA name; its day is the network's day. */
  readonly timezone: string;
  /** ISO 4217 code; all money of the network is in it. */
  readonly currency: string;
  readonly by: AuditActor;
}

/** A network as the operator's list shows it. */
export interface NetworkListing {
  readonly id: string;
  readonly name: string;
  readonly status: NetworkStatus;
  readonly timezone: string;
  readonly currency: string;
  readonly createdAt: Date;
  /** Null: it is open. */
  readonly closedAt: Date | null;
  /** When its deletion begins; null: none is planned. */
  readonly deleteAt: Date | null;
}

/** A network that was made, with the workspaces of its environments. */
export interface MadeNetwork {
  readonly id: string;
  readonly workspaceIds: Readonly<Record<Environment, number>>;
}

/**
 * Makes a network with both its workspaces (conformance E1), and records it in the installation's log and its own, in one transaction.
 *
 * @throws PlacardError `validation_failed` naming the field (also for an id that is taken).
 */
export async function createNetwork(
  db: Kysely<Database>,
  input: NewNetwork,
  now: Date = new Date(),
): Promise<MadeNetwork> {
  const name = inNfc(input.name.trim());
  checkNetwork({ ...input, name });
  return inTransaction(db, async (trx) => {
    const id = input.id ?? (await chooseId(trx));
    await refuseDeletedId(trx, id);
    const { timezone, currency } = input;
    const row = await trx
      .insertInto('networks')
      .values({ id: BigInt(id), name, timezone, currency, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) throw fieldError('id', 'taken', `there is a network ${id} already`);
    const workspaceIds = { production: 0, staging: 0 };
    for (const environment of ENVIRONMENTS) {
      const made = await trx
        .insertInto('workspaces')
        .values({ network_id: BigInt(id), environment })
        .returning('id')
        .executeTakeFirstOrThrow();
      workspaceIds[environment] = made.id;
    }
    const entry = {
      action: 'network.create',
      objectKind: 'network',
      objectId: id,
      after: { name, timezone, currency },
    };
    const own = { ...input.by, networkId: id, workspaceId: null };
    const installation = { ...input.by, networkId: '0', workspaceId: null };
    await recordAudit(
      trx,
      [
        { ...entry, by: installation },
        { ...entry, by: own },
      ],
      now,
    );
    return { id, workspaceIds };
  });
}

/**
 * Sets a network's status for the operator, who alone suspends and lifts a suspension. Recorded in the network's own log. Setting the
 * present status changes and records nothing.
 *
 * @throws PlacardError `unknown_network`; `conflict` when it is closed; `validation_failed` for another status than `NETWORK_STATUSES`
 */
export async function setNetworkStatus(
  db: Kysely<Database>,
  { id, status, by }: { readonly id: string; readonly status: string; readonly by: AuditActor },
  now: Date = new Date(),
): Promise<{ readonly before: NetworkStatus; readonly after: NetworkStatus }> {
  const after = NETWORK_STATUSES.find((known) => known === status);
  if (after === undefined) throw fieldError('status', 'unknown', `give one of ${NETWORK_STATUSES.join(', ')}`);
  if (!isDecimalId(id)) throw new PlacardError('unknown_network', `There is no network ${id.slice(0, 40)}.`);
  return inTransaction(db, async (trx) => {
    const row = await trx
      .selectFrom('networks')
      .select(['status', 'closed_at'])
      .where('id', '=', BigInt(id))
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw new PlacardError('unknown_network', `There is no network ${id}.`);
    if (row.closed_at !== null)
      throw new PlacardError('conflict', `Network ${id} is closed. Open it first: placard networks reopen ${id}`);
    if (row.status === after) return { before: after, after };
    await trx
      .updateTable('networks')
      .set((eb) => ({ status: after, version: eb('version', '+', 1), updated_at: now }))
      .where('id', '=', BigInt(id))
      .execute();
    const change = { objectKind: 'network', objectId: id, before: { status: row.status }, after: { status: after } };
    await recordAudit(
      trx,
      { ...change, action: 'network.update', by: { ...by, networkId: id, workspaceId: null } },
      now,
    );
    return { before: row.status, after };
  });
}

/** The networks of the installation, by id; at most 10,000. `withProbe`: also that of the probe, which is nobody's. */
export async function listNetworks(db: Kysely<Database>, { withProbe = false } = {}): Promise<NetworkListing[]> {
  const all = db
    .selectFrom('networks')
    .select(['id', 'name', 'status', 'timezone', 'currency', 'created_at', 'closed_at', 'delete_at'])
    .orderBy('id')
    .limit(10_000);
  const rows = await (withProbe ? all : all.where(isNoProbe)).execute();
  return rows.map(({ id, created_at: createdAt, closed_at: closedAt, delete_at: deleteAt, ...row }) => ({
    id: String(id),
    ...row,
    createdAt,
    closedAt,
    deleteAt,
  }));
}

function checkNetwork({ name, id, timezone, currency }: Omit<NewNetwork, 'by'>): void {
  if (name === '' || name.length > 200 || name.includes('\0')) {
    throw fieldError('name', 'bad_length', 'give a name of 1 to 200 characters');
  }
  if (id !== undefined && !isDecimalId(id)) {
    throw fieldError('id', 'not_an_id', 'write a whole number of at most 18 digits, 1 or more');
  }
  if (!isTimeZone(timezone)) {
    throw fieldError('timezone', 'unknown', 'write an IANA time zone, such as Europe/Warsaw');
  }
  if (!Intl.supportedValuesOf('currency').includes(currency)) {
    throw fieldError('currency', 'unknown', 'write an ISO 4217 code in capitals, such as EUR');
  }
}

/** The audit log and backups still hold the former network. */
async function refuseDeletedId(trx: Kysely<Database>, id: string): Promise<void> {
  const deleted = await trx
    .selectFrom('network_deletions')
    .select('name')
    .where('network_id', '=', BigInt(id))
    .executeTakeFirst();
  if (deleted !== undefined) throw fieldError('id', 'taken', `network ${id} was deleted; choose an id that is new`);
}

async function chooseId(trx: Kysely<Database>): Promise<string> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${CHOOSE_ID_LOCK}, 0))`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    SELECT greatest(${FIRST_ID}::bigint, coalesce(max(id), 0) + 1)::text AS id
    FROM (SELECT id FROM networks UNION ALL SELECT network_id FROM network_deletions) AS used (id)`.execute(trx);
  return rows[0]?.id ?? String(FIRST_ID);
}
