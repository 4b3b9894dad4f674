import type { Kysely, Selectable } from 'kysely';
import { dropMails } from '../../mail/mails.sql.ts';
import { lockCount } from '../../storage/sql/count-lock.ts';
import type { InvitationsTable } from '../../storage/sql/access-schema.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { AuditActor } from '../audit/audit.sql.ts';
import { digestSecret, randomBase62 } from '../secrets/secret-text.ts';
import type { Role } from './roles.ts';

/** How long a one-time link works, by its purpose; a mailed password link expires earlier than the operator's. */
export const LINK_MS = {
  join: 7 * 86_400_000,
  password: 86_400_000,
  mailedPassword: 3_600_000,
  email: 86_400_000,
} as const;
/** How long an expired link is stored. */
const ENDED_KEPT_MS = 7 * 86_400_000;
const DELETED_MAX = 100;
const TOKEN_SHAPE = /^[0-9A-Za-z]{43}$/;

/**
 * The page of the console that opens a link, by its purpose. The token follows the #, which browsers do not send, so that no log has it.
 */
const PAGES: Readonly<Record<InvitationsTable['purpose'], string>> = {
  join: '/invitation',
  password: '/reset-password',
  email: '/confirm-address',
};

/** The store of links, and the secret of their tokens' digests. */
export interface LinkDeps {
  readonly sql: Kysely<Database>;
  readonly pepper: Buffer;
}

/** A link as it is stored. */
export type LinkRow = Selectable<InvitationsTable>;

/** A new link. */
export interface NewLink {
  readonly purpose: InvitationsTable['purpose'];
  readonly email: string;
  readonly networkId: string | null;
  readonly role: Role | null;
  /** Whose account it changes, for a new address. */
  readonly userId?: string;
  readonly lifeMs: number;
  readonly by: AuditActor;
}

/** The address that opens a link. */
export function linkAddress(baseUrl: string, purpose: InvitationsTable['purpose'], token: string): string {
  return `${baseUrl}${PAGES[purpose]}#${token}`;
}

/** The name of the mail about a link in the outbox. */
export function aboutLink(id: string | bigint): string {
  return `link:${id}`;
}

/** Makes a link in place of every open one of the same purpose for the same address; the token is returned here and never again. */
export async function insertLink(
  { sql, pepper }: LinkDeps,
  link: NewLink,
  now: Date,
): Promise<{ id: string; token: string }> {
  // Two concurrent requests would both find no open link to replace, and the second would violate the index.
  await lockCount(sql, `links to ${link.email}`);
  const replaced = await sql
    .deleteFrom('invitations')
    .where('purpose', '=', link.purpose)
    .where('email', '=', link.email)
    .where('network_id', 'is not distinct from', link.networkId === null ? null : BigInt(link.networkId))
    .where('user_id', 'is not distinct from', link.userId === undefined ? null : BigInt(link.userId))
    .where('used_at', 'is', null)
    .returning('id')
    .execute();
  for (const { id } of replaced) await dropMails(sql, aboutLink(id), now);
  await deleteOldLinks(sql, now);
  const token = randomBase62(43);
  const row = await sql
    .insertInto('invitations')
    .values({
      digest: digestSecret(pepper, 'invitation', token),
      purpose: link.purpose,
      email: link.email,
      network_id: link.networkId,
      role: link.role,
      user_id: link.userId ?? null,
      created_by: link.by.actor,
      created_at: now,
      expires_at: new Date(now.getTime() + link.lifeMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id: String(row.id), token };
}

/** The audit log has everything about links that ended long ago. Each new link deletes some of them. */
async function deleteOldLinks(sql: Kysely<Database>, now: Date): Promise<void> {
  const old = sql
    .selectFrom('invitations')
    .select('id')
    .where('expires_at', '<', new Date(now.getTime() - ENDED_KEPT_MS))
    .limit(DELETED_MAX)
    .forUpdate()
    .skipLocked();
  await sql.deleteFrom('invitations').where('id', 'in', old).execute();
}

/** The open link of a token; null when it is unknown, used or expired. `isLocked` locks it until the transaction ends. */
export async function readOpenLink(
  { sql, pepper }: LinkDeps,
  token: string,
  now: Date,
  isLocked = false,
): Promise<LinkRow | null> {
  if (!TOKEN_SHAPE.test(token)) return null;
  let query = sql
    .selectFrom('invitations')
    .selectAll()
    .where('digest', '=', digestSecret(pepper, 'invitation', token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now);
  if (isLocked) query = query.forUpdate();
  return (await query.executeTakeFirst()) ?? null;
}

/** Gives an open link a new token; the old one stops working. Null when there is no such open link. */
export async function renewToken(
  { sql, pepper }: LinkDeps,
  id: string,
  now: Date,
): Promise<{ link: LinkRow; token: string } | null> {
  const token = randomBase62(43);
  const link = await sql
    .updateTable('invitations')
    .set({ digest: digestSecret(pepper, 'invitation', token) })
    .where('id', '=', BigInt(id))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  return link === undefined ? null : { link, token };
}

/** Uses a link up. */
export async function markUsed(sql: Kysely<Database>, id: bigint, now: Date): Promise<void> {
  await sql.updateTable('invitations').set({ used_at: now }).where('id', '=', id).execute();
  await dropMails(sql, aboutLink(id), now);
}
