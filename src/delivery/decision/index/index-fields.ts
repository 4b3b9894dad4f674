import type { CompiledLineItem, LineItemDraft } from './compile-line-items.ts';
import type { FieldAdditions } from './index-field.ts';
import { FIT_FIELD } from './targeting-index.ts';
import type { LineItemEdits } from './line-item-edits.ts';
import type { Requirement } from '../../../domain/targeting/targeting-conjuncts.ts';
import type { WorkSteps } from './work-steps.ts';

/** Most fields that are indexed: those that restrict most line items. The others are tested for each line item. */
const INDEXED_FIELDS_MAX = 32;
/** An indexed field is replaced only by one that restricts this many more line items, because this rebuilds the index of all fields. */
const BETTER_BY_LINE_ITEMS = 64;
const LINE_ITEMS_PER_STEP = 512;

/** A field of targeting, and how many line items restrict it. */
export interface FieldTally {
  readonly source: Requirement;
  readonly lineItemCount: number;
}

/** By the field's name. */
export type FieldTallies = ReadonlyMap<string, FieldTally>;

/** The tallies after these line items were removed and added. */
export function* tallyFields(
  before: FieldTallies,
  removed: readonly LineItemDraft[],
  added: readonly LineItemDraft[],
): WorkSteps<FieldTallies> {
  const tallies = new Map(before);
  for (const [drafts, by] of [[added, 1] as const, [removed, -1] as const]) {
    for (const [position, { requirements }] of drafts.entries()) {
      if (position % LINE_ITEMS_PER_STEP === LINE_ITEMS_PER_STEP - 1) yield;
      for (const source of requirements) {
        const lineItemCount = (tallies.get(source.fieldName)?.lineItemCount ?? 0) + by;
        tallies.set(source.fieldName, { source, lineItemCount });
      }
    }
  }
  for (const [name, { lineItemCount }] of tallies) if (lineItemCount === 0) tallies.delete(name);
  return tallies;
}

/** The fields to index. Indexed fields stay until others restrict far more line items. */
export function chooseFields(tallies: FieldTallies, isIndexed: (fieldName: string) => boolean): Requirement[] {
  const ranked = [...tallies.values()].sort((left, right) => right.lineItemCount - left.lineItemCount);
  const kept = ranked.filter(({ source }) => isIndexed(source.fieldName));
  const rival = ranked.find(({ source }) => !isIndexed(source.fieldName));
  const least = kept.at(-1)?.lineItemCount ?? 0;
  const isGood = kept.length === INDEXED_FIELDS_MAX && (rival?.lineItemCount ?? 0) <= 2 * least + BETTER_BY_LINE_ITEMS;
  return (isGood ? kept : ranked.slice(0, INDEXED_FIELDS_MAX)).map(({ source }) => source);
}

/** For each field, the added line items that restrict it. The first field is that of formats and sizes. */
export function* gatherAdditions(
  fields: readonly Requirement[],
  edits: LineItemEdits<CompiledLineItem>,
): WorkSteps<FieldAdditions[]> {
  const fit = new Map<number, ReadonlySet<string>>();
  const byField = new Map(fields.map(({ fieldName }) => [fieldName, new Map<number, ReadonlySet<string>>()]));
  for (const [position, number] of edits.added.entries()) {
    if (position % LINE_ITEMS_PER_STEP === LINE_ITEMS_PER_STEP - 1) yield;
    const { draft } = edits.lineItems[number] as CompiledLineItem;
    fit.set(number, draft.fitValues);
    for (const { fieldName, values } of draft.requirements) byField.get(fieldName)?.set(number, values);
  }
  const targeted = fields.map((source) => {
    return { name: source.fieldName, source, restricted: byField.get(source.fieldName) ?? new Map() };
  });
  return [{ name: FIT_FIELD, source: null, restricted: fit }, ...targeted];
}
