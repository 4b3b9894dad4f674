import { type FieldProblem, PlacardError } from '../../../domain/errors.ts';
import { plainIdOf } from '../../../domain/ids/global-ids.ts';
import { clockSpanMs } from '../../../domain/time/time-zone.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { LINE_ITEM } from '../line-item/line-item.ts';
import { report, type StoredRow } from '../../kernel/field.ts';
import { PayloadRef } from '../../kernel/interfaces.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { madeBy, orRefused, RefusedPayload } from '../../kernel/user-errors.ts';
import { findRows } from '../../kernel/resource.sql.ts';
import { changeAll } from '../../kernel/transactions.sql.ts';
import { checkText } from '../../kernel/scalar-fields.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { insertCopy } from '../../kernel/write.ts';
import { validateFlight } from '../campaign/campaign.rules.ts';
import { loadNetworkTimezone } from '../delivery-progress/delivery-figures.ts';
import { CAMPAIGN } from '../campaign/campaign.ts';
import { clockMsOf, copyCreatives, type CopiedLineItem, readLiving, shiftedFlight } from './copy-creatives.ts';

/** The largest campaign that one call copies. */
const LINE_ITEMS_MAX = 500;

interface Copied {
  readonly source: StoredRow;
  readonly campaign: StoredRow;
  readonly lineItemCount: number;
  readonly creativeCount: number;
  readonly validatedOnly: boolean;
}

interface CopyRequest {
  readonly id: string;
  readonly name: string | null;
  readonly startsAt: Date | null;
  readonly shiftDays: number;
  /** Nothing is stored. */
  readonly validateOnly: boolean;
}

/** Adds `copyCampaign`. */
export function defineCopyCampaign(): void {
  const payload = builder.objectRef<Copied | RefusedPayload>('CopyCampaignPayload').implement({
    description: 'The result of copying a campaign.',
    interfaces: [PayloadRef as never],
    fields: (t) => ({
      campaign: t.field({
        type: objectRefOf('Campaign'),
        description: 'The copy; with `validateOnly`, the campaign that would be copied.',
        resolve: (copied) => {
          const { validatedOnly, source, campaign } = madeBy(copied);
          return validatedOnly ? source : campaign;
        },
      }),
      copy: t.field({
        type: objectRefOf('Campaign'),
        nullable: true,
        description: 'The copy; null when nothing was copied, or when it was only validated.',
        resolve: (copied) => (copied instanceof RefusedPayload || copied.validatedOnly ? null : copied.campaign),
      }),
      lineItemCount: t.int({
        description: 'How many line items were copied, or would be.',
        resolve: (copied) => (copied instanceof RefusedPayload ? 0 : copied.lineItemCount),
      }),
      creativeCount: t.int({
        description: 'How many creatives were copied, or would be.',
        resolve: (copied) => (copied instanceof RefusedPayload ? 0 : copied.creativeCount),
      }),
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
          description:
            'Start of the copy: all its flights are moved by the same span, on the clocks of their time zones. Absent: flights stay.',
        }),
        shiftDays: t.arg.int({
          description:
            'By how many days of the clock all flights are moved, instead of `startsAt`; default 0. Midnight stays midnight.',
        }),
        validateOnly: t.arg.boolean({
          description: 'Validates everything, as when it copies, without a change; `copy` of the response is null.',
        }),
      },
      resolve: (_root, args, context, info) => {
        const request = {
          id: plainIdOf('Campaign', args.id),
          name: args.name ?? null,
          startsAt: args.startsAt ?? null,
          shiftDays: args.shiftDays ?? 0,
          validateOnly: args.validateOnly ?? false,
        };
        return orRefused(context, info, async () => {
          const copied = await copyCampaign(context, request);
          context.loaders.clear();
          return copied;
        });
      },
    }),
  );
}

/**
 * Copies a campaign in one transaction, which is undone when it is only validated.
 * @throws PlacardError `not_found`; `invalid_request` when it is too large
 */
export async function copyCampaign(context: ManagementContext, request: CopyRequest): Promise<Copied> {
  const timezone = await loadNetworkTimezone(context);
  return changeAll(context, request.validateOnly, async (inner) => {
    const { workspaceId } = inner.principal;
    const ids = isDecimalId(request.id) ? [BigInt(request.id)] : [];
    const [source] = await findRows(inner.transaction, workspaceId, CAMPAIGN.table, ids);
    if (source === undefined)
      throw new PlacardError('not_found', `There is no campaign with the id ${request.id.slice(0, 40)}.`);
    const shift = { clockMs: clockMsBy(source, request, timezone), timezone };
    const name = request.name ?? `${String(source['name']).slice(0, 190)} (copy)`;
    const moved = {
      ...shiftedFlight(source, shift),
      ...(request.startsAt === null ? {} : { starts_at: request.startsAt }),
    };
    const problems = validateFlight({ ...source, ...moved });
    if (request.name !== null) checkText(request.name, 'name', { lengthMax: 200 }, problems);
    if (problems.length > 0) throw validationFailed(problems);
    // An order number names one order: the copy has none.
    const changes = { ...moved, name, status: 'DRAFT', order_number: null };
    const campaign = await insertCopy(inner, CAMPAIGN, { row: source, changes });
    const lineItems = await readLiving(inner, LINE_ITEM, {
      parentColumn: 'campaign_id',
      parentIds: [source.id],
      max: LINE_ITEMS_MAX,
    });
    const copied: CopiedLineItem[] = [];
    for (const row of lineItems) {
      const flight = shiftedFlight(row, shift, row['timezone']);
      const changes = { ...flight, campaign_id: campaign.id, status: 'DRAFT' };
      copied.push({ source: row, newId: (await insertCopy(inner, LINE_ITEM, { row, changes })).id });
    }
    const creativeCount = await copyCreatives(inner, copied, shift);
    return {
      source,
      campaign,
      lineItemCount: lineItems.length,
      creativeCount,
      validatedOnly: request.validateOnly,
    };
  });
}

/** @throws PlacardError `validation_failed` at `shiftDays` */
function clockMsBy(source: StoredRow, { startsAt, shiftDays }: CopyRequest, timezone: string): number {
  const problems: FieldProblem[] = [];
  if (startsAt !== null && shiftDays !== 0)
    report(problems, 'shiftDays', 'invalid', 'Give startsAt or shiftDays, not both.');
  if (problems.length > 0) throw validationFailed(problems);
  const before = source['starts_at'];
  if (startsAt === null || !(before instanceof Date)) return clockMsOf(shiftDays);
  return clockSpanMs(timezone, before.getTime(), startsAt.getTime());
}
