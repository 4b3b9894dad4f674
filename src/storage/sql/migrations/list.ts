import type { Migration } from 'kysely';
import * as baseline from './0104-baseline.sql.ts';
import * as nodeMachines from './0105-node-machines.sql.ts';
import * as attention from './0110-attention.sql.ts';
import * as audio from './0115-audio.sql.ts';
import * as orders from './0125-orders.sql.ts';
import * as history from './0130-history.sql.ts';
import * as changeSets from './0135-change-sets.sql.ts';
import * as pixels from './0140-pixels.sql.ts';
import * as webhookResponses from './0150-webhook-responses.sql.ts';
import * as networkDeletions from './0155-network-deletions.sql.ts';
import * as products from './0160-products.sql.ts';
import * as buyers from './0161-buyers.sql.ts';
import * as agentRequests from './0165-agent-requests.sql.ts';
import * as agentNotices from './0166-agent-notices.sql.ts';

/** The schema of version 0.1.0. */
export const BASELINE = '0104-baseline';

/** Every migration by name, in the order of their numbers. A migration that has shipped is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  [BASELINE]: baseline as Migration,
  '0105-node-machines': nodeMachines as Migration,
  '0110-attention': attention as Migration,
  '0115-audio': audio as Migration,
  '0125-orders': orders as Migration,
  '0130-history': history as Migration,
  '0135-change-sets': changeSets as Migration,
  '0140-pixels': pixels as Migration,
  '0150-webhook-responses': webhookResponses as Migration,
  '0155-network-deletions': networkDeletions as Migration,
  '0160-products': products as Migration,
  '0161-buyers': buyers as Migration,
  '0165-agent-requests': agentRequests as Migration,
  '0166-agent-notices': agentNotices as Migration,
};
