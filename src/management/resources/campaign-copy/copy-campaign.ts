import { PlacardError } from '../../../domain/errors.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { CREATIVE } from '../creative/creative.ts';
import { LINE_ITEM } from '../line-item/line-item.ts';
import type { Columns, StoredRow } from '../../kernel/field.ts';
import type { Resource } from '../../kernel/resource.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { findRows, listChildren } from '../../kernel/resource.sql.ts';
import { changeAll } from '../../kernel/transactions.sql.ts';
import { checkText } from '../../kernel/scalar-fields.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { insertCopy } from '../../kernel/write.ts';
import { validateFlight } from '../campaign/campaign.rules.ts';
import { CAMPAIGN } from '../campaign/campaign.ts';

/** The largest campaign that one call copies. */
const LINE_ITEMS_MAX = 500;
const CREATIVES_MAX = 5_000;

interface Copied {
  readonly campaign: StoredRow;
  readonly lineItemCount: number;
  readonly creativeCount: number;
}

interface CopyRequest {
  readonly id: string;
  readonly name: string | null;
  readonly startsAt: Date | null;
}

/** Adds `copyCampaign`. */
export function defineCopyCampaign(): void {
  const payload = builder.objectRef<Copied>('CopyCampaignPayload').implement({
    description: 'The result of copying a campaign.',
    fields: (t) => ({
      campaign: t.field({
        type: objectRefOf('Campaign'),
        description: 'The copy.',
        resolve: (copied) => copied.campaign,
      }),
      lineItemCount: t.exposeInt('lineItemCount', { description: 'How many line items were copied.' }),
      creativeCount: t.exposeInt('creativeCount', { description: 'How many creatives were copied.' }),
    }),
  });
  builder.mutationField('copyCampaign', (t) =>
    t.field({
      type: payload,
      nullable: true,
      description: `Copies a campaign with its line items and creatives (archived ones left out); campaign and line items become DRAFT. At most ${LINE_ITEMS_MAX} line items.`,
      args: {
        id: t.arg.id({ required: true, description: 'The campaign to copy.' }),
        name: t.arg.string({ description: 'Name of the copy; default: the old one with " (copy)".' }),
        startsAt: t.arg({
          type: 'DateTime',
          description: 'Start of the copy: all its flights are moved by the same span. Absent: flights stay.',
        }),
      },
      resolve: async (_root, args, context) => {
        const request = { id: String(args.id), name: args.name ?? null, startsAt: args.startsAt ?? null };
        const copied = await copyCampaign(context, request);
        context.loaders.clear();
        return copied;
      },
    }),
  );
}

/**
 * Copies a campaign in one transaction.
 * @throws PlacardError `not_found`; `invalid_request` when it is too large
 */
export function copyCampaign(context: ManagementContext, request: CopyRequest): Promise<Copied> {
  return changeAll(context, false, async (inner) => {
    const { workspaceId } = inner.principal;
    const ids = isDecimalId(request.id) ? [BigInt(request.id)] : [];
    const [source] = await findRows(inner.transaction, workspaceId, CAMPAIGN.table, ids);
    if (source === undefined)
      throw new PlacardError('not_found', `There is no campaign with the id ${request.id.slice(0, 40)}.`);
    const shiftMs = shiftOf(source, request.startsAt);
    const name = request.name ?? `${String(source['name']).slice(0, 190)} (copy)`;
    const moved = {
      ...shifted(source, shiftMs),
      ...(request.startsAt === null ? {} : { starts_at: request.startsAt }),
    };
    const problems = validateFlight({ ...source, ...moved });
    if (request.name !== null) checkText(request.name, 'name', { lengthMax: 200 }, problems);
    if (problems.length > 0) throw validationFailed(problems);
    const campaign = await insertCopy(inner, CAMPAIGN, { row: source, changes: { ...moved, name, status: 'DRAFT' } });
    const lineItems = await readLiving(inner, LINE_ITEM, {
      parentColumn: 'campaign_id',
      parentIds: [source.id],
      max: LINE_ITEMS_MAX,
    });
    const newIds = new Map<bigint, bigint>();
    for (const row of lineItems) {
      const changes = { ...shifted(row, shiftMs), campaign_id: campaign.id, status: 'DRAFT' };
      newIds.set(row.id, (await insertCopy(inner, LINE_ITEM, { row, changes })).id);
    }
    const creatives = await readLiving(inner, CREATIVE, {
      parentColumn: 'line_item_id',
      parentIds: [...newIds.keys()],
      max: CREATIVES_MAX,
    });
    const copies = new Map<bigint, bigint>();
    for (const row of creatives) {
      const masterId = row['master_creative_id'] as bigint | null;
      // A master has a smaller id than its companions, so it is copied before them. Companions of an archived master are not copied.
      if (masterId !== null && !copies.has(masterId)) continue;
      const changes = {
        ...shifted(row, shiftMs),
        line_item_id: newIds.get(row['line_item_id'] as bigint),
        master_creative_id: masterId === null ? null : copies.get(masterId),
      };
      copies.set(row.id, (await insertCopy(inner, CREATIVE, { row, changes })).id);
    }
    return { campaign, lineItemCount: lineItems.length, creativeCount: copies.size };
  });
}

async function readLiving(
  inner: ManagementContext & { transaction: NonNullable<ManagementContext['transaction']> },
  resource: Resource,
  request: { readonly parentColumn: string; readonly parentIds: readonly bigint[]; readonly max: number },
): Promise<StoredRow[]> {
  const { parentColumn, parentIds, max } = request;
  if (parentIds.length === 0) return [];
  const query = { parentColumn, parentIds, conditions: [], limit: max + 1 };
  const rows = await listChildren(inner.transaction, inner.principal.workspaceId, resource.table, query);
  const living = rows.filter((row) => row['status'] !== 'ARCHIVED');
  if (living.length > max)
    throw new PlacardError('invalid_request', `The campaign has over ${max} ${resource.plural}; copy it in parts.`);
  return living;
}

function shiftOf(source: StoredRow, startsAt: Date | null): number {
  const before = source['starts_at'];
  return startsAt === null || !(before instanceof Date) ? 0 : startsAt.getTime() - before.getTime();
}

function shifted(row: StoredRow, shiftMs: number): Columns {
  const move = (value: unknown): unknown => (value instanceof Date ? new Date(value.getTime() + shiftMs) : value);
  return { starts_at: move(row['starts_at']), ends_at: move(row['ends_at']) };
}
