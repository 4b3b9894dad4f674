import type { Migration } from 'kysely';
import * as baseline from './0104-baseline.sql.ts';
import * as nodeMachines from './0105-node-machines.sql.ts';
import * as attention from './0110-attention.sql.ts';
import * as audio from './0115-audio.sql.ts';

/** The schema of version 0.1.0. */
export const BASELINE = '0104-baseline';

/** Every migration by name, in the order of their numbers. A migration that has shipped is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  [BASELINE]: baseline as Migration,
  '0105-node-machines': nodeMachines as Migration,
  '0110-attention': attention as Migration,
  '0115-audio': audio as Migration,
};
