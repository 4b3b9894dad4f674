import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { rotatedEvent } from '../../domain/booking/optimisation-goal.ts';
import { PRICING, pricingModelsWhere } from '../../domain/pricing/pricing-models.ts';
import type { CountedKind } from '../../domain/pricing/pricing-models.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { PublishedContextModel } from '../value/context-model.ts';

/** Most models in one reading. */
export const MODELS_MAX = 20;
/** Most line items of a workspace from whose outcomes a model is trained, newest first. */
const LINE_ITEMS_MAX = 10_000;

/** Which model of a workspace is the present one. */
export interface ModelVersion {
  readonly workspaceId: number;
  readonly madeAtMs: number;
}

/** What a trainer goes on with. */
export interface Training {
  readonly trainedToMs: number;
  readonly state: Uint8Array;
}

/** A trained model. */
export interface TrainedModel extends Training {
  readonly model: PublishedContextModel;
}

/** Line items with a rate that matters: for their rotation, or because the event earns. */
function isRated(eb: ExpressionBuilder<Database, 'line_items'>) {
  return eb.and([
    eb('line_items.status', '=', 'ACTIVE'),
    eb.or([
      eb('line_items.creative_rotation', '=', 'OPTIMISED'),
      eb.and([eb('line_items.type', '=', 'PRICE'), eb('line_items.pricing_model', 'in', PAID_BY_RATE)]),
      isConverting(eb),
    ]),
  ]);
}

/** Line items whose conversions matter. */
function isConverting(eb: ExpressionBuilder<Database, 'line_items'>) {
  return eb.or([
    eb('line_items.pricing_model', 'in', PAID_BY_CONVERSIONS),
    eb('line_items.optimisation_goal', '=', 'CONVERSIONS'),
    sql<boolean>`line_items.goal->>'kind' = 'CONVERSIONS'`,
  ]);
}

const PAID_BY_CONVERSIONS = pricingModelsWhere(({ event }) => event === 'activity');

/** The active line items of a workspace whose conversions matter; the newest 10,000. */
export async function listConvertingLineItems(db: Kysely<Database>, workspaceId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('line_items')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'ACTIVE')
    .where(isConverting)
    .orderBy('id', 'desc')
    .limit(LINE_ITEMS_MAX)
    .execute();
  return rows.map(({ id }) => String(id));
}

/** Models that are paid by an event which an impression may bring. */
const PAID_BY_RATE = pricingModelsWhere(({ event }) => event !== null && event !== 'impression');

/** The workspaces of active networks that have a line item with a rate that matters. */
export async function listRatedWorkspaces(db: Kysely<Database>): Promise<number[]> {
  const rows = await db
    .selectFrom('workspaces')
    .innerJoin('networks', 'networks.id', 'workspaces.network_id')
    .select('workspaces.id')
    .where('networks.status', '=', 'ACTIVE')
    .where((of) =>
      of.exists(
        db
          .selectFrom('line_items')
          .select('line_items.id')
          .whereRef('line_items.workspace_id', '=', sql.ref('workspaces.id'))
          .where(isRated),
      ),
    )
    .orderBy('workspaces.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The events whose rates matter to the line items of a workspace, by line item; the newest 10,000. */
export async function listRatedEvents(
  db: Kysely<Database>,
  workspaceId: number,
): Promise<ReadonlyMap<string, readonly CountedKind[]>> {
  const rows = await db
    .selectFrom('line_items')
    .select(['id', 'type', 'optimisation_goal', 'creative_rotation', 'pricing_model'])
    .where('workspace_id', '=', workspaceId)
    .where(isRated)
    .orderBy('id', 'desc')
    .limit(LINE_ITEMS_MAX)
    .execute();
  return new Map(
    rows.map(({ id, type, optimisation_goal: goal, creative_rotation: rotation, pricing_model: model }) => {
      const rotated = rotation === 'OPTIMISED' ? [rotatedEvent(goal === null ? {} : { optimisationGoal: goal })] : [];
      const paid = type === 'PRICE' && PAID_BY_RATE.includes(model) ? PRICING[model].event : null;
      return [String(id), [...new Set([...rotated, ...(paid === null ? [] : [paid])])]];
    }),
  );
}

/** What is trained of a workspace; null: nothing yet. */
export async function readTraining(db: Kysely<Database>, workspaceId: number): Promise<Training | null> {
  const row = await db
    .selectFrom('context_models')
    .select(['trained_to', 'state'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row === undefined ? null : { trainedToMs: row.trained_to.getTime(), state: row.state };
}

/**
 * Replaces the model of a workspace, unless another job has trained on meanwhile: two jobs may briefly run at the same time.
 * @param fromMs up to when it was trained before; null: never
 */
export async function writeModel(
  db: Kysely<Database>,
  workspaceId: number,
  { model, trainedToMs, state }: TrainedModel,
  fromMs: number | null,
): Promise<boolean> {
  const values = {
    made_at: new Date(model.madeAtMs),
    trained_to: new Date(trainedToMs),
    weights: JSON.stringify(model.weights),
    maturities: JSON.stringify(model.maturities ?? []),
    state: Buffer.from(state),
  };
  const written =
    fromMs === null
      ? await db
          .insertInto('context_models')
          .values({ workspace_id: workspaceId, ...values })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
      : await db
          .updateTable('context_models')
          .set(values)
          .where('workspace_id', '=', workspaceId)
          .where('trained_to', '=', new Date(fromMs))
          .executeTakeFirst();
  return 'numUpdatedRows' in written ? written.numUpdatedRows > 0n : (written.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** The versions of the models that were made at or after an instant. */
export async function listModels(db: Kysely<Database>, sinceMs: number): Promise<ModelVersion[]> {
  const rows = await db
    .selectFrom('context_models')
    .select(['workspace_id', 'made_at'])
    .where('made_at', '>=', new Date(sinceMs))
    .execute();
  return rows.map(({ workspace_id, made_at }) => ({ workspaceId: workspace_id, madeAtMs: made_at.getTime() }));
}

/** The present model of a workspace. */
export interface ModelOfWorkspace {
  readonly workspaceId: number;
  readonly model: PublishedContextModel;
}

/** The models of some workspaces, at most {@link MODELS_MAX}; missing ones are left out. */
export async function readModels(db: Kysely<Database>, workspaceIds: readonly number[]): Promise<ModelOfWorkspace[]> {
  const rows = await db
    .selectFrom('context_models')
    .select(['workspace_id', 'made_at', 'weights', 'maturities'])
    .where(sql<boolean>`workspace_id = ANY(${[...workspaceIds]}::int[])`)
    .execute();
  return rows.map(({ workspace_id, made_at, weights, maturities }) => ({
    workspaceId: workspace_id,
    model: { madeAtMs: made_at.getTime(), weights, maturities } as ModelOfWorkspace['model'],
  }));
}
