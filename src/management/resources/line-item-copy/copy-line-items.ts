import { PlacardError } from '../../../domain/errors.ts';
import { plainIdOf } from '../../../domain/ids/global-ids.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { draftChange, objectMissing, type WriteInput } from '../../kernel/drafts.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { PayloadRef } from '../../kernel/interfaces.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { findRows, lockRow } from '../../kernel/resource.sql.ts';
import { defineSettingInput } from '../../kernel/setting-input.ts';
import { changeAll } from '../../kernel/transactions.sql.ts';
import { orRefused, RefusedPayload } from '../../kernel/user-errors.ts';
import { type InTransaction, insertCopy, updateObject } from '../../kernel/write.ts';
import { asksForApproval, holdFlight, narrowApproval } from '../booking-approval/approvals.sql.ts';
import { requestApproval } from '../booking-approval/booking-approval.ts';
import { isGuaranteed, isLiveBooking, isNoWider, termsOf } from '../booking-approval/booking-terms.ts';
import { loadNetworkTimezone } from '../delivery-progress/delivery-figures.ts';
import { clockMsOf, copyCreatives, type FlightShift, shiftedFlight } from '../campaign-copy/copy-creatives.ts';
import { LINE_ITEM } from '../line-item/line-item.ts';

/** The most line items that one call copies. */
const COPIES_MAX = 100;
/** So that what is added to a long name still fits. */
const NAME_KEPT = 190;

interface Copied {
  readonly lineItems: readonly StoredRow[];
  readonly creativeCount: number;
}

interface CopyRequest {
  readonly shift: FlightShift;
  /** Fields that every copy gets. */
  readonly changes: WriteInput;
  /** Nothing is stored, and no copy returned. */
  readonly validateOnly: boolean;
}

interface Split {
  readonly lineItem: StoredRow;
  readonly part: StoredRow;
}

const CHANGES = () =>
  defineSettingInput(LINE_ITEM, {
    name: 'LineItemChangesInput',
    description: 'Fields that a line item gets. Absent fields stay as they are.',
    without: ['campaignId'],
    more: {},
  });

/** Adds `copyLineItems` and `splitLineItem`. */
export function defineLineItemCopies(): void {
  const changes = CHANGES();
  defineCopy(changes);
  defineSplit(changes);
}

function defineCopy(changes: ReturnType<typeof CHANGES>): void {
  const payload = builder.objectRef<Copied | RefusedPayload>('CopyLineItemsPayload').implement({
    description: 'The result of copying line items.',
    interfaces: [PayloadRef as never],
    fields: (t) => ({
      lineItems: t.field({
        type: [objectRefOf('LineItem')],
        description: 'The copies, in the order of the ids; none with `validateOnly`.',
        resolve: (copied) => (copied instanceof RefusedPayload ? [] : [...copied.lineItems]),
      }),
      creativeCount: t.int({
        description: 'How many creatives were copied.',
        resolve: (copied) => (copied instanceof RefusedPayload ? 0 : copied.creativeCount),
      }),
    }),
  });
  builder.mutationField('copyLineItems', (t) =>
    t.field({
      type: payload,
      nullable: true,
      description: `Copies line items with their creatives (archived ones left out), in one transaction. The copies become DRAFT. At most ${COPIES_MAX}.`,
      args: {
        ids: t.arg.idList({ required: true, description: 'The line items to copy.' }),
        shiftDays: t.arg.int({
          description: 'By how many days of the clock flights are moved; default 0. Midnight stays midnight.',
        }),
        changes: t.arg({ type: changes, description: 'Fields that every copy gets. Absent: name with " (copy)".' }),
        validateOnly: t.arg.boolean({ description: 'Validates everything, as when it copies, without a change.' }),
      },
      resolve: (_root, args, context, info) => {
        const ids = args.ids.map((id) => plainIdOf('LineItem', id));
        return orRefused(context, info, async () => {
          const request = {
            shift: { clockMs: clockMsOf(args.shiftDays ?? 0), timezone: await loadNetworkTimezone(context) },
            changes: (args.changes ?? {}) as WriteInput,
            validateOnly: args.validateOnly ?? false,
          };
          const copied = await copyLineItems(context, ids, request);
          context.loaders.clear();
          return copied;
        });
      },
    }),
  );
}

function defineSplit(changes: ReturnType<typeof CHANGES>): void {
  const payload = builder.objectRef<Split | RefusedPayload>('SplitLineItemPayload').implement({
    description: 'The result of splitting a line item.',
    interfaces: [PayloadRef as never],
    fields: (t) => ({
      lineItem: t.field({
        type: objectRefOf('LineItem'),
        nullable: true,
        description: 'What stays of it; null when nothing was split.',
        resolve: (split) => (split instanceof RefusedPayload ? null : split.lineItem),
      }),
      part: t.field({
        type: objectRefOf('LineItem'),
        description:
          'The new line item, with its status and copies of its creatives; a DRAFT while it waits for approval; null when nothing was split.',
        nullable: true,
        resolve: (split) => (split instanceof RefusedPayload ? null : split.part),
      }),
    }),
  });
  builder.mutationField('splitLineItem', (t) =>
    t.field({
      type: payload,
      nullable: true,
      description:
        'Makes two line items of one, in one transaction: a copy with its creatives and status, and a change of each, such as a share of the goal or of the targeting. What was delivered stays with the old one. Where a guaranteed booking needs approval, the new one is a DRAFT, and its approval is asked for.',
      args: {
        id: t.arg.id({ required: true, description: 'The line item to split.' }),
        version: t.arg.int({
          description: 'The version that was read; a newer version fails as `conflict`. Absent: no check.',
        }),
        change: t.arg({ type: changes, required: true, description: 'What changes of the old one.' }),
        part: t.arg({ type: changes, required: true, description: 'What is other in the new one.' }),
      },
      resolve: (_root, args, context, info) => {
        const target = { id: plainIdOf('LineItem', args.id), version: args.version ?? null };
        const sides = { change: args.change as WriteInput, part: args.part as WriteInput };
        return orRefused(context, info, async () => {
          const split = await splitLineItem(context, target, sides);
          context.loaders.clear();
          return split;
        });
      },
    }),
  );
}

/** Copies line items in one transaction. @throws PlacardError `not_found`, `invalid_request`, `validation_failed` with paths under `changes` */
export function copyLineItems(
  context: ManagementContext,
  ids: readonly string[],
  { shift, changes, validateOnly }: CopyRequest,
): Promise<Copied> {
  if (ids.length > COPIES_MAX)
    throw new PlacardError('invalid_request', `ids has ${ids.length} values; at most ${COPIES_MAX} are taken.`);
  return changeAll(context, validateOnly, async (inner) => {
    const lineItems: StoredRow[] = [];
    let creativeCount = 0;
    for (const id of ids) {
      const source = await findOne(inner, id);
      const name = `${String(source['name']).slice(0, NAME_KEPT)} (copy)`;
      const copy = await copyOne(inner, source, { shift, columns: { name, status: 'DRAFT' } });
      const { row } = await updateObject(
        inner,
        LINE_ITEM,
        { id: String(copy.row.id), version: null },
        { input: changes, trial: validateOnly, path: 'changes' },
      );
      lineItems.push(row);
      creativeCount += copy.creativeCount;
    }
    return { lineItems: validateOnly ? [] : lineItems, creativeCount };
  });
}

/** Splits a line item. @throws PlacardError `not_found`, `conflict`, `validation_failed` with paths under `change` and `part` */
export function splitLineItem(
  context: ManagementContext,
  target: { readonly id: string; readonly version: number | null },
  { change, part }: { readonly change: WriteInput; readonly part: WriteInput },
): Promise<Split> {
  return changeAll(context, false, async (inner) => {
    const source = await lockOne(inner, target.id);
    await retainSmallerApproval(inner, source, change);
    const kept = await updateObject(inner, LINE_ITEM, target, { input: change, trial: false, path: 'change' });
    const isLive = source['status'] === 'ACTIVE';
    // The rules see it go live: it is another booking, which may need an approval of its own.
    const copy = await copyOne(inner, source, { shift: UNMOVED, columns: isLive ? { status: 'DRAFT' } : {} });
    const live = isLive ? { status: 'ACTIVE', ...part } : part;
    const waits = part['status'] === undefined && (await mustWait(inner, copy.row, live));
    const id = String(copy.row.id);
    const input = waits ? part : live;
    const made = await updateObject(inner, LINE_ITEM, { id, version: null }, { input, trial: false, path: 'part' });
    if (waits) await requestApproval(inner, id);
    return { lineItem: kept.row, part: made.row };
  });
}

/** What stays of a split may promise less than was approved, and stays approved. */
async function retainSmallerApproval(inner: InTransaction, source: StoredRow, change: WriteInput): Promise<void> {
  if (!isGuaranteed(source)) return;
  const { workspaceId } = inner.principal;
  const campaign = await holdFlight(inner.transaction, workspaceId, source['campaign_id'] as bigint);
  const { row } = draftChange(LINE_ITEM, source, { input: change, path: 'change', problems: [] });
  const [from, to] = [termsOf(source, campaign), termsOf(row, campaign)];
  if (from !== to && isNoWider(row, source, campaign))
    await narrowApproval(inner.transaction, workspaceId, { lineItemId: source.id, from, to });
}

/** Whether the part of a split goes live only after an approval. */
async function mustWait(inner: InTransaction, part: StoredRow, input: WriteInput): Promise<boolean> {
  const { row } = draftChange(LINE_ITEM, part, { input, path: 'part', problems: [] });
  return isLiveBooking(row) && (await asksForApproval(inner.transaction, inner.principal.networkId));
}

async function findOne(inner: InTransaction, id: string): Promise<StoredRow> {
  const ids = isDecimalId(id) ? [BigInt(id)] : [];
  const [row] = await findRows(inner.transaction, inner.principal.workspaceId, LINE_ITEM.table, ids);
  if (row === undefined) throw objectMissing(LINE_ITEM, id);
  return row;
}

/** Locks a line item against other changes, so that its approval and its terms belong together. */
async function lockOne(inner: InTransaction, id: string): Promise<StoredRow> {
  const { workspaceId } = inner.principal;
  const row = isDecimalId(id) ? await lockRow(inner.transaction, workspaceId, LINE_ITEM.table, BigInt(id)) : undefined;
  if (row === undefined) throw objectMissing(LINE_ITEM, id);
  return row;
}

const UNMOVED: FlightShift = { clockMs: 0, timezone: 'UTC' };

/** An external id names one object: the copy has none. */
async function copyOne(
  inner: InTransaction,
  source: StoredRow,
  { shift, columns }: { readonly shift: FlightShift; readonly columns: Readonly<Record<string, unknown>> },
): Promise<{ readonly row: StoredRow; readonly creativeCount: number }> {
  const changes = { ...shiftedFlight(source, shift, source['timezone']), external_id: null, ...columns };
  const row = await insertCopy(inner, LINE_ITEM, { row: source, changes });
  const creativeCount = await copyCreatives(inner, [{ source, newId: row.id }], shift);
  return { row, creativeCount };
}
