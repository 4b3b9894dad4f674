import type { LineItemDraft } from './compile-line-items.ts';
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

/** The subject of an indexed field, and its name. */
export type IndexedField = Pick<Requirement, 'dimension' | 'key' | 'fieldName'>;

/** A field of targeting, and how many line items restrict it. */
export interface FieldTally {
  readonly source: IndexedField;
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
        const { dimension, key, fieldName } = source;
        const known = tallies.get(fieldName);
        const lineItemCount = (known?.lineItemCount ?? 0) + by;
        tallies.set(fieldName, { source: known?.source ?? { dimension, key, fieldName }, lineItemCount });
      }
    }
  }
  for (const [name, { lineItemCount }] of tallies) if (lineItemCount === 0) tallies.delete(name);
  return tallies;
}

/** The fields to index. Indexed fields stay until others restrict far more line items. */
export function chooseFields(tallies: FieldTallies, isIndexed: (fieldName: string) => boolean): IndexedField[] {
  const ranked = [...tallies.values()].sort((left, right) => right.lineItemCount - left.lineItemCount);
  const kept = ranked.filter(({ source }) => isIndexed(source.fieldName));
  const rival = ranked.find(({ source }) => !isIndexed(source.fieldName));
  const least = kept.at(-1)?.lineItemCount ?? 0;
  const isGood = kept.length === INDEXED_FIELDS_MAX && (rival?.lineItemCount ?? 0) <= 2 * least + BETTER_BY_LINE_ITEMS;
  return (isGood ? kept : ranked.slice(0, INDEXED_FIELDS_MAX)).map(({ source }) => source);
}

/** For each field, the added line items that restrict it. The first field is that of formats and sizes. @param added as `edits.added` */
export function* gatherAdditions(
  fields: readonly IndexedField[],
  edits: LineItemEdits,
  added: readonly LineItemDraft[],
): WorkSteps<FieldAdditions[]> {
  const fit = new Map<number, ReadonlySet<string>>();
  const byField = new Map(fields.map(({ fieldName }) => [fieldName, new Map<number, ReadonlySet<string>>()]));
  for (const [at, draft] of added.entries()) {
    if (at % LINE_ITEMS_PER_STEP === LINE_ITEMS_PER_STEP - 1) yield;
    const position = edits.added[at] as number;
    fit.set(position, draft.fitValues);
    for (const { fieldName, values } of draft.requirements) byField.get(fieldName)?.set(position, values);
  }
  const targeted = fields.map((source) => {
    return { name: source.fieldName, source, restricted: byField.get(source.fieldName) ?? new Map() };
  });
  return [{ name: FIT_FIELD, source: null, restricted: fit }, ...targeted];
}
