import { type Kysely, sql } from 'kysely';
import { lockCount } from '../storage/sql/count-lock.ts';
import type { MailsTable } from '../storage/sql/access-schema.ts';
import type { Database } from '../storage/sql/schema.ts';
import type { MailKind } from './mail-content.ts';

/** A mail that is to be put into the outbox. */
export interface MailRow {
  readonly messageId: string;
  readonly networkId: string | null;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly about: string;
  readonly sealed: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A mail that one process has taken for sending. */
export interface ClaimedMail {
  readonly id: bigint;
  readonly message_id: string;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly sealed: Buffer;
  readonly attempts: number;
  readonly expires_at: Date;
}

/** How a try ended: `retryAt` with QUEUED only. */
export interface MailOutcome {
  readonly status: MailsTable['status'];
  /** For a network's admin. */
  readonly error: string | null;
  /** For the log. */
  readonly detail: string | null;
  readonly retryAt: Date | null;
}

/** How many mails the limits find. */
export interface MailCounts {
  readonly hour: number;
  readonly day: number;
  readonly networkDay: number;
}

/** Counts mails of a kind in the last hour and day; in a transaction, nobody else counts for this address or network until it ends. */
export async function countMails(
  db: Kysely<Database>,
  mail: Pick<MailRow, 'networkId' | 'kind' | 'recipient'>,
  now: Date,
): Promise<MailCounts> {
  const { networkId, kind, recipient } = mail;
  // One order for all transactions: the network first, then the address.
  if (networkId !== null) await lockCount(db, `mails of network ${networkId}`);
  await lockCount(db, `mails to ${recipient}`);
  const dayAgo = new Date(now.getTime() - 86_400_000);
  const hourAgo = new Date(now.getTime() - 3_600_000);
  const own = sql`network_id IS NOT DISTINCT FROM ${networkId}::bigint`;
  const { rows } = await sql<{ hour: bigint; day: bigint; network_day: bigint }>`
    SELECT
      (SELECT count(*) FROM mails
        WHERE recipient = ${recipient} AND kind = ${kind} AND created_at > ${hourAgo} AND ${own}) AS hour,
      (SELECT count(*) FROM mails WHERE recipient = ${recipient} AND kind = ${kind} AND created_at > ${dayAgo}) AS day,
      (SELECT count(*) FROM mails
        WHERE network_id = ${networkId}::bigint AND kind = ${kind} AND created_at > ${dayAgo}) AS network_day`.execute(
    db,
  );
  const [row] = rows;
  return { hour: Number(row?.hour ?? 0), day: Number(row?.day ?? 0), networkDay: Number(row?.network_day ?? 0) };
}

/** Puts a mail into the outbox; it is due at once. */
export async function insertMail(db: Kysely<Database>, mail: MailRow): Promise<void> {
  await db
    .insertInto('mails')
    .values({
      message_id: mail.messageId,
      network_id: mail.networkId,
      kind: mail.kind,
      recipient: mail.recipient,
      about: mail.about,
      sealed: mail.sealed,
      status: 'QUEUED',
      error: null,
      created_at: mail.createdAt,
      due_at: mail.createdAt,
      expires_at: mail.expiresAt,
    })
    .execute();
}

/** Drops what is queued about something that is over, such as an invitation that was taken back. */
export async function dropMails(db: Kysely<Database>, about: string, now: Date): Promise<void> {
  await db
    .updateTable('mails')
    .set({ status: 'DROPPED', sealed: null, due_at: null, ended_at: now })
    .where('about', '=', about)
    .where('status', '=', 'QUEUED')
    .execute();
}

/** How the newest mail about each of these stands. */
export async function readMailStates(
  db: Kysely<Database>,
  abouts: readonly string[],
): Promise<Map<string, { status: MailsTable['status']; error: string | null }>> {
  if (abouts.length === 0) return new Map();
  const rows = await db
    .selectFrom('mails')
    .distinctOn('about')
    .select(['about', 'status', 'error'])
    .where('about', 'in', abouts)
    .orderBy('about')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ about, status, error }) => [about, { status, error }]));
}

/** Whether an address belongs to a member of a network whose account is in use. */
export async function isPresentMember(db: Kysely<Database>, networkId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.id')
    .where('memberships.network_id', '=', BigInt(networkId))
    .where('users.email', '=', email)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes mails that are due. Nobody else takes them within `leaseMs`, even if this process dies. */
export async function claimMails(
  db: Kysely<Database>,
  { max, leaseMs }: { readonly max: number; readonly leaseMs: number },
  now: Date,
): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    WITH due AS (
      SELECT id FROM mails WHERE status = 'QUEUED' AND due_at <= ${now} AND sealed IS NOT NULL
      ORDER BY due_at LIMIT ${max} FOR UPDATE SKIP LOCKED)
    UPDATE mails SET attempts = attempts + 1, due_at = ${new Date(now.getTime() + leaseMs)}
    FROM due WHERE mails.id = due.id
    RETURNING mails.id, message_id, kind, recipient, sealed, attempts, expires_at`.execute(db);
  return rows;
}

/** Replaces what a queued mail says: for a link that is made when it is sent, so that every try sends the same one. */
export async function rewriteMail(db: Kysely<Database>, id: bigint, sealed: Buffer): Promise<void> {
  await db.updateTable('mails').set({ sealed }).where('id', '=', id).where('status', '=', 'QUEUED').execute();
}

/** Notes how a try ended; what the mail said is deleted unless it is tried again. */
export async function recordMail(db: Kysely<Database>, id: bigint, outcome: MailOutcome, now: Date): Promise<void> {
  const isOver = outcome.retryAt === null;
  await db
    .updateTable('mails')
    .set({
      status: outcome.status,
      error: outcome.error,
      due_at: outcome.retryAt,
      ended_at: isOver ? now : null,
      ...(isOver ? { sealed: null } : {}),
    })
    .where('id', '=', id)
    .where('status', '=', 'QUEUED')
    .execute();
}

/** Deletes, in steps, what ended before an instant; what was dropped, which nobody looks at, before a later one. */
export async function deleteEndedMails(
  db: Kysely<Database>,
  before: { readonly ended: Date; readonly dropped: Date },
): Promise<void> {
  await sql`
    DELETE FROM mails WHERE id IN (
      SELECT id FROM mails WHERE status <> 'QUEUED'
        AND ended_at < CASE status WHEN 'DROPPED' THEN ${before.dropped}::timestamptz ELSE ${before.ended}::timestamptz END
      LIMIT 1000)`.execute(db);
}

/** How many mails wait, and how many were given up since an instant. */
export async function countOutbox(db: Kysely<Database>, since: Date): Promise<{ waiting: number; dead: number }> {
  const { rows } = await sql<{ waiting: bigint; dead: bigint }>`
    SELECT count(*) FILTER (WHERE status = 'QUEUED') AS waiting,
      count(*) FILTER (WHERE status = 'FAILED' AND ended_at >= ${since}) AS dead
    FROM mails WHERE status = 'QUEUED' OR status = 'FAILED'`.execute(db);
  return { waiting: Number(rows[0]?.waiting ?? 0), dead: Number(rows[0]?.dead ?? 0) };
}
