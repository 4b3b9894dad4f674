import type { ColumnType } from 'kysely';
import type { AssetFacts } from '../../domain/booking/asset-facts.ts';

type Int8 = ColumnType<bigint, bigint | number, bigint | number>;
type Instant = ColumnType<Date | null, Date | null | undefined, Date | null>;

/** Uploaded files of each workspace; the same content may be of several. */
export interface AssetsTable {
  workspace_id: number;
  /** `<64 hex digits>.<extension>`, as in the asset store. */
  name: string;
  size_bytes: Int8;
  uploaded_at: ColumnType<Date, Date, Date>;
  /** When a creative was last seen to use it. */
  used_at: Instant;
  /** When the workspace's file was deleted for want of use: the row stays, so that a creative cannot begin to use it. */
  deleted_at: Instant;
  /** Null: uploaded before files were measured. */
  facts: ColumnType<AssetFacts | null, string | null | undefined, string | null>;
}

/** The reservations of running segment uploads. */
export interface SegmentReservationsTable {
  workspace_id: number;
  upload_id: string;
  segment_id: Int8;
  members: Int8;
  users: Int8;
  expires_at: ColumnType<Date, Date, Date>;
}

/** Users that uploads brought into the hot store, by UTC day. */
export interface SegmentUsersTable {
  workspace_id: number;
  day: ColumnType<Date, Date | string, never>;
  users: Int8;
}

/** The size of a segment at the beginning of a day of its network. Owned by the management module. */
export interface SegmentSizesTable {
  workspace_id: number;
  segment_id: Int8;
  day: ColumnType<string, string, never>;
  size: Int8;
}

/** Tables that count what networks store. */
export interface QuotaTables {
  assets: AssetsTable;
  segment_reservations: SegmentReservationsTable;
  segment_users: SegmentUsersTable;
  segment_sizes: SegmentSizesTable;
}
