import type { Kysely, Selectable } from 'kysely';
import { fieldError, PlacardError } from '../../domain/errors.ts';
import { inNfc } from '../../domain/text/one-form.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import { type ListPage, WHOLE_LIST } from '../../domain/ids/list-page.ts';
import type { Database, HeaderCredentialsTable } from '../../storage/sql/schema.ts';
import { type AuditActor, recordAudit } from '../audit/audit.sql.ts';
import { digestHeaderToken, isLogin, newHeaderToken, newLogin } from './header-credential.ts';
import { inTransaction } from '../audit/transaction.sql.ts';

/** The fields of a new login/token pair (conformance H). */
export interface NewHeaderCredential {
  readonly workspaceId: number;
  /** 1…200 characters. */
  readonly name: string;
  /** Unique over the installation; absent = a random one. 3…100 of `A-Z a-z 0-9 . _ @ -`. */
  readonly login?: string;
  readonly by: AuditActor;
}

/** A pair as listings show it. */
export interface HeaderCredentialListing {
  readonly id: string;
  readonly workspaceId: number;
  readonly name: string;
  readonly login: string;
  readonly disabledAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/**
 * Makes a pair; the token is returned here and never again.
 *
 * @throws PlacardError `validation_failed` naming the field (also for a login that is taken).
 */
export async function createHeaderCredential(
  sql: Kysely<Database>,
  secrets: { readonly pepper: Buffer },
  input: NewHeaderCredential,
  now: Date = new Date(),
): Promise<{ id: string; login: string; token: string }> {
  const name = inNfc(input.name.trim());
  if (name === '' || name.length > 200 || name.includes('\0')) {
    throw fieldError('name', 'bad_length', 'give a name of 1 to 200 characters');
  }
  const login = input.login ?? newLogin();
  if (!isLogin(login))
    throw fieldError('login', 'bad_login', '3 to 100 letters, digits, dots, dashes, underscores or @');
  const token = newHeaderToken();
  return inTransaction(sql, async (trx) => {
    const row = await trx
      .insertInto('header_credentials')
      .values({
        workspace_id: input.workspaceId,
        name,
        login,
        token_digest: digestHeaderToken(secrets.pepper, login, token),
        created_by: input.by.actor,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('login').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) throw fieldError('login', 'taken', 'this login is taken; choose another');
    const id = String(row.id);
    const entry = { by: input.by, action: 'headerCredential.create', objectKind: 'headerCredential', objectId: id };
    await recordAudit(trx, { ...entry, after: { name, login } }, now);
    return { id, login, token };
  });
}

/**
 * Disables a pair at once and for good; disabling it again changes nothing.
 *
 * @throws PlacardError `not_found` when the workspace has no such pair.
 */
export async function disableHeaderCredential(
  sql: Kysely<Database>,
  input: { workspaceId: number; id: string; by: AuditActor },
  now: Date = new Date(),
): Promise<HeaderCredentialListing> {
  return inTransaction(sql, async (trx) => {
    const row = isDecimalId(input.id)
      ? await trx
          .selectFrom('header_credentials')
          .selectAll()
          .where('workspace_id', '=', input.workspaceId)
          .where('id', '=', BigInt(input.id))
          .forUpdate()
          .executeTakeFirst()
      : undefined;
    if (row === undefined) throw new PlacardError('not_found', 'There are no such report credentials.');
    if (row.disabled_at !== null) return toListing(row);
    await trx
      .updateTable('header_credentials')
      .set({ disabled_at: now })
      .where('workspace_id', '=', input.workspaceId)
      .where('id', '=', row.id)
      .execute();
    const entry = {
      by: input.by,
      action: 'headerCredential.disable',
      objectKind: 'headerCredential',
      objectId: input.id,
    };
    await recordAudit(
      trx,
      { ...entry, before: { login: row.login, disabledAt: null }, after: { disabledAt: now } },
      now,
    );
    return { ...toListing(row), disabledAt: now };
  });
}

/** Pairs of a workspace, newest first; only working ones unless `includeDisabled`. Without a page, at most 10,000. */
export async function listHeaderCredentials(
  sql: Kysely<Database>,
  workspaceId: number,
  options: { includeDisabled?: boolean; page?: ListPage } = {},
): Promise<HeaderCredentialListing[]> {
  let query = sql.selectFrom('header_credentials').selectAll().where('workspace_id', '=', workspaceId);
  if (options.includeDisabled !== true) query = query.where('disabled_at', 'is', null);
  const { limit, after } = options.page ?? WHOLE_LIST;
  if (after !== null) query = query.where('id', '<', after);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(toListing);
}

function toListing(row: Selectable<HeaderCredentialsTable>): HeaderCredentialListing {
  return {
    id: String(row.id),
    workspaceId: row.workspace_id,
    name: row.name,
    login: row.login,
    disabledAt: row.disabled_at,
    lastUsedAt: row.last_used_at,
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
