import { type Kysely, sql } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import type { PublishedPlan } from './published-plan.ts';

/** Most plans in one reading. */
export const PLANS_MAX = 20;

/** Which plan of a workspace is the present one. */
export interface PlanVersion {
  readonly workspaceId: number;
  readonly madeAtMs: number;
}

/** Workspaces whose goals can be planned: of active networks, with an active line item that has a goal. */
export async function listPlannedWorkspaces(db: Kysely<Database>, nowMs: number): Promise<number[]> {
  const rows = await db
    .selectFrom('workspaces')
    .innerJoin('networks', 'networks.id', 'workspaces.network_id')
    .select('workspaces.id')
    .where('networks.status', '=', 'ACTIVE')
    .where((of) =>
      of.exists(
        of
          .selectFrom('line_items')
          .select('line_items.id')
          .whereRef('line_items.workspace_id', '=', 'workspaces.id')
          .where('line_items.status', '=', 'ACTIVE')
          .where('line_items.type', '=', 'STANDARD')
          .where('line_items.goal', 'is not', null)
          .where((eb) => eb.or([eb('line_items.ends_at', 'is', null), eb('line_items.ends_at', '>', new Date(nowMs))])),
      ),
    )
    .orderBy('workspaces.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Replaces the plan of a workspace, unless a later one exists: two jobs may briefly run at the same time. */
export async function writePlan(db: Kysely<Database>, workspaceId: number, plan: PublishedPlan): Promise<void> {
  const madeAt = new Date(plan.madeAtMs);
  await db
    .insertInto('allocation_plans')
    .values({ workspace_id: workspaceId, made_at: madeAt, plan: JSON.stringify(plan) })
    .onConflict((conflict) =>
      conflict
        .column('workspace_id')
        .doUpdateSet({ made_at: madeAt, plan: JSON.stringify(plan) })
        .where('allocation_plans.made_at', '<', madeAt),
    )
    .execute();
}

/** The versions of the plans that were made at or after an instant. */
export async function listPlans(db: Kysely<Database>, sinceMs: number): Promise<PlanVersion[]> {
  const rows = await db
    .selectFrom('allocation_plans')
    .select(['workspace_id', 'made_at'])
    .where('made_at', '>=', new Date(sinceMs))
    .execute();
  return rows.map(({ workspace_id, made_at }) => ({ workspaceId: workspace_id, madeAtMs: made_at.getTime() }));
}

/** The plans of some workspaces, at most {@link PLANS_MAX}; missing ones are left out. */
export async function readPlans(
  db: Kysely<Database>,
  workspaceIds: readonly number[],
): Promise<{ readonly workspaceId: number; readonly plan: PublishedPlan }[]> {
  const rows = await db
    .selectFrom('allocation_plans')
    .select(['workspace_id', 'plan'])
    .where(sql<boolean>`workspace_id = ANY(${[...workspaceIds]}::int[])`)
    .execute();
  return rows.map(({ workspace_id, plan }) => ({ workspaceId: workspace_id, plan: plan as PublishedPlan }));
}
