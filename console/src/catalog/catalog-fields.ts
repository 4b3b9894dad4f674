import type { CatalogKind } from '../api/bookings/catalog.ts';
import type { MessageKey } from '../messages/say.ts';

/** How a field is typed. `sizes`: as 300x250. `object`: one of the network's. `days`: seconds, typed as days. `flag`: yes or no. `many`: some of the choices. `members`: e-mail addresses of the network's. `rule`: the conditions of a segment. `targeting`: the tree of a preset. */
export type FieldKind =
  | 'text'
  | 'decimal'
  | 'integer'
  | 'days'
  | 'list'
  | 'sizes'
  | 'object'
  | 'choice'
  | 'many'
  | 'members'
  | 'flag'
  | 'rule'
  | 'targeting';

/** A field that can be edited: in the side panel, in its cell and in many objects at once. */
export interface CatalogField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly isRequired?: true;
  /** It can be set when the object is made, and never again. */
  readonly onlyNew?: true;
  /** Of an object: its kind. */
  readonly of?: CatalogKind;
  /** Of a choice, and of several: values with their names. */
  readonly choices?: readonly (readonly [string, MessageKey])[];
}

const FLAGS = [
  ['true', 'value.yes'],
  ['false', 'value.no'],
] as const;

/** The values of a choice or a flag, as texts, with their names; of other fields there are none. */
export function choicesOf({ kind, choices }: CatalogField): readonly (readonly [string, MessageKey])[] {
  return kind === 'flag' ? FLAGS : kind === 'choice' ? (choices ?? []) : [];
}

/** Kinds of fields that are edited in the side panel alone. */
const PANEL_KINDS: readonly FieldKind[] = ['object', 'many', 'members', 'rule', 'targeting'];

/** Whether a field of an object that exists can be typed in a cell, and for many objects at once. */
export function isEditable({ kind, onlyNew }: CatalogField): boolean {
  return onlyNew !== true && !PANEL_KINDS.includes(kind);
}
