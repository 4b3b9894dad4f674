import { type Kysely, type QueryCreator, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { AuditHeadsTable, AuditLogTable } from '../../storage/sql/access-schema.ts';
import type { Database } from '../../storage/sql/schema.ts';
import {
  type AuditRecord,
  cleanText,
  GENESIS_HASH,
  hashAuditRecord,
  instantText,
  redact,
  splitHashedText,
  toDate,
} from './audit-chain.ts';
import { inChangeSet, NEWEST_OF_SET } from './change-sets.sql.ts';

/** The actor and its address. A `Principal` is one. `networkId` '0' and `workspaceId` null: the installation. */
export interface AuditActor {
  readonly actor: string;
  readonly remoteAddress: string;
  readonly networkId: string;
  readonly workspaceId: number | null;
  /** The agent that acts for the actor, as it names itself. */
  readonly agent?: string;
}

/** One action. `before` and `after` hold the object's fields as a member knows them (the changed ones suffice). */
export interface AuditEntry {
  readonly by: AuditActor;
  /** `<objectKind>.<verb>`, such as `campaign.update`, `apiKey.revoke`. */
  readonly action: string;
  readonly objectKind: string;
  readonly objectId: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** More facts, such as a request id or a count. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** An entry as it is read back. */
export interface StoredAuditRecord extends AuditRecord {
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

/** Most entries in one call. */
export const AUDIT_BATCH_MAX = 1_000;

/**
 * Writes entries in the transaction of their change, so that neither exists without the other. Call it last: it locks the head of each
 * network's chain until the transaction ends.
 *
 * @throws RangeError for more than 1,000 entries.
 */
export async function recordAudit(
  trx: Transaction<Database>,
  entries: AuditEntry | readonly AuditEntry[],
  at: Date = new Date(),
): Promise<void> {
  const list = Array.isArray(entries) ? (entries as readonly AuditEntry[]) : [entries as AuditEntry];
  if (list.length > AUDIT_BATCH_MAX) throw new RangeError(`At most ${AUDIT_BATCH_MAX} audit entries in one call`);
  const byNetwork = Map.groupBy(list, (entry) => entry.by.networkId);
  // One order for all transactions, so that two of them never wait for each other.
  for (const networkId of [...byNetwork.keys()].sort()) {
    await appendToChain(trx, networkId, byNetwork.get(networkId) ?? [], at);
  }
}

async function appendToChain(
  trx: Transaction<Database>,
  networkId: string,
  entries: readonly AuditEntry[],
  at: Date,
): Promise<void> {
  const [only] = entries;
  if (only !== undefined && entries.length === 1) return appendOne(trx, networkId, only, at);
  const head = (await lockHead(trx, networkId)) ?? (await beginChain(trx, networkId));
  let sequence = BigInt(head.sequence);
  let previousHash: Buffer = head.hash;
  const rows = entries.map((entry) => {
    sequence += 1n;
    const record = toRecord(entry, networkId, sequence, at);
    const hash = hashAuditRecord(previousHash, record);
    const row = toRow(record, previousHash, hash);
    previousHash = hash;
    return row;
  });
  // One statement: all others of the network wait while the head is locked.
  const moved = (db: QueryCreator<Database>) =>
    db
      .updateTable('audit_heads')
      .set({ sequence, hash: previousHash })
      .where('network_id', '=', BigInt(networkId))
      .returning('network_id');
  await trx.with('moved', moved).insertInto('audit_log').values(rows).execute();
}

/** Appends one entry in one statement: the database works out the hash. The first entry of a network makes the head of its chain. */
async function appendOne(trx: Transaction<Database>, networkId: string, entry: AuditEntry, at: Date): Promise<void> {
  const record = toRecord(entry, networkId, 0n, at);
  const [before, after] = splitHashedText(record);
  const { workspaceId, actor, remoteAddress, action, objectKind, objectId } = record;
  const details = JSON.stringify(record.details);
  const append = sql`
    WITH head AS (
      SELECT sequence + 1 AS sequence, hash AS previous_hash FROM audit_heads WHERE network_id = ${networkId}::bigint FOR UPDATE),
    link AS (
      SELECT sequence, previous_hash, sha256(previous_hash || convert_to(${before}::text || sequence || ${after}::text, 'UTF8')) AS hash
      FROM head),
    moved AS (
      UPDATE audit_heads SET sequence = link.sequence, hash = link.hash FROM link WHERE network_id = ${networkId}::bigint)
    INSERT INTO audit_log (network_id, sequence, at, workspace_id, actor, remote_address, action, object_kind, object_id, details, previous_hash, hash)
    SELECT ${networkId}::bigint, sequence, ${at}::timestamptz, ${workspaceId}::int, ${actor}::text, ${remoteAddress}::text, ${action}::text,
      ${objectKind}::text, ${objectId}::text, ${details}::jsonb, previous_hash, hash FROM link`;
  const isAppended = async () => (await append.execute(trx)).numAffectedRows === 1n;
  if (await isAppended()) return;
  await beginningOf(networkId).execute(trx);
  if (!(await isAppended())) throw new Error(`The audit log has no head of network ${networkId}`);
}

type AuditHead = Pick<Selectable<AuditHeadsTable>, 'sequence' | 'hash'>;

function lockHead(trx: Transaction<Database>, networkId: string): Promise<AuditHead | undefined> {
  return trx
    .selectFrom('audit_heads')
    .select(['sequence', 'hash'])
    .where('network_id', '=', BigInt(networkId))
    .forUpdate()
    .executeTakeFirst();
}

/** The first entries of a network; another transaction may begin its chain at the same time. */
async function beginChain(trx: Transaction<Database>, networkId: string): Promise<AuditHead> {
  await beginningOf(networkId).execute(trx);
  const head = await lockHead(trx, networkId);
  if (head === undefined) throw new Error(`The audit log has no head of network ${networkId}`);
  return head;
}

function beginningOf(networkId: string): RawBuilder<unknown> {
  return sql`
    INSERT INTO audit_heads (network_id, sequence, hash) VALUES (${networkId}::bigint, 0, ${GENESIS_HASH}) ON CONFLICT DO NOTHING`;
}

function toRecord(entry: AuditEntry, networkId: string, sequence: bigint, at: Date): AuditRecord {
  const { before, after, more } = entry;
  return {
    networkId,
    sequence,
    at,
    workspaceId: entry.by.workspaceId,
    actor: cleanText(entry.by.actor).slice(0, 300),
    remoteAddress: cleanText(entry.by.remoteAddress).slice(0, 100),
    action: entry.action,
    objectKind: entry.objectKind,
    objectId: cleanText(entry.objectId).slice(0, 200),
    details: redact({
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      ...more,
      ...(entry.by.agent === undefined ? {} : { agent: cleanText(entry.by.agent).slice(0, 200) }),
    }),
  };
}

function toRow(record: AuditRecord, previousHash: Buffer, hash: Buffer) {
  return {
    network_id: record.networkId,
    sequence: record.sequence,
    at: record.at,
    workspace_id: record.workspaceId,
    actor: record.actor,
    remote_address: record.remoteAddress,
    action: record.action,
    object_kind: record.objectKind,
    object_id: record.objectId,
    details: JSON.stringify(record.details),
    previous_hash: previousHash,
    hash,
  };
}

/** Which entries to list; every field narrows. Times are inclusive of `from`, exclusive of `to`. */
export interface AuditFilter {
  readonly actor?: string;
  /** A part of the actor, whatever its case. */
  readonly actorContains?: string;
  readonly action?: string;
  readonly objectKind?: string;
  readonly objectId?: string;
  readonly from?: Date;
  readonly to?: Date;
  /** Entries of one change of many objects. */
  readonly changeSet?: string;
}

/** A page of a network's log, newest first: entries below `beforeSequence` (null: from the newest), at most `limit` (1…1,000). `isFolded`: as {@link NEWEST_OF_SET}. */
export async function listAudit(
  db: Kysely<Database>,
  networkId: string,
  filter: AuditFilter,
  page: { beforeSequence: bigint | null; limit: number; isFolded?: boolean },
): Promise<StoredAuditRecord[]> {
  let query = selectFiltered(db, networkId, filter).selectAll().select(EPOCH_MICROS);
  if (page.beforeSequence !== null) query = query.where('sequence', '<', page.beforeSequence);
  if (page.isFolded === true) query = query.where(NEWEST_OF_SET);
  const rows = await query
    .orderBy('sequence', 'desc')
    .limit(Math.min(Math.max(page.limit, 1), 1_000))
    .execute();
  return rows.map(fromRow);
}

/** How many entries match. */
export async function countAudit(db: Kysely<Database>, networkId: string, filter: AuditFilter): Promise<number> {
  const row = await selectFiltered(db, networkId, filter)
    .select((eb) => eb.fn.countAll<bigint>().as('entries'))
    .executeTakeFirstOrThrow();
  return Number(row.entries);
}

function selectFiltered(db: Kysely<Database>, networkId: string, filter: AuditFilter) {
  let query = db.selectFrom('audit_log').where('network_id', '=', BigInt(networkId));
  if (filter.actor !== undefined) query = query.where('actor', '=', filter.actor);
  if (filter.actorContains !== undefined)
    query = query.where(sql<boolean>`position(lower(${filter.actorContains}) IN lower(actor)) > 0`);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (filter.objectKind !== undefined) query = query.where('object_kind', '=', filter.objectKind);
  if (filter.objectId !== undefined) query = query.where('object_id', '=', filter.objectId);
  if (filter.from !== undefined) query = query.where('at', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('at', '<', filter.to);
  if (filter.changeSet !== undefined) query = query.where(inChangeSet(filter.changeSet));
  return query;
}

/** How many entries a network has above a sequence, and the oldest and newest of their instants in milliseconds since the epoch. */
export async function readUncovered(
  db: Kysely<Database>,
  networkId: string,
  aboveSequence: bigint,
): Promise<{ entries: number; oldestMs: number; newestMs: number }> {
  const { rows } = await sql<{ entries: string; oldest: number | null; newest: number | null }>`
    SELECT count(*) AS entries, extract(epoch FROM min(at))::float8 * 1000 AS oldest,
      extract(epoch FROM max(at))::float8 * 1000 AS newest FROM audit_log
    WHERE network_id = ${BigInt(networkId)} AND sequence > ${aboveSequence}`.execute(db);
  const found = rows[0];
  return { entries: Number(found?.entries ?? 0), oldestMs: found?.oldest ?? 0, newestMs: found?.newest ?? 0 };
}

/** Entries of one network above a sequence, oldest first: what the verification walks over. */
export async function readAuditForward(
  db: Kysely<Database>,
  networkId: string,
  afterSequence: bigint,
  limit: number,
): Promise<StoredAuditRecord[]> {
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .select(EPOCH_MICROS)
    .where('network_id', '=', BigInt(networkId))
    .where('sequence', '>', afterSequence)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}

/** The end of every network's chain, as `audit_heads` has it. */
export async function readAuditHeads(
  db: Kysely<Database>,
): Promise<{ networkId: string; sequence: bigint; hash: Buffer }[]> {
  const rows = await db.selectFrom('audit_heads').selectAll().orderBy('network_id').execute();
  return rows.map((row) => ({ networkId: String(row.network_id), sequence: BigInt(row.sequence), hash: row.hash }));
}

/** Every network id that has entries, also when `audit_heads` lacks it. */
export async function listAuditedNetworks(db: Kysely<Database>): Promise<string[]> {
  const rows = await sql<{ network_id: bigint }>`SELECT DISTINCT network_id FROM audit_log ORDER BY 1`.execute(db);
  return rows.rows.map((row) => String(row.network_id));
}

/** The instant of an entry to the microsecond, which a `Date` cannot hold. */
export const EPOCH_MICROS = sql<string>`trunc(extract(epoch FROM at) * 1000000)::text`.as('epoch_micros');

/** An entry as callers know it. */
export function fromRow(row: Selectable<AuditLogTable> & { readonly epoch_micros: string }): StoredAuditRecord {
  return {
    networkId: String(row.network_id),
    sequence: BigInt(row.sequence),
    at: toDate(row.epoch_micros) ?? new Date(0),
    exactAt: instantText(row.epoch_micros),
    workspaceId: row.workspace_id,
    actor: row.actor,
    remoteAddress: row.remote_address,
    action: row.action,
    objectKind: row.object_kind,
    objectId: row.object_id,
    details: row.details,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}
