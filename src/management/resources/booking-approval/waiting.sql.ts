import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';
import { GUARANTEED_TYPES, TERM_COLUMNS, termsOf } from './booking-terms.ts';

/** Candidates that one statement reads. */
const BATCH = 1_000;

type Candidate = Readonly<Record<(typeof TERM_COLUMNS)[number], unknown>> & {
  readonly id: bigint;
  readonly status: string;
  readonly campaign_starts_at: Date | null;
  readonly campaign_ends_at: Date | null;
  readonly requested_terms: string | null;
  readonly approved_terms: string | null;
};

/** The page of a list: how many, behind the line item with this id. */
export interface WaitingPage {
  readonly first: number;
  readonly after: bigint | null;
}

/**
 * Guaranteed line items whose present terms wait for approval, newest first: those for which somebody asked, and live ones.
 * Approved ones are left out by their digest, which the database cannot compute.
 */
export async function listWaiting(db: Kysely<Database>, workspaceId: number, page: WaitingPage): Promise<bigint[]> {
  const found: bigint[] = [];
  let { after } = page;
  while (found.length < page.first) {
    const rows = await listCandidates(db, workspaceId, after);
    found.push(...rows.filter(isWaiting).map(({ id }) => id));
    after = rows.at(-1)?.id ?? null;
    if (rows.length < BATCH) break;
  }
  return found.slice(0, page.first);
}

function isWaiting(row: Candidate): boolean {
  const terms = termsOf(row, { starts_at: row.campaign_starts_at, ends_at: row.campaign_ends_at });
  return row.approved_terms !== terms && (row.status === 'ACTIVE' || row.requested_terms === terms);
}

async function listCandidates(db: Kysely<Database>, workspaceId: number, after: bigint | null): Promise<Candidate[]> {
  const columns = TERM_COLUMNS.map((name) => sql.ref(`line_items.${name}`));
  // A live line item for which nobody asked is as new as its last change.
  const since = sql`coalesce(booking_approvals.requested_at, line_items.updated_at)`;
  const tables = sql`line_items LEFT JOIN booking_approvals
    ON booking_approvals.workspace_id = line_items.workspace_id AND booking_approvals.line_item_id = line_items.id`;
  const behind =
    after === null
      ? sql`true`
      : sql`(${since}, line_items.id) < (SELECT ${since}, line_items.id FROM ${tables}
          WHERE line_items.workspace_id = ${workspaceId} AND line_items.id = ${after})`;
  const { rows } = await sql<Candidate>`
    SELECT line_items.id, line_items.status, ${sql.join(columns)},
      campaigns.starts_at AS campaign_starts_at, campaigns.ends_at AS campaign_ends_at,
      booking_approvals.requested_terms, booking_approvals.approved_terms
    FROM ${tables}
    JOIN campaigns ON campaigns.workspace_id = line_items.workspace_id AND campaigns.id = line_items.campaign_id
    WHERE line_items.workspace_id = ${workspaceId} AND ${behind}
      AND line_items.status <> 'ARCHIVED' AND line_items.type IN (${sql.join(GUARANTEED_TYPES)})
      AND (line_items.status = 'ACTIVE' OR (booking_approvals.requested_terms IS NOT NULL
        AND booking_approvals.approved_terms IS DISTINCT FROM booking_approvals.requested_terms))
    ORDER BY ${since} DESC, line_items.id DESC LIMIT ${BATCH}`.execute(db);
  return rows;
}
