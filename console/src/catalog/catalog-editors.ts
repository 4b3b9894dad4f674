import type { CatalogRow } from '../api/bookings/catalog.ts';
import type { CellEditor } from '../tables/cell-editor.tsx';
import { changeOf, isLiving } from '../tables/cell-editor-kinds.ts';
import { say } from '../messages/say.ts';
import { type CatalogField, choicesOf } from './catalog-fields.ts';
import { faultOf, readField, textOf } from './field-text.ts';

/** Edits a field of objects in its cell, with the texts and faults of the side panel. */
export function editorOf(field: CatalogField): CellEditor<CatalogRow> {
  const { name, kind } = field;
  const choices = choicesOf(field);
  return {
    kind: choices.length > 0 ? 'select' : ['decimal', 'integer', 'days'].includes(kind) ? 'number' : 'text',
    choices: () => choices.map(([value, key]) => [value, say(key)] as const),
    fault: (text) => faultOf(field, text),
    isOpen: isLiving,
    read: (row) => textOf(field, Reflect.get(row, name)),
    change: (row, text) => {
      const value = readField(field, text.trim());
      return value === undefined ? null : changeOf(name, value, Reflect.get(row, name));
    },
  };
}

/** Edits the status; an archived object is restored with it. */
export function statusEditor(statuses: readonly CatalogRow['status'][]): CellEditor<CatalogRow> {
  return {
    kind: 'select',
    choices: () => statuses.map((value) => [value, say(`status.${value}`)] as const),
    isOpen: () => true,
    read: ({ status }) => status,
    change: ({ status }, text) => changeOf('status', text, status),
  };
}
