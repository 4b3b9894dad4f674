import type { CatalogRow } from '../api/bookings/catalog.ts';
import { type BulkPlan, type LabelChange, labelStep, planSteps } from '../changes/bulk-plan.ts';
import { formatMoney } from '../format/desk-format.ts';
import { isMessageKey, say } from '../messages/say.ts';
import { type BulkAction, changingOf, valueOf } from './bulk-actions.ts';
import { type CatalogField, choicesOf, isEditable } from './catalog-fields.ts';
import { readField, textOf } from './field-text.ts';

/** The title of a field. */
export function titleOf({ name, title }: Pick<CatalogField, 'name' | 'title'>): string {
  if (title !== undefined) return say(title);
  const key = `catalog_column.${name}`;
  return isMessageKey(key) ? say(key) : name;
}

/** The fields that several objects are given at once: all that can be typed but the name, which tells them apart, and labels, which have ways of their own. */
export function settableFields(fields: readonly CatalogField[]): readonly CatalogField[] {
  return fields.filter((field) => isEditable(field) && field.name !== 'name' && field.name !== 'labels');
}

/** The text that a value has in a preview. */
function wordsOf(field: CatalogField, value: unknown, currency: string | undefined): string {
  const text = textOf(field, value);
  if (text === '') return say('value.none');
  const chosen = choicesOf(field).find(([one]) => one === text);
  if (chosen !== undefined) return say(chosen[1]);
  return field.kind === 'decimal' ? formatMoney(text, currency) : text;
}

/** Equal for equal values: money is the same with and without zeros at its end. */
function comparable(field: CatalogField, value: unknown): string {
  const text = textOf(field, value);
  return field.kind === 'decimal' ? text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : text;
}

/** Finds what happens when several objects get one value; null: the text cannot be read. */
export function planField(
  field: CatalogField,
  text: string,
  rows: readonly CatalogRow[],
  currency: string | undefined,
): BulkPlan | null {
  const value = readField(field, text.trim());
  if (value === undefined) return null;
  const after = wordsOf(field, value, currency);
  const typed = comparable(field, value);
  return planSteps(titleOf(field), rows, (row) => {
    const now: unknown = Reflect.get(row, field.name);
    if (comparable(field, now) === typed) return null;
    const before = wordsOf(field, now, currency);
    return { before, after, input: { [field.name]: value }, undo: { [field.name]: now } };
  });
}

/** Finds what a change of labels does to several objects. */
export function planLabels(change: LabelChange, rows: readonly CatalogRow[]): BulkPlan {
  return planSteps(titleOf({ name: 'labels' }), rows, (row) => labelStep(row, change));
}

/** Finds what an action does to several objects. @param reason of an action that has one; empty: none */
export function planAction(action: BulkAction, rows: readonly CatalogRow[], reason = ''): BulkPlan {
  const { verb: key, field, to } = action;
  const verb = say(key);
  const changing = changingOf(action, rows);
  const word = (value: string): string => {
    const name = field === 'status' ? `status.${value}` : `review.${value}`;
    return isMessageKey(name) ? say(name) : value;
  };
  const input = {
    [field]: to,
    ...(action.hasReason === true && reason !== '' ? { reviewReason: reason } : {}),
  };
  return {
    title: say('catalog_action.title', { verb, count: changing.length }),
    verb: () => verb,
    done: (count) => say('catalog_action.done', { verb, count }),
    changes: changing.map((row) => {
      const now = valueOf(row, action);
      const { id, name, version } = row;
      return { id, name, version, before: word(now), after: word(to), input, undo: { [field]: now } };
    }),
    staying: [],
  };
}
