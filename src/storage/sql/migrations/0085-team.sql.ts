import { type Kysely, sql } from 'kysely';

/** What members say to each other about objects, whom they name, who approved which booking, and what each is told. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `CREATE TABLE comments (
    workspace_id int NOT NULL REFERENCES workspaces (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    object_kind text NOT NULL CHECK (object_kind IN ('campaign', 'lineItem')),
    object_id bigint NOT NULL,
    author_user_id bigint NOT NULL REFERENCES users (id),
    body text NOT NULL,
    mentioned_user_ids bigint[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz,
    PRIMARY KEY (workspace_id, id))`,
  `CREATE INDEX comments_of_object ON comments (workspace_id, object_kind, object_id, id)`,
  `CREATE TABLE booking_approvals (
    workspace_id int NOT NULL REFERENCES workspaces (id),
    line_item_id bigint NOT NULL,
    requested_terms text,
    requested_by text,
    requested_at timestamptz,
    approved_terms text,
    approved_by_user_id bigint REFERENCES users (id),
    approved_at timestamptz,
    PRIMARY KEY (workspace_id, line_item_id),
    FOREIGN KEY (workspace_id, line_item_id) REFERENCES line_items (workspace_id, id) ON DELETE CASCADE)`,
  `CREATE TABLE notifications (
    workspace_id int NOT NULL REFERENCES workspaces (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL REFERENCES users (id),
    event text NOT NULL,
    object_kind text NOT NULL,
    object_id bigint NOT NULL,
    actor text NOT NULL,
    details jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    read_at timestamptz,
    PRIMARY KEY (workspace_id, id))`,
  `CREATE INDEX notifications_of_user ON notifications (workspace_id, user_id, id DESC)`,
  `CREATE TABLE notification_choices (
    network_id bigint NOT NULL REFERENCES networks (id),
    user_id bigint NOT NULL REFERENCES users (id),
    event text NOT NULL,
    in_app boolean NOT NULL,
    mail boolean NOT NULL,
    PRIMARY KEY (network_id, user_id, event))`,
];
