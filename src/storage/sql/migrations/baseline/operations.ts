import type { BaselinePart } from './baseline-part.ts';

/** Nodes, jobs, recovery, backups and the level of the schema. */
export const OPERATIONS: BaselinePart = {
  tables: [
    `CREATE TABLE cluster (
      id smallint PRIMARY KEY DEFAULT 1,
      cluster_id text NOT NULL,
      key_mark text NOT NULL,
      previous_key_mark text,
      next_key bytea,
      next_key_until timestamptz,
      pepper_key bytea,
      facts jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT cluster_id_check CHECK ((id = 1))
    )`,
    `CREATE TABLE cluster_nodes (
      node_id text NOT NULL,
      part text NOT NULL,
      host text NOT NULL,
      facts jsonb NOT NULL,
      marks jsonb NOT NULL,
      problems jsonb NOT NULL,
      started_at timestamptz NOT NULL,
      seen_at timestamptz NOT NULL DEFAULT now(),
      stopped_at timestamptz,
      CONSTRAINT cluster_nodes_part_check CHECK (part IN ('core', 'delivery', 'jobs')),
      PRIMARY KEY (node_id, part)
    )`,
    `CREATE TABLE cluster_secrets (
      name text PRIMARY KEY,
      revision integer NOT NULL,
      sealed bytea,
      marks jsonb NOT NULL,
      changed_at timestamptz NOT NULL DEFAULT now()
    )`,
    `CREATE TABLE cluster_join_tokens (
      id text PRIMARY KEY,
      digest bytea NOT NULL,
      sealed bytea,
      uses_left integer NOT NULL,
      created_by text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL,
      revoked_at timestamptz,
      CONSTRAINT cluster_join_tokens_uses_left_check CHECK ((uses_left >= 0))
    )`,
    `CREATE TABLE job_leases (
      name text PRIMARY KEY,
      runner_id text NOT NULL,
      node_id text NOT NULL,
      taken_at timestamptz NOT NULL DEFAULT now(),
      held_until timestamptz NOT NULL,
      ran_at timestamptz
    )`,
    `CREATE TABLE job_runners (
      runner_id text PRIMARY KEY,
      node_id text NOT NULL,
      part text NOT NULL,
      seen_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT job_runners_part_check CHECK (part IN ('core', 'jobs'))
    )`,
    `CREATE TABLE hot_recovery (
      id smallint PRIMARY KEY DEFAULT 1,
      round bigint NOT NULL DEFAULT 0,
      phase text NOT NULL DEFAULT 'whole',
      lost integer[] NOT NULL DEFAULT '{}'::integer[],
      epoch text NOT NULL,
      leader text,
      leader_until timestamptz,
      began_at timestamptz,
      ended_at timestamptz,
      CONSTRAINT hot_recovery_id_check CHECK ((id = 1)),
      CONSTRAINT hot_recovery_phase_check CHECK (phase IN ('whole', 'hold', 'recount', 'count'))
    )`,
    `CREATE TABLE hot_recovery_machines (
      machine_id text PRIMARY KEY,
      round bigint NOT NULL,
      step text NOT NULL,
      seen_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT hot_recovery_machines_step_check CHECK (step IN ('none', 'held', 'recounted', 'counted'))
    )`,
    `CREATE TABLE backup_cut (
      id smallint PRIMARY KEY DEFAULT 1,
      cut_id text NOT NULL,
      phase text NOT NULL,
      held_until timestamptz NOT NULL,
      CONSTRAINT backup_cut_id_check CHECK ((id = 1)),
      CONSTRAINT backup_cut_phase_check CHECK (phase IN ('drain', 'hold', 'release'))
    )`,
    `CREATE TABLE backup_cut_nodes (
      node_id text PRIMARY KEY,
      cut_id text NOT NULL,
      step text NOT NULL,
      detail text NOT NULL DEFAULT '',
      seen_at timestamptz,
      CONSTRAINT backup_cut_nodes_step_check CHECK (step IN ('none', 'draining', 'drained', 'held', 'released', 'failed'))
    )`,
    `CREATE TABLE analytics_marks (
      id boolean PRIMARY KEY DEFAULT true,
      store_id text NOT NULL,
      number bigint NOT NULL,
      rows bigint,
      rows_unknown_until timestamptz,
      marked_at timestamptz NOT NULL DEFAULT now(),
      lost_reason text,
      lost_at timestamptz,
      CONSTRAINT analytics_marks_id_check CHECK (id)
    )`,
    `CREATE TABLE schema_level (
      id smallint PRIMARY KEY DEFAULT 1,
      level integer NOT NULL,
      oldest_program integer NOT NULL,
      CONSTRAINT schema_level_id_check CHECK ((id = 1))
    )`,
  ],
  rules: [],
};
