import type { ColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type StoredAt = ColumnType<Date, Date | string | undefined, Date | string>;
type NullableInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type Json<Value> = ColumnType<Value, string, string>;

/** Marks (keyed fingerprints) by the name of a key or secret. */
export type StoredMarks = Readonly<Record<string, string>>;
/** Facts by name, as text for people. */
export type StoredFacts = Readonly<Record<string, string>>;

/** The one row of the cluster. */
export interface ClusterTable {
  id: ColumnType<number, number | undefined, never>;
  cluster_id: string;
  /** The mark of the cluster key under itself. */
  key_mark: string;
  /** While a rotation overlaps: the mark of the key that was replaced, and the present key sealed under it. */
  previous_key_mark: string | null;
  next_key: Buffer | null;
  next_key_until: NullableInstant;
  /** The cluster key sealed under the pepper, of an installation that is older than its cluster. */
  pepper_key: Buffer | null;
  facts: Json<StoredFacts>;
  created_at: StoredAt;
}

/** A secret of the cluster, sealed; without `sealed`, every node has it from its settings. */
export interface ClusterSecretsTable {
  name: string;
  revision: number;
  sealed: Buffer | null;
  marks: Json<StoredMarks>;
  changed_at: StoredAt;
}

/** A part of a node, as it last reported itself. */
export interface ClusterNodesTable {
  node_id: string;
  part: 'core' | 'delivery' | 'jobs';
  host: string;
  /** From `machineOf`; '': an older program. */
  machine: ColumnType<string, string | undefined, string>;
  facts: Json<StoredFacts>;
  marks: Json<Readonly<Record<string, StoredMarks>>>;
  problems: Json<readonly string[]>;
  started_at: Instant;
  seen_at: StoredAt;
  stopped_at: NullableInstant;
}

/** A token with which nodes join; `sealed` is deleted with its last use, its revocation and its end. */
export interface ClusterJoinTokensTable {
  id: string;
  digest: Buffer;
  sealed: Buffer | null;
  uses_left: number;
  created_by: string;
  created_at: StoredAt;
  expires_at: Instant;
  revoked_at: NullableInstant;
}

/** An uploaded file, named by its content. */
export interface AssetFilesTable {
  name: string;
  content: Buffer;
  stored_at: StoredAt;
}

/** Which process runs a job on a clock; `ran_at`: the end of its last run, of jobs that run once an hour or less. */
export interface JobLeasesTable {
  name: string;
  runner_id: string;
  node_id: string;
  taken_at: StoredAt;
  held_until: Instant;
  ran_at: NullableInstant;
}

/** A process that may run jobs. */
export interface JobRunnersTable {
  runner_id: string;
  node_id: string;
  part: 'core' | 'jobs';
  seen_at: StoredAt;
}

/** A part of a finished report, named by its unguessable token, try and format. */
export interface ReportFilesTable {
  name: string;
  part: number;
  content: Buffer;
  stored_at: StoredAt;
}

type RecoveryPhase = 'whole' | 'hold' | 'recount' | 'count';

/** The one row of the rebuilds of a hot store that machines share. */
export interface HotRecoveryTable {
  id: ColumnType<number, number | undefined, never>;
  round: ColumnType<string, string | undefined, string>;
  /**
   * `hold`: machines end their inserts, then the leader builds from the event table. `recount`: machines add the counted files that it does
   * not have. `count`: they count what has waited since.
   */
  phase: ColumnType<RecoveryPhase, 'whole' | undefined, RecoveryPhase>;
  /** Shards. */
  lost: ColumnType<number[], number[] | undefined, number[]>;
  epoch: string;
  leader: string | null;
  leader_until: NullableInstant;
  began_at: NullableInstant;
  ended_at: NullableInstant;
}

/** What the analytics store held when it was last marked: one row. */
export interface AnalyticsMarksTable {
  id: ColumnType<boolean, boolean | undefined, never>;
  store_id: string;
  number: ColumnType<bigint, number, number>;
  rows: ColumnType<bigint | null, number | null, number | null>;
  rows_unknown_until: NullableInstant;
  marked_at: StoredAt;
  lost_reason: ColumnType<string | null, string | null | undefined, string | null>;
  lost_at: NullableInstant;
}

/** How far a machine is in a round. */
export interface HotRecoveryMachinesTable {
  machine_id: string;
  round: ColumnType<string, string, string>;
  step: 'none' | 'held' | 'recounted' | 'counted';
  seen_at: StoredAt;
}

/** What nodes do for the cut of a backup: ship what they have, ship nothing, or say that they shipped nothing. */
export type CutPhase = 'drain' | 'hold' | 'release';

/** How far a node is in the cut of a backup. */
export type CutStep = 'none' | 'draining' | 'drained' | 'held' | 'released' | 'failed';

/** The one row of the present or last cut of a backup. */
export interface BackupCutTable {
  id: ColumnType<number, number | undefined, never>;
  cut_id: string;
  phase: CutPhase;
  /** Its backup renews it; nodes do not hold for longer. */
  held_until: Instant;
}

/** A node whose spool takes part in a cut. */
export interface BackupCutNodesTable {
  node_id: string;
  cut_id: string;
  step: CutStep;
  /** For people: what it waits for, or why it failed. */
  detail: ColumnType<string, string | undefined, string>;
  seen_at: NullableInstant;
}

/** The one row of the schema's level. */
export interface SchemaLevelTable {
  id: ColumnType<number, number | undefined, never>;
  level: number;
  oldest_program: number;
}

/** Tables that nodes share, beside those of networks. */
export interface ClusterTables {
  cluster: ClusterTable;
  cluster_secrets: ClusterSecretsTable;
  cluster_nodes: ClusterNodesTable;
  cluster_join_tokens: ClusterJoinTokensTable;
  report_files: ReportFilesTable;
  schema_level: SchemaLevelTable;
  job_leases: JobLeasesTable;
  job_runners: JobRunnersTable;
  asset_files: AssetFilesTable;
  backup_cut: BackupCutTable;
  backup_cut_nodes: BackupCutNodesTable;
  analytics_marks: AnalyticsMarksTable;
  hot_recovery: HotRecoveryTable;
  hot_recovery_machines: HotRecoveryMachinesTable;
}
