import type { Kysely } from 'kysely';
import { z } from 'zod';
import { nodeCall } from '../../storage/sql/node-call.ts';
import type { Database } from '../../storage/sql/schema.ts';
import * as own from './context-models.sql.ts';

/** As `listModels` of context-models.sql.ts, also through a core. */
export const listModels = nodeCall(
  'contextModels.list',
  z.tuple([z.number().int().min(0).max(8.64e15)]),
  (sql: Kysely<Database>, sinceMs: number) => own.listModels(sql, sinceMs),
);

/** As `readModels` of context-models.sql.ts, also through a core. */
export const readModels = nodeCall(
  'contextModels.read',
  z.tuple([z.array(z.number().int().positive().max(2_147_483_647)).max(own.MODELS_MAX)]),
  (sql: Kysely<Database>, workspaceIds: readonly number[]) => own.readModels(sql, workspaceIds),
);

/** What a delivery node reads of context models. */
export const CONTEXT_CALLS = [listModels, readModels] as const;
