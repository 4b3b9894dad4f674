import type { ColumnType } from 'kysely';

type Int8 = ColumnType<bigint, bigint | number | string, bigint | number | string>;
type GeneratedInt8 = ColumnType<bigint, never, never>;
type Instant = ColumnType<Date, Date | string, Date | string>;
type NullableInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

/** Where the hash chain of a network ends. Network 0 is the installation. */
export interface AuditHeadsTable {
  network_id: Int8;
  sequence: Int8;
  hash: Buffer;
}

/** A signed line of heads, as the day's file has it; a trigger refuses every change to it. */
export interface AuditHeadLinesTable {
  number: Int8;
  line: string;
}

/** One entry of the audit log; a trigger refuses every change to it. */
export interface AuditLogTable {
  network_id: Int8;
  sequence: Int8;
  at: Instant;
  workspace_id: number | null;
  actor: string;
  remote_address: string;
  action: string;
  object_kind: string;
  object_id: string;
  details: ColumnType<Record<string, unknown>, string, never>;
  previous_hash: Buffer;
  hash: Buffer;
}

export interface SessionsTable {
  /** Keyed digest of the cookie's value. */
  digest: Buffer;
  id: GeneratedInt8;
  user_id: Int8;
  user_agent: string;
  remote_address: string;
  /** How it was started. */
  method: 'password' | 'passkey' | 'oidc' | 'link';
  /** The only network that it opens; null: every one of its user. */
  network_id: ColumnType<bigint | null, bigint | string | null | undefined, never>;
  /** When its user last proved who they are, after signing in. */
  verified_at: NullableInstant;
  created_at: Instant;
  last_seen_at: Instant;
  expires_at: Instant;
}

export interface InvitationsTable {
  id: GeneratedInt8;
  digest: Buffer;
  purpose: 'join' | 'password' | 'email';
  email: string;
  network_id: ColumnType<bigint | null, bigint | string | null, never>;
  role: 'viewer' | 'editor' | 'admin' | null;
  created_by: string;
  created_at: Instant;
  expires_at: Instant;
  used_at: NullableInstant;
  /** Whose account a link to a new address changes; null for every other purpose. */
  user_id: ColumnType<bigint | null, bigint | string | null | undefined, never>;
}

/** The outbox: pending and sent mails, which the limits count. Owned by the mail module. */
export interface MailsTable {
  id: GeneratedInt8;
  /** Also the mail's Message-ID: the same for every try. */
  message_id: ColumnType<string, string, never>;
  /** Null: a mail of the installation. */
  network_id: ColumnType<bigint | null, bigint | string | null, never>;
  kind: string;
  recipient: string;
  /** Its subject, such as `invitation:12`; empty: none that is shown. */
  about: string;
  /** Its content, sealed; null once it was sent or has failed, because links in it are secrets. */
  sealed: Buffer | null;
  status: 'QUEUED' | 'SENT' | 'FAILED' | 'DROPPED';
  attempts: ColumnType<number, number | undefined, number>;
  error: string | null;
  created_at: Instant;
  due_at: NullableInstant;
  expires_at: Instant;
  ended_at: NullableInstant;
}

/** Where a user signed in from before: keyed digests of addresses. */
export interface SignInPlacesTable {
  user_id: Int8;
  digest: Buffer;
  seen_at: Instant;
}

export interface SecondFactorsTable {
  user_id: Int8;
  sealed_secret: Buffer;
  confirmed_at: NullableInstant;
  /** The last 30-second step that was used; an earlier or equal one is refused. */
  last_step: ColumnType<bigint, bigint | undefined, bigint>;
  created_at: Instant;
}

export interface RecoveryCodesTable {
  user_id: Int8;
  digest: Buffer;
  used_at: NullableInstant;
}

export interface PasskeysTable {
  id: GeneratedInt8;
  user_id: Int8;
  credential_id: Buffer;
  /** COSE, as the authenticator gave it. */
  public_key: Buffer;
  /** The highest signature counter that was seen; 0 for authenticators that count nothing. */
  counter: Int8;
  transports: string[];
  name: string;
  created_at: Instant;
  last_used_at: NullableInstant;
}

/** The state of a sign-in between its requests; each row is read once. */
export interface SignInAttemptsTable {
  /** Keyed digest of the value that the browser holds. */
  digest: Buffer;
  purpose: string;
  user_id: ColumnType<bigint | null, bigint | string | null, never>;
  sealed_state: Buffer;
  expires_at: Instant;
}

/** The sign-in provider of one network, its secret sealed. */
export interface IdentityProvidersTable {
  network_id: Int8;
  name: string;
  issuer: string;
  client_id: string;
  sealed_secret: Buffer;
  updated_at: Instant;
}

/** Whom a provider vouches for, and whose account it opens. */
export interface IdentitiesTable {
  id: GeneratedInt8;
  /** `installation`, or the id of a network. */
  provider: string;
  issuer: string;
  subject: string;
  user_id: Int8;
  email: string;
  created_at: Instant;
  last_used_at: NullableInstant;
}

/** The tables of the audit log and of signing in, owned by the access module. */
/** A deletion of a network that has begun. Its row stays, so that the id is never given again. */
export interface NetworkDeletionsTable {
  network_id: Int8;
  name: string;
  workspace_ids: number[];
  begun_at: Instant;
  /** The steps that have ended, each with how many rows, keys or files it deleted. */
  done: ColumnType<Readonly<Record<string, number>>, string | undefined, string>;
  /** Of the step that deletes rows of PostgreSQL, which goes in portions. */
  rows_deleted: ColumnType<bigint, undefined, bigint>;
  /** Since when no process accepts events of the network. */
  rows_gone_at: NullableInstant;
  ended_at: NullableInstant;
}

export interface AccessTables {
  audit_heads: AuditHeadsTable;
  audit_head_lines: AuditHeadLinesTable;
  audit_log: AuditLogTable;
  sessions: SessionsTable;
  invitations: InvitationsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  sign_in_attempts: SignInAttemptsTable;
  mails: MailsTable;
  sign_in_places: SignInPlacesTable;
  identity_providers: IdentityProvidersTable;
  identities: IdentitiesTable;
  network_deletions: NetworkDeletionsTable;
}
