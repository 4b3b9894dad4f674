import type { Kysely } from 'kysely';
import { z } from 'zod';
import { nodeCall } from '../../storage/sql/node-call.ts';
import type { Database } from '../../storage/sql/schema.ts';
import * as own from './plan.sql.ts';

/** As `listPlans` of plan.sql.ts, also through a core. */
export const listPlans = nodeCall(
  'plans.list',
  z.tuple([z.number().int().min(0).max(8.64e15)]),
  (sql: Kysely<Database>, sinceMs: number) => own.listPlans(sql, sinceMs),
);

/** As `readPlans` of plan.sql.ts, also through a core. */
export const readPlans = nodeCall(
  'plans.read',
  z.tuple([z.array(z.number().int().positive().max(2_147_483_647)).max(own.PLANS_MAX)]),
  (sql: Kysely<Database>, workspaceIds: readonly number[]) => own.readPlans(sql, workspaceIds),
);

/** What a delivery node reads of plans. */
export const PLAN_CALLS = [listPlans, readPlans] as const;
