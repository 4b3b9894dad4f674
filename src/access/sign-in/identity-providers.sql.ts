import type { Kysely } from 'kysely';
import { checkAll, fieldError, PlacardError } from '../../domain/errors.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { type AuditActor, recordAudit } from '../audit/audit.sql.ts';
import { openBytes, sealBytes } from '../../storage/sealed-bytes.ts';
import { inTransaction } from '../audit/transaction.sql.ts';

/** The provider of the installation, which the operator trusts. */
export const INSTALLATION_PROVIDER = 'installation';

/** An OpenID Connect provider that members sign in with. */
export interface IdentityProvider {
  /** `installation`, or the id of the network that it belongs to. */
  readonly id: string;
  /** As the sign-in page shows it. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The store of network providers, and the secret that seals theirs. */
export interface IdentityProviderDeps {
  readonly sql: Kysely<Database>;
  readonly pepper: Buffer;
}

/** The network that a provider's sessions are limited to; null for the installation's. */
export function networkOf({ id }: Pick<IdentityProvider, 'id'>): string | null {
  return id === INSTALLATION_PROVIDER ? null : id;
}

/** A network's own provider; null when it has none. */
export async function findIdentityProvider(
  { sql, pepper }: IdentityProviderDeps,
  networkId: string,
): Promise<IdentityProvider | null> {
  if (!isDecimalId(networkId)) return null;
  const row = await sql
    .selectFrom('identity_providers')
    .selectAll()
    .where('network_id', '=', BigInt(networkId))
    .executeTakeFirst();
  if (row === undefined) return null;
  const label = { purpose: 'identity-provider', owner: networkId } as const;
  const clientSecret = openBytes(pepper, label, row.sealed_secret).toString();
  return { id: networkId, name: row.name, issuer: row.issuer, clientId: row.client_id, clientSecret };
}

/**
 * Sets a network's own provider. Members of the previous one have to sign in again.
 *
 * @throws PlacardError `validation_failed`
 */
export async function setIdentityProvider(
  { sql, pepper }: IdentityProviderDeps,
  provider: IdentityProvider & { readonly by: AuditActor },
  now: Date,
): Promise<void> {
  checkAll(
    (['name', 'issuer', 'clientId', 'clientSecret'] as const).map((field) => () => {
      const text = provider[field];
      if (text.trim() === '' || text.length > 500 || text.includes('\0'))
        throw fieldError(field, 'bad_length', 'give 1 to 500 characters');
    }),
  );
  const label = { purpose: 'identity-provider', owner: provider.id } as const;
  const values = {
    name: provider.name.trim(),
    issuer: provider.issuer,
    client_id: provider.clientId,
    sealed_secret: sealBytes(pepper, label, Buffer.from(provider.clientSecret)),
    updated_at: now,
  };
  await inTransaction(sql, async (trx) => {
    await trx
      .insertInto('identity_providers')
      .values({ network_id: provider.id, ...values })
      .onConflict((conflict) => conflict.column('network_id').doUpdateSet(values))
      .execute();
    await endSessionsOf(trx, provider.id);
    const { name, issuer, clientId } = provider;
    const entry = { by: provider.by, action: 'identityProvider.update', objectKind: 'network', objectId: provider.id };
    await recordAudit(trx, { ...entry, after: { name, issuer, clientId } }, now);
  });
}

/** Removes a network's own provider, with the sessions that it started and its connections. @throws PlacardError `not_found` */
export async function removeIdentityProvider(
  sql: Kysely<Database>,
  { networkId, by }: { readonly networkId: string; readonly by: AuditActor },
  now: Date,
): Promise<void> {
  await inTransaction(sql, async (trx) => {
    const gone = await trx
      .deleteFrom('identity_providers')
      .where('network_id', '=', BigInt(networkId))
      .returning('issuer')
      .executeTakeFirst();
    if (gone === undefined) throw new PlacardError('not_found', 'This network has no sign-in provider of its own.');
    await trx.deleteFrom('identities').where('provider', '=', networkId).execute();
    await endSessionsOf(trx, networkId);
    const entry = { by, action: 'identityProvider.remove', objectKind: 'network', objectId: networkId };
    await recordAudit(trx, { ...entry, before: { issuer: gone.issuer } }, now);
  });
}

async function endSessionsOf(trx: Kysely<Database>, networkId: string): Promise<void> {
  await trx.deleteFrom('sessions').where('network_id', '=', BigInt(networkId)).execute();
}
