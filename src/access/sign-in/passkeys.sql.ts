import type { Kysely } from 'kysely';
import { fieldError, PlacardError } from '../../domain/errors.ts';
import { inNfc } from '../../domain/text/one-form.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { type AuditActor, recordAudit } from '../audit/audit.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';

/** Most passkeys of one member. */
const PASSKEYS_MAX = 20;

/** A passkey as its owner's list shows it. */
export interface PasskeyListing {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** The fields of a passkey that check a signature. */
export interface StoredPasskey {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** The passkeys of a member, newest first. */
export async function listPasskeys(sql: Kysely<Database>, userId: string): Promise<PasskeyListing[]> {
  const rows = await sql
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', BigInt(userId))
    .orderBy('id', 'desc')
    .limit(PASSKEYS_MAX)
    .execute();
  return rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** The passkeys of a member, as a request for a signature lists them. */
export async function readPasskeys(sql: Kysely<Database>, userId: string): Promise<StoredPasskey[]> {
  const rows = await sql
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', BigInt(userId))
    .limit(PASSKEYS_MAX)
    .execute();
  return rows.map(toStored);
}

/** The passkey of a credential id; null when there is none. */
export async function findPasskey(sql: Kysely<Database>, credentialId: Buffer): Promise<StoredPasskey | null> {
  const row = await sql.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
  return row === undefined ? null : toStored(row);
}

/**
 * Adds a passkey to a person's account.
 *
 * @throws PlacardError `validation_failed` for a bad name, `conflict` for the 21st, or one that is registered already
 */
export async function addPasskey(
  sql: Kysely<Database>,
  input: Omit<StoredPasskey, 'id'> & { readonly name: string; readonly by: AuditActor },
  now: Date,
): Promise<{ id: string }> {
  const name = inNfc(input.name.trim());
  if (name === '' || name.length > 100 || name.includes('\0'))
    throw fieldError('name', 'bad_length', 'give a name of 1 to 100 characters');
  return inTransaction(sql, async (trx) => {
    const user_id = BigInt(input.userId);
    // Concurrent requests wait here for each other, so that the bound holds.
    await trx.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().executeTakeFirst();
    if ((await listPasskeys(trx, input.userId)).length >= PASSKEYS_MAX)
      throw new PlacardError('conflict', `An account has at most ${PASSKEYS_MAX} passkeys; remove one first.`);
    const row = await trx
      .insertInto('passkeys')
      .values({
        user_id,
        credential_id: input.credentialId,
        public_key: input.publicKey,
        counter: input.counter,
        transports: [...input.transports],
        name,
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) throw new PlacardError('conflict', 'This passkey is registered already.');
    const id = String(row.id);
    const entry = { by: input.by, action: 'user.passkeyAdd', objectKind: 'user', objectId: input.userId };
    await recordAudit(trx, { ...entry, after: { passkey: id, name } }, now);
    return { id };
  });
}

/** Removes a passkey. @throws PlacardError `not_found` */
export async function removePasskey(
  sql: Kysely<Database>,
  input: { readonly userId: string; readonly id: string; readonly by: AuditActor },
  now: Date,
): Promise<void> {
  await inTransaction(sql, async (trx) => {
    const gone = isDecimalId(input.id)
      ? await trx
          .deleteFrom('passkeys')
          .where('user_id', '=', BigInt(input.userId))
          .where('id', '=', BigInt(input.id))
          .returning('name')
          .executeTakeFirst()
      : undefined;
    if (gone === undefined) throw new PlacardError('not_found', 'This passkey does not exist.');
    const entry = { by: input.by, action: 'user.passkeyRemove', objectKind: 'user', objectId: input.userId };
    await recordAudit(trx, { ...entry, before: { passkey: input.id, name: gone.name } }, now);
  });
}

/** Records a use; false when the counter has not increased: two copies of one passkey are in use. */
export async function touchPasskey(
  sql: Kysely<Database>,
  passkey: StoredPasskey,
  counter: number,
  now: Date,
): Promise<boolean> {
  const result = await sql
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', BigInt(passkey.id))
    .where((eb) => (counter === 0 ? eb('counter', '=', 0n) : eb('counter', '<', BigInt(counter))))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

interface PasskeyRow {
  readonly id: bigint;
  readonly user_id: bigint;
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly counter: bigint;
  readonly transports: string[];
}

function toStored(row: PasskeyRow): StoredPasskey {
  return {
    id: String(row.id),
    userId: String(row.user_id),
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: row.transports,
  };
}
