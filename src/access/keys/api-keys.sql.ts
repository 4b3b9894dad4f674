import type { Kysely, Selectable, Transaction } from 'kysely';
import { checkAll, fieldError, PlacardError } from '../../domain/errors.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import { type ListPage, WHOLE_LIST } from '../../domain/ids/list-page.ts';
import {
  type Environment,
  MODULES,
  type Module,
  PERMISSIONS,
  type Permission,
} from '../../domain/tenancy/workspace.ts';
import type { BuyerScope } from '../../domain/tenancy/principal.ts';
import { lockCount } from '../../storage/sql/count-lock.ts';
import type { ApiKeysTable, Database } from '../../storage/sql/schema.ts';
import { newApiKeyValue, shownPrefix } from './api-key.ts';
import { type AuditActor, recordAudit } from '../audit/audit.sql.ts';
import { keyReach, reachColumns } from './buyer-key.ts';
import { checkAllowlist } from './ip-allowlist.ts';
import { digestSecret } from '../secrets/secret-text.ts';
import { endSharesOfKey } from '../users/end-shares.sql.ts';
import { revokeLinks } from '../users/revoke-links.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';

/** The fields of a new key (conformance K1). */
export interface NewApiKey {
  readonly workspaceId: number;
  /** 1…200 characters. */
  readonly name: string;
  readonly permission: Permission;
  /** null = all modules. */
  readonly modules: readonly Module[] | null;
  /** The advertisers that a buyer's key is bound to; null or absent: the network's own key. */
  readonly buyer?: BuyerScope | null;
  /** Addresses and CIDR ranges, at most 100; empty or absent = from anywhere. */
  readonly ipAllowlist?: readonly string[];
  /** null or absent = never. */
  readonly expiresAt?: Date | null;
  readonly by: AuditActor;
}

/** A key as listings show it (K3), without its value. */
export interface ApiKeyListing {
  readonly id: string;
  readonly workspaceId: number;
  readonly name: string;
  readonly permission: Permission;
  readonly modules: readonly Module[] | null;
  /** null: the network's own key. */
  readonly buyer: BuyerScope | null;
  /** `plc_live_ab1…` and the last four characters of the value. */
  readonly prefix: string;
  readonly lastFour: string;
  readonly ipAllowlist: readonly string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** Most keys of one workspace, without revoked ones. */
export const API_KEYS_MAX = 1_000;
/** Most advertisers of one key. */
const BUYER_ADVERTISERS_MAX = 100;

/**
 * Makes a key; its value is returned here and never again (K2). The audit entry is written in the same transaction.
 *
 * @throws PlacardError `validation_failed` naming the field.
 */
export async function createApiKey(
  sql: Kysely<Database>,
  secrets: { readonly pepper: Buffer },
  input: NewApiKey,
  now: Date = new Date(),
): Promise<{ id: string; value: string }> {
  checkNewKey(input, now);
  return inTransaction(sql, async (trx) => {
    await checkKeyCount(trx, input.workspaceId);
    await checkBuyerAdvertisers(trx, input);
    return insertKey(trx, secrets, input, now);
  });
}

/**
 * Makes a new key with the settings of an old one, which expires at `oldExpiresAt` (or at its own expiry, if that is earlier).
 *
 * @throws PlacardError `not_found` when the workspace has no such active key; `validation_failed` for an instant in the past.
 */
export async function rotateApiKey(
  sql: Kysely<Database>,
  secrets: { readonly pepper: Buffer },
  input: { workspaceId: number; id: string; oldExpiresAt: Date; expiresAt?: Date | null; by: AuditActor },
  now: Date = new Date(),
): Promise<{ id: string; value: string }> {
  if (Number.isNaN(input.oldExpiresAt.getTime()) || input.oldExpiresAt < now) {
    throw fieldError('oldExpiresAt', 'in_the_past', 'the old key can only expire now or later');
  }
  return inTransaction(sql, async (trx) => {
    const old = await lockKey(trx, input.workspaceId, input.id);
    if (old === null || old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt <= now)) throw noSuchKey();
    const diesAt = old.expiresAt !== null && old.expiresAt < input.oldExpiresAt ? old.expiresAt : input.oldExpiresAt;
    await trx
      .updateTable('api_keys')
      .set({ expires_at: diesAt })
      .where('workspace_id', '=', input.workspaceId)
      .where('id', '=', BigInt(old.id))
      .execute();
    const { name, permission, modules, buyer, ipAllowlist } = old;
    const expiresAt = input.expiresAt ?? null;
    const fresh: NewApiKey = {
      workspaceId: input.workspaceId,
      name,
      permission,
      modules,
      buyer,
      ipAllowlist,
      expiresAt,
      by: input.by,
    };
    checkNewKey(fresh, now);
    const made = await insertKey(trx, secrets, fresh, now);
    const after = { expiresAt: diesAt, replacedBy: made.id };
    const before = { expiresAt: old.expiresAt };
    await recordAudit(
      trx,
      { by: input.by, action: 'apiKey.rotate', objectKind: 'apiKey', objectId: old.id, before, after },
      now,
    );
    return made;
  });
}

/**
 * Revokes a key for good, with the links to reports that it made; revoking it again changes nothing.
 *
 * @throws PlacardError `not_found` when the workspace has no such key.
 */
export async function revokeApiKey(
  sql: Kysely<Database>,
  input: { workspaceId: number; id: string; by: AuditActor },
  now: Date = new Date(),
): Promise<ApiKeyListing> {
  return inTransaction(sql, async (trx) => {
    const key = await lockKey(trx, input.workspaceId, input.id);
    if (key === null) throw noSuchKey();
    if (key.revokedAt !== null) return key;
    await trx
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('workspace_id', '=', input.workspaceId)
      .where('id', '=', BigInt(key.id))
      .execute();
    const before = { name: key.name, revokedAt: null };
    const after = { revokedAt: now };
    const entry = { by: input.by, action: 'apiKey.revoke', objectKind: 'apiKey', objectId: key.id, before, after };
    // A stolen key may have invited the thief.
    const revoked = await revokeLinks(trx, { networkId: null, madeBy: `key:${key.id}`, by: input.by }, now);
    await endSharesOfKey(trx, { workspaceId: input.workspaceId, id: key.id }, now);
    await recordAudit(trx, [entry, ...revoked], now);
    return { ...key, revokedAt: now };
  });
}

/** Keys of a workspace, newest first; only those that are neither revoked nor expired unless `includeInactive`. Without a page, at most 10,000. */
export async function listApiKeys(
  sql: Kysely<Database>,
  workspaceId: number,
  options: { includeInactive?: boolean; now?: Date; page?: ListPage } = {},
): Promise<ApiKeyListing[]> {
  let query = sql.selectFrom('api_keys').selectAll().where('workspace_id', '=', workspaceId);
  if (options.includeInactive !== true) {
    const now = options.now ?? new Date();
    query = query
      .where('revoked_at', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));
  }
  const { limit, after } = options.page ?? WHOLE_LIST;
  if (after !== null) query = query.where('id', '<', after);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(toListing);
}

/** One key of a workspace; null when it has none of that id. */
export async function findApiKey(
  sql: Kysely<Database>,
  workspaceId: number,
  id: string,
): Promise<ApiKeyListing | null> {
  if (!isDecimalId(id)) return null;
  const row = await sql
    .selectFrom('api_keys')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', BigInt(id))
    .executeTakeFirst();
  return row === undefined ? null : toListing(row);
}

async function insertKey(
  trx: Transaction<Database>,
  secrets: { readonly pepper: Buffer },
  input: NewApiKey,
  now: Date,
): Promise<{ id: string; value: string }> {
  const environment = await readEnvironment(trx, input.workspaceId);
  const value = newApiKeyValue(environment);
  const shown = { prefix: shownPrefix(value), last_four: value.slice(-4) };
  const row = await trx
    .insertInto('api_keys')
    .values({
      workspace_id: input.workspaceId,
      name: input.name.trim(),
      permission: input.permission,
      ...reachColumns(input.modules, input.buyer ?? null),
      digest: digestSecret(secrets.pepper, 'api-key', value),
      ...shown,
      ip_allowlist: [...(input.ipAllowlist ?? [])],
      expires_at: input.expiresAt ?? null,
      created_by: input.by.actor,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const id = String(row.id);
  const { name, permission, modules, buyer = null, ipAllowlist = [], expiresAt = null } = input;
  const after = {
    name,
    permission,
    modules,
    ...(buyer === null ? {} : { buyer }),
    environment,
    ipAllowlist,
    expiresAt,
    prefix: shown.prefix,
    lastFour: shown.last_four,
  };
  await recordAudit(trx, { by: input.by, action: 'apiKey.create', objectKind: 'apiKey', objectId: id, after }, now);
  return { id, value };
}

async function lockKey(trx: Transaction<Database>, workspaceId: number, id: string): Promise<ApiKeyListing | null> {
  if (!isDecimalId(id)) return null;
  const row = await trx
    .selectFrom('api_keys')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', BigInt(id))
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toListing(row);
}

async function readEnvironment(trx: Transaction<Database>, workspaceId: number): Promise<Environment> {
  const row = await trx.selectFrom('workspaces').select('environment').where('id', '=', workspaceId).executeTakeFirst();
  if (row === undefined)
    throw fieldError('workspaceId', 'unknown_workspace', 'there is no such network and environment');
  return row.environment;
}

async function checkKeyCount(trx: Transaction<Database>, workspaceId: number): Promise<void> {
  await lockCount(trx, `keys of ${workspaceId}`);
  const row = await trx
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<bigint>().as('keys'))
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(row.keys) >= API_KEYS_MAX) {
    throw fieldError('name', 'too_many_keys', `this environment already has ${API_KEYS_MAX} keys; revoke some first`);
  }
}

function checkNewKey(input: NewApiKey, now: Date): void {
  const { permission, modules, buyer = null, ipAllowlist = [], expiresAt = null } = input;
  checkAll([
    () => checkKeyName(input.name.trim()),
    () => {
      if (!PERMISSIONS.includes(permission))
        throw fieldError('permission', 'unknown_permission', `one of ${PERMISSIONS.join(', ')}`);
    },
    () => {
      if (modules !== null) checkModules(modules);
    },
    () => {
      if (buyer !== null) checkBuyer(buyer, permission, modules);
    },
    () => checkAllowlist(ipAllowlist, 'ipAllowlist'),
    () => {
      if (expiresAt !== null && !(expiresAt > now))
        throw fieldError('expiresAt', 'in_the_past', 'give an instant in the future');
    },
  ]);
}

function checkKeyName(name: string): void {
  if (name === '' || name.length > 200) throw fieldError('name', 'bad_length', 'give a name of 1 to 200 characters');
  if (name.includes('\0')) throw fieldError('name', 'bad_character', 'leave out the null character');
}

function checkModules(modules: readonly Module[]): void {
  if (modules.length === 0)
    throw fieldError('modules', 'empty', 'name at least one module, or none at all for all modules');
  for (const name of modules) {
    if (!MODULES.includes(name)) throw fieldError('modules', 'unknown_module', `one or more of ${MODULES.join(', ')}`);
  }
  if (new Set(modules).size !== modules.length) throw fieldError('modules', 'duplicate', 'name each module once');
}

/** A buyer's key names its advertisers, and never administers. */
function checkBuyer({ advertiserIds }: BuyerScope, permission: Permission, modules: readonly Module[] | null): void {
  if (permission === 'admin')
    throw fieldError('permission', 'not_allowed', 'the key of a buyer has READ_ONLY or READ_WRITE');
  if (modules !== null) throw fieldError('modules', 'not_allowed', 'the key of a buyer has no modules; leave them out');
  if (advertiserIds.length === 0 || advertiserIds.length > BUYER_ADVERTISERS_MAX)
    throw fieldError('advertiserIds', 'out_of_range', `name 1 to ${BUYER_ADVERTISERS_MAX} advertisers of the buyer`);
}

async function checkBuyerAdvertisers(
  trx: Transaction<Database>,
  { workspaceId, buyer = null }: NewApiKey,
): Promise<void> {
  if (buyer === null) return;
  const ids = buyer.advertiserIds.filter(isDecimalId).map(BigInt);
  const rows = await trx
    .selectFrom('advertisers')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [0n, ...ids])
    .execute();
  const known = new Set(rows.map(({ id }) => String(id)));
  const unknown = buyer.advertiserIds.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw fieldError(`advertiserIds.${unknown}`, 'unknown', 'there is no advertiser with this id');
}

function noSuchKey(): PlacardError {
  return new PlacardError('not_found', 'There is no such API key.');
}

function toListing(row: Selectable<ApiKeysTable>): ApiKeyListing {
  const { modules, buyer = null } = keyReach(row);
  return {
    id: String(row.id),
    workspaceId: row.workspace_id,
    name: row.name,
    permission: row.permission,
    modules,
    buyer,
    prefix: row.prefix,
    lastFour: row.last_four,
    ipAllowlist: row.ip_allowlist,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
