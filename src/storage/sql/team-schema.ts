import type { ColumnType, Generated } from 'kysely';

type Id = ColumnType<bigint, never, never>;
type Int8 = ColumnType<bigint, bigint | number | string, bigint | number | string>;
type NullableInt8 = ColumnType<bigint | null, bigint | string | null | undefined, bigint | string | null>;
type Instant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type Moment = ColumnType<Date, Date | string | undefined, Date | string>;

/** The kinds of objects that members discuss. */
export type DiscussedKind = 'campaign' | 'lineItem';

/** What members say about an object. */
export interface CommentsTable {
  workspace_id: number;
  id: Id;
  object_kind: DiscussedKind;
  object_id: Int8;
  author_user_id: Int8;
  body: string;
  mentioned_user_ids: ColumnType<bigint[], (bigint | string)[] | undefined, never>;
  created_at: Moment;
  deleted_at: Instant;
}

/** The terms of a line item for which approval was asked, and those that were approved. */
export interface BookingApprovalsTable {
  workspace_id: number;
  line_item_id: Int8;
  requested_terms: string | null;
  /** As the audit log names its caller. */
  requested_by: string | null;
  requested_at: Instant;
  approved_terms: string | null;
  approved_by_user_id: NullableInt8;
  approved_at: Instant;
}

/** What one member is told inside the console. */
export interface NotificationsTable {
  workspace_id: number;
  id: Id;
  user_id: Int8;
  event: string;
  object_kind: string;
  object_id: Int8;
  actor: string;
  details: ColumnType<Record<string, unknown>, string, never>;
  created_at: Moment;
  read_at: Instant;
}

/** Where a member of a network wants to be told of an event; no row: the default. */
export interface NotificationChoicesTable {
  network_id: Int8;
  user_id: Int8;
  event: string;
  in_app: boolean;
  mail: boolean;
}

/** Links to the report of a campaign. */
export interface ReportSharesTable {
  workspace_id: number;
  id: Id;
  campaign_id: Int8;
  /** SHA-256 of the link's 256 random bits. */
  token_hash: Buffer;
  name: string;
  shows_spend: boolean;
  created_by: string;
  /** The member with whose membership the link ends. Null: none is known. */
  owner_id: NullableInt8;
  created_at: Moment;
  expires_at: Moment;
  revoked_at: Instant;
  opened: Generated<number>;
  last_opened_at: Instant;
}

/** Line items that a member does not want to see among what needs attention, as long as they stand for the same reason. */
export interface AttentionSnoozesTable {
  workspace_id: number;
  user_id: Int8;
  line_item_id: Int8;
  /** As `StandingReason` names it. */
  reason: string;
  snoozed_until: Moment;
}

/** Line items that a member looks after because a colleague handed them over. */
export interface AttentionHandoversTable {
  workspace_id: number;
  line_item_id: Int8;
  reason: string;
  to_user_id: Int8;
  by_user_id: Int8;
  handed_at: Moment;
}

/** How far a request of a buyer's agent is. */
export type AgentRequestState = 'RUNNING' | 'SUBMITTED' | 'COMPLETED' | 'REJECTED' | 'FAILED';

type NullableJson = ColumnType<object | null, string | null | undefined, string | null>;

/** What buyers' agents asked for, and the responses. */
export interface AgentRequestsTable {
  workspace_id: number;
  id: Id;
  /** Kind and id of the credential. */
  caller: string;
  /** The agent, as it names itself. */
  agent: string;
  tool: string;
  advertiser_id: NullableInt8;
  campaign_id: NullableInt8;
  /** The agent's own; of a failed request another one, so that the agent's is free. */
  idempotency_key: string;
  /** Of the arguments: another one under the same key is another request. */
  digest: string;
  state: AgentRequestState;
  request: ColumnType<object, string, never>;
  response: NullableJson;
  /** Terms of the booking that the ad server itself does not have, such as the buyer's own ids. */
  terms: NullableJson;
  reason: string | null;
  decided_by: string | null;
  decided_at: Instant;
  /** Where the caller is told of the decision, with its secrets, sealed; null: nowhere, or it was told. */
  notice_target: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  notice_status: ColumnType<NoticeStatus | null, NoticeStatus | null | undefined, NoticeStatus | null>;
  notice_attempts: ColumnType<number, number | undefined, number>;
  /** When the notice is tried next. */
  notice_next_at: Instant;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}

/** The notice of a decision: WAITING until there is one, then PENDING until the receiver accepts it. */
export type NoticeStatus = 'WAITING' | 'PENDING' | 'DELIVERED' | 'FAILED';

/** The tables of the team. */
export interface TeamTables {
  agent_requests: AgentRequestsTable;
  comments: CommentsTable;
  booking_approvals: BookingApprovalsTable;
  notifications: NotificationsTable;
  notification_choices: NotificationChoicesTable;
  report_shares: ReportSharesTable;
  attention_snoozes: AttentionSnoozesTable;
  attention_handovers: AttentionHandoversTable;
}
