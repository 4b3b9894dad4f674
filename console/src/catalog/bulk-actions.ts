import type { CatalogKind, CatalogRow } from '../api/bookings/catalog.ts';
import type { MessageKey } from '../messages/say.ts';

/** What can be done with several objects at once. */
export interface BulkAction {
  readonly verb: MessageKey;
  /** The key that does it in the table; null: none. */
  readonly key: string | null;
  readonly field: 'status' | 'reviewState';
  readonly to: string;
  /** It does something to objects whose field has one of these values. */
  readonly from: readonly string[];
  /** It says why, to those who made the objects. */
  readonly hasReason?: true;
}

const ARCHIVE: BulkAction = {
  verb: 'catalog_action.archive',
  key: null,
  field: 'status',
  to: 'ARCHIVED',
  from: ['ACTIVE', 'PAUSED'],
};
const RESTORE: BulkAction = {
  verb: 'catalog_action.restore',
  key: null,
  field: 'status',
  to: 'ACTIVE',
  from: ['ARCHIVED'],
};
const OF_REVIEW: readonly BulkAction[] = [
  {
    verb: 'catalog_action.approve',
    key: 'a',
    field: 'reviewState',
    to: 'APPROVED',
    from: ['PENDING', 'REJECTED'],
  },
  {
    verb: 'catalog_action.reject',
    key: 'r',
    field: 'reviewState',
    to: 'REJECTED',
    from: ['PENDING', 'APPROVED'],
    hasReason: true,
  },
];
const OF_LINE_ITEMS: readonly BulkAction[] = [
  { verb: 'catalog_action.pause', key: null, field: 'status', to: 'PAUSED', from: ['ACTIVE'] },
  { verb: 'catalog_action.resume', key: null, field: 'status', to: 'ACTIVE', from: ['PAUSED'] },
];

/** The actions of a kind. */
export function actionsOf(kind: CatalogKind): readonly BulkAction[] {
  if (kind === 'creatives') return [...OF_REVIEW, ...OF_LINE_ITEMS, ARCHIVE, RESTORE];
  return kind === 'libraryCreatives' ? [...OF_REVIEW, ARCHIVE, RESTORE] : [ARCHIVE, RESTORE];
}

/** The present value of the field of an action. */
export function valueOf(row: CatalogRow, { field }: Pick<BulkAction, 'field'>): string {
  return String(Reflect.get(row, field));
}

/** The objects that an action does something to. */
export function changingOf<Row extends CatalogRow>(action: BulkAction, rows: readonly Row[]): readonly Row[] {
  return rows.filter((row) => action.from.includes(valueOf(row, action)));
}
